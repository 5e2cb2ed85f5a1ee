/** Forms and errors mention only notifications about the end of a job that exist. */
import type { INode } from 'n8n-workflow';
import { createBatchRowError, createJobError } from '../../../nodes/core/jobs/jobErrors';
import type { JobKind } from '../../../nodes/core/jobs/types';
import { getNonOptionFields, isPaid, getOptionFields } from '../../../nodes/core/operationTraits';
import * as jobs from '../../../nodes/jobKinds/catalog';
import { loadOperations } from '../../../tools/nodes';

const rows = loadOperations()
	.filter(({ operation }) => operation.starts !== undefined)
	.map((row) => ({ ...row, name: `${row.folder}, ${row.operation.name}` }));

const trigger = /VideoGen Trigger/;
const callbackUrl = /Callback URL/;

test('there are operations that start jobs', () => expect(rows.length).toBeGreaterThan(25));

test.each(rows)('the form of $name', ({ operation }) => {
	const wait = getNonOptionFields(operation).find(({ name }) => name === 'waitForCompletion');
	const text = wait?.description ?? '';
	const callsBack = getOptionFields(operation).some(({ name }) => name === 'callback_url');
	const { starts } = operation;
	const by = (typeof starts === 'object' && starts.notifiedBy) || 'event';
	// The duration, and the cost of each run.
	expect(wait?.hint).toMatch(
		isPaid(operation)
			? /^\S.*\. You are charged for each run(: .*|, but the price is not published)\.$/
			: /^\S.*\.$/,
	);
	if (operation.price !== undefined)
		expect(wait?.hint).toContain(`charged for each run: ${operation.price}.`);
	expect(/start another workflow/.test(text)).toBe(by === 'event');
	expect(callbackUrl.test(text)).toBe(by === 'callback');
	expect(/The service does not send an event/.test(text)).toBe(by !== 'event');
	// The text mentions a callback exactly if the form has its field.
	if (by !== 'event') expect(callsBack).toBe(by === 'callback');
	for (const { name, description = '' } of getOptionFields(operation)) {
		if (by === 'event' || !name.startsWith('callback_')) continue;
		expect(description).not.toMatch(/VideoGen Trigger|in the event/);
	}
});

test('the form says that each job is charged if an item makes several jobs', () => {
	const several = rows.filter(({ operation }) => operation.countJobs !== undefined);
	expect(several.length).toBeGreaterThan(1);
	for (const { operation } of several) {
		expect(getNonOptionFields(operation).map(({ hint }) => hint)).toContainEqual(
			expect.stringMatching(
				/^You get a separate result for each language, and you are charged for each one$/,
			),
		);
	}
});

test.each(Object.entries(jobs) as Array<[string, JobKind]>)('the timeout error of %s', (_, job) => {
	const node = { name: 'Node', parameters: {} } as INode;
	const ending = { outcome: 'timeout', known: true, waited: 60 } as const;
	const { description } = createJobError(node, { ...ending, job: { kind: job, id: 'x' } });
	expect(description).toMatch(/raise Wait Timeout in the options/);
	expect(trigger.test(description ?? '')).toBe(job.notifiedBy === undefined);
	expect(callbackUrl.test(description ?? '')).toBe(job.notifiedBy === 'callback');
});

test.each([
	['its job', 'v1', 'video v1 of batch b: entry 2 is "failed".', { kind: 'video', id: 'v1' }],
	['its batch', undefined, 'batch b: entry 2 is "failed".', { kind: 'video_batch', id: 'b' }],
])('the error of a failed row names %s', (_, id, place, job) => {
	const batch = { kind: jobs.videoBatchJob, id: 'b' };
	const entry = { status: 'failed', item_index: 2, error: { code: 'lost', message: 'It is lost' } };
	const node = { name: 'Node' } as INode;
	const error = createBatchRowError(node, batch, { kind: jobs.videoJob, id }, entry);
	expect(error.message).toBe('The video for this row failed: It is lost');
	const again = 'The input did not cause the failure: run the workflow again.';
	expect(error.description?.split('\n')[0]).toBe(`${place} ${again}`);
	expect(error.context.details).toMatchObject({ job, batch_id: 'b', status: 'failed' });
});

test.each([
	['content_policy_violation', /the same request will fail again\.$/],
	['unsupported_format', /Change the input and run again\.$/],
	[undefined, /Change the input and run again\.$/],
])('the advice for a failed row depends on its code: %s', (code, advice) => {
	const batch = { kind: jobs.videoBatchJob, id: 'b' };
	const entry = { status: 'failed', item_index: 2, error: { code, message: 'It is bad' } };
	const error = createBatchRowError(
		{ name: 'Node' } as INode,
		batch,
		{ kind: jobs.videoJob },
		entry,
	);
	expect(error.description).toMatch(advice);
});
