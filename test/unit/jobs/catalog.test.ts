/** The catalog of jobs: every kind has a unique name, and VideoGen Job Status knows it. */
import type { JobKind } from '../../../nodes/core/jobs/types';
import * as jobs from '../../../nodes/jobKinds/catalog';
import { awaitableJobKinds } from '../../../nodes/VideoGenJob/fields';
import { loadOperations } from '../../../tools/nodes';

const findAwaitableJobKind = (kind: string) => awaitableJobKinds.find(({ name }) => name === kind);

const names = (Object.values(jobs) as JobKind[]).map(({ name: kind }) => kind);

test('no two kinds of job have the same name or label', () => {
	expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
	expect(new Set(awaitableJobKinds.map(({ label }) => label)).size).toBe(awaitableJobKinds.length);
});

// Only the Realtime Avatar node waits for realtime streams: no item has one as its job.
test('VideoGen Job Status knows every kind of job that items can have', () => {
	const unknown = names.filter((name) => !findAwaitableJobKind(name) && name !== 'realtime_stream');
	expect(unknown).toEqual([]);
});

const started = loadOperations().flatMap(({ folder, operation }) =>
	typeof operation.starts === 'object'
		? [{ name: `${folder}, ${operation.name}`, operation, job: operation.starts }]
		: [],
);

test.each(started)(
	'VideoGen Job Status knows the job of $name, with its rows and files',
	({ operation, job }) => {
		const kind = findAwaitableJobKind(job.name);
		expect(kind).toBe(job);
		if (operation.combine?.rows) expect(kind?.rows).toBe(operation.combine.rows);
		const offered = (job.rows ?? job).files ?? [];
		expect(offered).toEqual(expect.arrayContaining([...(operation.files ?? [])]));
	},
);

const stoppable = (Object.values(jobs) as JobKind[]).flatMap(({ name: kind, stop }) =>
	stop ? [{ kind, stop }] : [],
);

test.each(stoppable)('the operation that stops a $kind is named as in the form', ({ stop }) => {
	const row = loadOperations().find(({ operation }) => operation.request === stop.line);
	const [node = '', operation] = stop.operation.split(': ');
	expect(node.replaceAll(' ', '')).toBe(row?.folder);
	expect(operation).toBe(row?.operation.name);
});
