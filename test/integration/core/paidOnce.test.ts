/** Creates for which the service takes no idempotency key. */
import { createServer } from 'node:net';
import { createCalls, continueOnFail, retryOnFail, session } from '../support/calls';
import { runNode, signInToNewAccount } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';

const service = useService();
const listening = useServers();
const { createSessions, posts, jobs, failPosts, passPosts } = createCalls(service);

const path = '/v3/video-agents';
const eachItem = { prompt: '=Welcome {{ $json.i }}' };

test('a session whose connection breaks after sending is not repeated, and the error says so', async () => {
	failPosts(path, { cut: 'after' });
	const { error } = await createSessions(1);
	expect(posts(path)).toHaveLength(1);
	expect(jobs('session')).toHaveLength(1);
	expect(error?.message).toContain('was lost before a response arrived');
	expect(error?.description).toContain('session may have been created');
	expect(error?.description).toContain('Get Many');
});

test('a response that cannot be parsed leaves the same doubt, and no second session', async () => {
	let connections = 0;
	const server = createServer((socket) => {
		connections++;
		socket.on('error', () => undefined);
		socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nNo Header\r\n\r\n'));
	});
	const odd = { baseUrl: await listening(server), apiKey: 'key-of-the-test' };
	const { error } = await runNode(odd, 'VideoGenAgent', session(), { node: retryOnFail });
	expect(error?.message).toContain('was lost before a response arrived');
	expect(error?.description).toContain('session may have been created');
	expect(connections).toBe(1);
});

test.each([
	['where a response was lost', 0, 1],
	['for an item that succeeded before, which the error names once', 1, 2],
])('Retry On Fail makes no second session %s', async (_, passed, count) => {
	if (passed > 0) passPosts(path, passed);
	failPosts(path, { cut: 'after', times: 1 });
	const form = { ...eachItem, options: { requestsAtOnce: 1 } };
	const { error } = await createSessions(count, form, { node: retryOnFail });
	expect(error?.description).toContain('session may have been created');
	expect(error?.description?.split('Jobs started for other items')).toHaveLength(count);
	expect(jobs('session')).toHaveLength(count);
	expect(posts(path)).toHaveLength(count);
});

test.each([
	[503, 'service_unavailable', 10, false],
	[500, 'internal_error', 1, true],
])('with %i (%s) a session is sent %i times; that one may exist: %s', async (...row) => {
	const [status, code, times, isUncertain] = row;
	failPosts(path, { status, code });
	const { error } = await createSessions(1, {}, { node: signInToNewAccount() });
	expect(posts(path)).toHaveLength(times);
	expect(error?.description?.includes('may have been created')).toBe(isUncertain);
});

test('when one item fails, the error names what another may have made', async () => {
	// The first goes alone, and well.
	passPosts(path, 1);
	failPosts(path, { cut: 'after', delayMs: 600, times: 1 });
	failPosts(path, { status: 402, code: 'insufficient_credit' });
	const { error } = await createSessions(3, eachItem);
	expect(error?.message).toContain('not have enough credit');
	expect(error?.description).toMatch(
		/\n<br>Row \d: The connection to the service was lost before a response arrived\. The session may have been created/,
	);
});

test('the first create goes alone: when the account is rejected, nothing else is sent', async () => {
	failPosts(path, { status: 402, code: 'insufficient_credit' });
	const stopped = await createSessions(20);
	expect(stopped.error?.message).toContain('not have enough credit');
	expect(posts(path)).toHaveLength(1);
	const { items } = await createSessions(20, {}, { node: continueOnFail });
	const rejected = expect.stringContaining('not have enough credit');
	expect(items.map(({ json }) => json.error)).toEqual(Array(20).fill(rejected));
	expect(posts(path)).toHaveLength(2);
});

test('when a later create is rejected because of the account, few others follow', async () => {
	passPosts(path, 10);
	failPosts(path, { status: 402, code: 'insufficient_credit' });
	const { items } = await createSessions(100, {}, { node: continueOnFail });
	expect(items.filter(({ json }) => json.session_id)).toHaveLength(10);
	expect(posts(path).length).toBeLessThan(40);
});
