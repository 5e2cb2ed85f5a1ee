/** The kind and the id of a job say where it is read: each kind is there, once. */
import type { Job } from '../../../nodes/core/jobs/job';
import * as jobs from '../../../nodes/jobs';
import { kindOf, kinds } from '../../../nodes/kinds';
import { loadRows } from '../../../tools/nodes';

const names = (Object.values(jobs) as Job[]).map(({ kind }) => kind);

test('no two kinds of job have one name', () => {
	expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
	expect(new Set(kinds.map(({ name }) => name)).size).toBe(kinds.length);
});

/** Realtime streams are awaited by their own node alone: no create gives them out as a job. */
test('a job that a create gives out can be waited for', () => {
	const unknown = names.filter((name) => !kindOf(name) && name !== 'realtime_stream');
	expect(unknown).toEqual([]);
});

const started = loadRows().flatMap(({ folder, operation }) =>
	typeof operation.starts === 'object'
		? [{ name: `${folder}, ${operation.name}`, operation, job: operation.starts }]
		: [],
);

test.each(started)('$name is known with its rows and its files', ({ operation, job }) => {
	const kind = kindOf(job.kind);
	expect(kind?.job).toBe(job);
	if (operation.gather?.rows) expect(kind?.rows).toBe(operation.gather.rows);
	// The clips of one clipping are files of several items, which its own node makes of them.
	if (job.kind !== 'clipping') expect(kind?.files).toEqual(operation.files);
});
