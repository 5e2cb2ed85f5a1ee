/** Callbacks to a suspended execution: what is checked, and when it resumes. */
import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import {
	handleCallback,
	takeStatusesReadOnCallback,
} from '../../../nodes/VideoGenWait/resumeOnCallback';
import { hashAwaitedJobs } from '../../../nodes/VideoGenWait/schedule';
import { clock } from '../../../nodes/core/clock';
import { passTime, useVirtualTime } from '../http/virtualTime';
import { createHost, createItem, done, failed, running, type HostSettings } from './waitHost';

useVirtualTime();
// Long after 0, the time of the last callback if there was none.
beforeEach(async () => void (await passTime(clock.sleep(1_000_000))));
afterEach(() => jest.restoreAllMocks());

const pass = async (seconds: number) => await passTime(clock.sleep(seconds * 1000));

/** A suspended execution with these items. */
function suspend(
	ids: string[],
	responses: HostSettings['responses'],
	more: Partial<HostSettings> = {},
) {
	const items = more.items ?? ids.map((id) => createItem(id));
	const evaluateExpression = jest.fn((expression: string, item: number): unknown =>
		expression === '{{ $input.all() }}' ? items : `${expression} ${item}`,
	);
	const host = createHost({ items, responses, ...more, more: { evaluateExpression } });
	const json = jest.fn();
	const status = jest.fn(() => ({ json }));
	const n8n = { ...host.n8n, getResponseObject: () => ({ status }) };
	const call = async () => {
		const calling = handleCallback(n8n as unknown as IWebhookFunctions);
		await passTime(calling);
		return await calling;
	};
	const hash = hashAwaitedJobs(ids.map((id) => `lipsync ${id}`));
	const take = (other = hash) => [...takeStatusesReadOnCallback(host.n8n, other)];
	return { ...host, n8n: n8n as unknown as IWebhookFunctions, items, status, json, call, take };
}

const answered = { noWebhookResponse: true };

test('a callback is answered, and resumes the execution with copies of its items', async () => {
	const { call, items, status, json, reads } = suspend(['a'], { a: done });
	const response = await call();
	expect(response).toStrictEqual({ ...answered, workflowData: [items] });
	expect(response.workflowData?.[0]?.[0]).not.toBe(items[0]);
	expect(status.mock.calls).toStrictEqual([[200]]);
	expect(json.mock.calls).toStrictEqual([[{ message: 'Received.' }]]);
	expect(reads).toStrictEqual(['a']);
});

test('the results of a check are taken once, within five minutes, for the same jobs', async () => {
	const responses = { a: done, b: failed, c: running };
	const { call, take } = suspend(['a', 'b', 'c'], responses);
	expect(await call()).toStrictEqual(answered);
	expect(take(hashAwaitedJobs(['lipsync a']))).toStrictEqual([]);
	await pass(299);
	expect(take()).toMatchObject([
		['lipsync a', { outcome: 'completed', data: done }],
		['lipsync b', { outcome: 'failed', code: 'render_failed' }],
	]);
	expect(take()).toStrictEqual([]);
	await call();
	await pass(300);
	expect(take()).toStrictEqual([]);
});

test('jobs that have ended are not read again, and each check is twice as wide as the last', async () => {
	const ids = ['a', 'b', 'c', 'd', 'e'];
	const responses = { a: done, b: done, c: [running, done], d: done, e: [running, done] };
	const { call, reads } = suspend(ids, responses);
	expect(await call()).toStrictEqual(answered);
	expect(reads).toStrictEqual(['a', 'b', 'c']);
	expect(await call()).toStrictEqual(answered);
	expect(reads).toStrictEqual(['a', 'b', 'c', 'c', 'd', 'e']);
	expect(await call()).toHaveProperty('workflowData');
	expect(reads).toStrictEqual(['a', 'b', 'c', 'c', 'd', 'e', 'e']);
});

test('an execution resumes again only after a minute', async () => {
	const { call } = suspend(['a'], { a: done });
	expect(await call()).toHaveProperty('workflowData');
	await pass(59.6);
	expect(await call()).toStrictEqual(answered);
	expect(await call()).toHaveProperty('workflowData');
});

test('callbacks in the same moment share a check, and later ones wait for its end', async () => {
	const { n8n, reads } = suspend(['a'], { a: [running, done] });
	const together = { webhookResponse: { message: 'Received together with another call.' } };
	const calls = [handleCallback(n8n), handleCallback(n8n)];
	expect(await calls[1]).toStrictEqual(together);
	expect(reads).toStrictEqual([]);
	expect(await passTime(Promise.all(calls))).toBe(0.2);
	expect(await calls[0]).toStrictEqual(answered);
	const later = handleCallback(n8n);
	await passTime(later);
	expect(await later).toHaveProperty('workflowData');
	expect(reads).toStrictEqual(['a', 'a']);
});

test.each<[string, number, string]>([
	['cannot be reached', 503, 'The service cannot be reached right now'],
	['rejects the credential', 401, 'The service cannot be reached right now'],
	['refuses the job', 403, 'This account is not allowed to do this'],
])('if the service %s, the log says so, and the next call checks again', async (...row) => {
	const [, status, reason] = row;
	const { call, warn, reads } = suspend(['a'], { a: [status, status, status, status, done] });
	expect(await call()).toStrictEqual(answered);
	expect(warn.mock.calls).toStrictEqual([
		[
			`Wait (workflow workflow) was called back, but could not read its jobs: ${reason}. It checks again at the scheduled time.`,
		],
	]);
	const before = reads.length;
	await call();
	expect(reads.length).toBeGreaterThan(before);
});

test('a job that does not exist counts as running, and is not logged', async () => {
	const { call, warn, take } = suspend(['a', 'b'], { a: 404, b: done });
	expect(await call()).toStrictEqual(answered);
	expect([warn.mock.calls, take()]).toStrictEqual([[], []]);
});

test('a check may take eight seconds', async () => {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	await suspend(['a'], { a: running }).call();
	expect(timeout.mock.calls).toStrictEqual([[8_000]]);
});

describe('the jobs', () => {
	const checkJobs = async (parameters: IDataObject, items: INodeExecutionData[]) => {
		const host = suspend([], {}, { parameters, items });
		const response = await host.call();
		return { ...host, response };
	};
	const simulated = { simulated: true };

	test.each<[string, IDataObject, INodeExecutionData[], string[]]>([
		['are those of the items', {}, [createItem('a'), { json: {} }, createItem('a')], ['a']],
		['are no samples', {}, [createItem('sample_a', simulated), createItem('b')], ['b']],
		['are those of the form', { jobs: 'id', job_id: 'v' }, [{ json: {} }, { json: {} }], ['v']],
		[
			'are those of an expression for each item',
			{ jobs: 'id', kind: 'lipsync', job_id: '={{ x }}' },
			[{ json: {} }, { json: {} }],
			['%7B%7B%20x%20%7D%7D%200'],
		],
		[
			'may have a number in the form',
			{ jobs: 'id', kind: 'lipsync', job_id: 7 },
			[{ json: {} }],
			['7'],
		],
	])('%s', async (_, parameters, items, expected) => {
		const { reads, response } = await checkJobs(parameters, items);
		expect(reads).toStrictEqual(expected);
		expect(response).toStrictEqual(answered);
	});

	test.each([
		['samples', {}, [createItem('sample_a', simulated)]],
		['a kind that does not exist', { jobs: 'id', kind: 'poem', job_id: 'v' }, [{ json: {} }]],
		['no ID', { jobs: 'id', job_id: '' }, [{ json: {} }]],
	])('are none: %s', async (_, parameters, items) => {
		const { response, status } = await checkJobs(parameters, items);
		expect(response).toStrictEqual({
			webhookResponse: { message: 'This execution is not waiting for any jobs.' },
		});
		expect(status).not.toHaveBeenCalled();
	});
});
