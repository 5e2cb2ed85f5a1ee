/** Creates for which the service takes no idempotency key. */
import { createServer } from 'node:net';
import { items, session } from '../support/calls';
import { runNode } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';

const service = useService();
const listening = useServers();

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

test('a session whose connection breaks after sending is not repeated, and the error says so', async () => {
	service.control.fail({ method: 'POST', path: '/v3/video-agents', cut: 'after' });
	const { error } = await runNode(service, 'VideoGenAgent', session());
	expect(received('POST', '/v3/video-agents')).toHaveLength(1);
	expect(service.control.jobs('session')).toHaveLength(1);
	expect(error?.message).toContain('broke before a response came');
	expect(error?.description).toContain('session may have been created');
	expect(error?.description).toContain('Get Many');
});

test('an answer that cannot be read leaves the same doubt, and no second session', async () => {
	let connections = 0;
	const server = createServer((socket) => {
		connections++;
		socket.on('error', () => undefined);
		socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nNo Header\r\n\r\n'));
	});
	const odd = { baseUrl: await listening(server), apiKey: 'key-of-the-test' };
	const { error } = await runNode(odd, 'VideoGenAgent', session(), {
		node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	});
	expect(error?.message).toContain('broke before a response came');
	expect(error?.description).toContain('session may have been created');
	expect(connections).toBe(1);
});

test('Retry On Fail makes no second session: of neither the lost answer nor the item that went well', async () => {
	service.control.fail({ method: 'POST', path: '/v3/video-agents', cut: 'after', times: 1 });
	const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	const lost = await runNode(service, 'VideoGenAgent', session(), { node: retried });
	expect(lost.error?.description).toContain('session may have been created');
	expect(service.control.jobs('session')).toHaveLength(1);
	expect(received('POST', '/v3/video-agents')).toHaveLength(1);

	// An item that went well before is named in the end, once, however often n8n has tried.
	service.control.reset();
	service.control.fail({ method: 'POST', path: '/v3/video-agents', times: 1, delayMs: 1 });
	service.control.fail({ method: 'POST', path: '/v3/video-agents', cut: 'after', times: 1 });
	const two = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: '=Welcome {{ $json.i }}', options: { requestsAtOnce: 1 } }),
		{ items: items(2), node: retried },
	);
	expect(service.control.jobs('session')).toHaveLength(2);
	expect(received('POST', '/v3/video-agents')).toHaveLength(2);
	expect(two.error?.description?.split('Started for other items')).toHaveLength(2);

	service.control.reset();
	service.control.fail({
		method: 'POST',
		path: '/v3/video-agents',
		status: 400,
		code: 'voice_unavailable',
		times: 1,
	});
	const { items: out, error } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: '=Welcome {{ $json.i }}' }),
		{ items: items(4), node: retried },
	);
	expect(error).toBeUndefined();
	expect(service.control.jobs('session')).toHaveLength(4);
	expect(new Set(out.map(({ json }) => json.session_id)).size).toBe(4);
});

test('a session is repeated where the service has certainly not taken it', async () => {
	service.control.fail({
		method: 'POST',
		path: '/v3/video-agents',
		status: 429,
		code: 'rate_limit_exceeded',
		retryAfter: 0,
		times: 2,
	});
	const { error } = await runNode(service, 'VideoGenAgent', session());
	expect(error).toBeUndefined();
	expect(service.control.jobs('session')).toHaveLength(1);
});

test('what the service itself refuses for now is asked for again, until it gives up', async () => {
	const path = '/v3/video-agents';
	service.control.fail({
		method: 'POST',
		path,
		status: 503,
		code: 'service_unavailable',
		times: 2,
	});
	const passing = await runNode(service, 'VideoGenAgent', session());
	expect(passing.error).toBeUndefined();
	expect(received('POST', path)).toHaveLength(3);
	expect(service.control.jobs('session')).toHaveLength(1);

	service.control.reset();
	service.control.fail({ method: 'POST', path, status: 503, code: 'service_unavailable' });
	const { error } = await runNode(service, 'VideoGenAgent', session());
	expect(received('POST', path)).toHaveLength(10);
	expect(error?.description).not.toContain('may have been created');
});

test('500 for a session is not repeated, and leaves a doubt', async () => {
	const path = '/v3/video-agents';
	service.control.fail({ method: 'POST', path, status: 500, code: 'internal_error' });
	const { error } = await runNode(service, 'VideoGenAgent', session());
	expect(received('POST', path)).toHaveLength(1);
	expect(error?.description).toContain('may have been created');
});

test('when one fails, what another may have made is told too', async () => {
	const path = '/v3/video-agents';
	// The first goes alone, and well.
	service.control.fail({ method: 'POST', path, delayMs: 1, times: 1 });
	service.control.fail({ method: 'POST', path, cut: 'after', delayMs: 600, times: 1 });
	service.control.fail({ method: 'POST', path, status: 402, code: 'insufficient_credit' });
	const { error } = await runNode(
		service,
		'VideoGenAgent',
		session({ prompt: '=Welcome {{ $json.i }}' }),
		{ items: items(3) },
	);
	expect(error?.message).toContain('not enough credit');
	expect(error?.description).toMatch(
		/\nItem \d: The connection to the service broke before a response came\. The session may have been created/,
	);
});

test('the first create goes alone: when the account is refused, nothing else is sent', async () => {
	const path = '/v3/video-agents';
	service.control.fail({ method: 'POST', path, status: 402, code: 'insufficient_credit' });
	const stopped = await runNode(service, 'VideoGenAgent', session(), { items: items(20) });
	expect(stopped.error?.message).toContain('not enough credit');
	expect(received('POST', path)).toHaveLength(1);
	const goesOn = await runNode(service, 'VideoGenAgent', session(), {
		items: items(20),
		node: { onError: 'continueRegularOutput' },
	});
	expect(goesOn.items).toHaveLength(20);
	for (const { json } of goesOn.items) expect(json.error).toContain('not enough credit');
	expect(received('POST', path)).toHaveLength(2);
});
