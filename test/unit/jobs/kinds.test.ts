/** The kind and the id of a job say where it is read: each kind is there, once. */
import type { JobKind } from '../../../nodes/core/jobs/state';
import * as jobs from '../../../nodes/jobs/catalog';
import { findJobKind, jobCatalog } from '../../../nodes/jobs/kinds';
import { loadOperations } from '../../../tools/nodes';

const names = (Object.values(jobs) as JobKind[]).map(({ name: kind }) => kind);

test('no two kinds of job have one name', () => {
	expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
	expect(new Set(jobCatalog.map(({ name }) => name)).size).toBe(jobCatalog.length);
});

/** Realtime streams are awaited by their own node alone: no create gives them out as a job. */
test('a job that a create gives out can be waited for', () => {
	const unknown = names.filter((name) => !findJobKind(name) && name !== 'realtime_stream');
	expect(unknown).toEqual([]);
});

const started = loadOperations().flatMap(({ folder, operation }) =>
	typeof operation.starts === 'object'
		? [{ name: `${folder}, ${operation.name}`, operation, job: operation.starts }]
		: [],
);

test.each(started)('$name is known with its rows and its files', ({ operation, job }) => {
	const kind = findJobKind(job.name);
	expect(kind?.job).toBe(job);
	if (operation.combine?.rows) expect(kind?.rows).toBe(operation.combine.rows);
	// The clips of one clipping are files of several items, which its own node makes of them.
	if (job.name !== 'clipping') expect(kind?.files).toEqual(operation.files);
});
