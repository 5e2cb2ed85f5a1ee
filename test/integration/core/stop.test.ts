/** The stop button ends all waits, and the log shows the jobs that continue in the service. */
import {
	avatar,
	continueOnFail,
	createCalls,
	items,
	readLog,
	session,
	speech,
	stream,
	waiting,
} from '../support/calls';
import { runForJson } from '../support/cases';
import { clock } from '../support/core';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';
import { runAfter, withVirtualTime, waitFor } from '../support/time';

const service = useService();
const { createVideos, jobs, failPosts } = createCalls(service);

afterEach(() => jest.restoreAllMocks());

const readWarnings = () => {
	const lines = readLog();
	return () => lines.filter((line) => line.startsWith('warn '));
};
const stillRunning = 'warn Stopped. These jobs exist and continue to run in the service: ';

test('the stop button ends all waits, logs their jobs, and no further request is sent', async () => {
	service.control.holdJobs(true);
	const warnings = readWarnings();
	await withVirtualTime(service, async () => {
		const form = { waitForCompletion: true, options: { pollInterval: 30 } };
		const begun = clock.now();
		await createVideos(3, form, { onStart: (stop) => runAfter(50, stop) });
		expect(Math.round((clock.now() - begun) / 10_000)).toBe(5);
		const count = service.control.requests().length;
		expect(count).toBeGreaterThan(3);
		await clock.sleep(600_000);
		expect(service.control.requests()).toHaveLength(count);
	});
	expect(jobs('video')).toHaveLength(3);
	// n8n discards the items.
	expect(warnings()).toEqual([expect.stringContaining(stillRunning)]);
	for (const { id } of jobs('video')) expect(warnings()[0]).toContain(`video ${id}`);
});

// No list shows a stream.
test.each([
	['VideoGenVideo', avatar({ waitForCompletion: true }), '/v3/videos', 'video', 'video', ''],
	[
		'VideoGenRealtimeAvatar',
		stream(),
		'/v3/avatar-realtime',
		'stream',
		'realtime_stream',
		'. To end them, use VideoGen Realtime Avatar: Cancel',
	],
])('%s logs a job whose response arrives after the stop', async (...row) => {
	const [type, form, path, kind, name, advice] = row;
	const warnings = readWarnings();
	failPosts(path, { delayMs: 600, times: 1 });
	await runNode(service, type, form, { onStart: (stop) => runAfter(0.2, stop) });
	await waitFor(() => warnings().length > 0);
	expect(warnings()).toEqual([`${stillRunning}${name} ${jobs(kind)[0]?.id}${advice}`]);
});

test('a request that the stop button interrupts is logged with its possible result', async () => {
	const warnings = readWarnings();
	failPosts(/speech$/, { delayMs: 1000, times: 1 });
	await runNode(service, 'VideoGenSpeech', speech(), { onStart: (stop) => runAfter(0.2, stop) });
	expect(warnings()).toEqual([
		expect.stringMatching(/^warn Stopped while POST \/v3\/voices\/speech was in flight\. .*may/),
	]);
});

describe('Stop Jobs When Execution Stops', () => {
	const stopJob = { waitForCompletion: true, options: { stopJob: true, pollInterval: 1 } };
	const graph = {
		schema_version: '1.0.0',
		inputs: { script: { type: 'text' } },
		nodes: [
			{
				id: 'write',
				type: 'text',
				config: {},
				bindings: { input: { kind: 'run_input', name: 'script' } },
			},
		],
		outputs: { result: { node_id: 'write', port: 'output' } },
	};
	const run = {
		resource: 'run',
		operation: 'start',
		workflow_id: byId('={{ $json.id }}'),
		inputsFrom: 'json',
		inputs_json: '{"script":"Hello"}',
	};
	const stopRequests = () =>
		service.control.requests({ method: 'POST', path: /\/(stop|cancel)$/ }).map(({ path }) => path);

	test.each([
		['a session', 'VideoGenAgent', session(stopJob), 'session', /video-agents\/(.*)\/stop$/],
		['a run', 'VideoGenWorkflow', { ...run, ...stopJob }, 'workflow_run', /runs\/(.*)\/cancel$/],
		[
			'a stream',
			'VideoGenRealtimeAvatar',
			stream({ waitUntil: 'ended', options: { stopJob: true } }),
			'stream',
			/realtime\/(.*)\/cancel$/,
		],
	])('stops %s, once', async (_, type, form, kind, path) => {
		const { workflow_id: id } = await runForJson(service, 'VideoGenWorkflow', {
			resource: 'workflow',
			operation: 'create',
			name: 'Welcome',
			product_graph: JSON.stringify(graph),
		});
		service.control.holdJobs(true);
		const lines = readLog();
		await withVirtualTime(service, async () => {
			await runNode(service, type, form, {
				items: [{ json: { id } }],
				onStart: (stop) => runAfter(10, stop),
			});
			await waitFor(() => lines.some((line) => line.includes('has also stopped')));
			await clock.sleep(60_000);
		});
		const [job] = jobs(kind);
		expect(stopRequests().map((one) => path.exec(one)?.[1])).toEqual([job?.id]);
		expect(lines.filter((line) => line.includes('continue to run'))).toEqual([]);
	});

	test('of a message stops the session, once', async () => {
		const { session_id: id } = await runForJson(service, 'VideoGenAgent', session());
		service.control.holdJobs(true);
		const lines = readLog();
		const message = { resource: 'session', operation: 'continue', message: 'Make it shorter' };
		await runNode(
			service,
			'VideoGenAgent',
			{ ...message, session_id: byId(String(id)), ...stopJob },
			{ onStart: (stop) => runAfter(10, stop) },
		);
		await waitFor(() => lines.some((line) => line.includes('has also stopped')));
		expect(stopRequests()).toEqual([`/v3/video-agents/${String(id)}/stop`]);
	});

	test('stops a job whose response arrives after the stop', async () => {
		service.control.holdJobs(true);
		const lines = readLog();
		failPosts('/v3/video-agents', { delayMs: 600, times: 1 });
		await runNode(service, 'VideoGenAgent', session(stopJob), {
			onStart: (stop) => runAfter(0.2, stop),
		});
		await waitFor(() => lines.some((line) => line.includes('has also stopped')));
		expect(stopRequests()).toHaveLength(1);
	});

	test('stops the jobs of the last attempt if n8n is about to retry the node', async () => {
		service.control.holdJobs(true);
		const lines = readLog();
		service.control.fail({ method: 'POST', path: '/v3/video-agents', delayMs: 1, times: 1 });
		failPosts('/v3/video-agents', { status: 402, code: 'insufficient_credit' });
		const stopBetweenAttempts = async (stop: () => void) => {
			await waitFor(() => service.control.requests({ method: 'POST' }).length === 2);
			setTimeout(stop, 300);
		};
		await runNode(service, 'VideoGenAgent', session(stopJob), {
			items: items(2),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1000 },
			onStart: (stop) => void stopBetweenAttempts(stop),
		});
		await waitFor(() => lines.some((line) => line.includes('has also stopped')));
		expect(stopRequests()).toEqual([`/v3/video-agents/${jobs('session')[0]?.id}/stop`]);
		expect(service.control.requests({ method: 'POST', path: '/v3/video-agents' })).toHaveLength(2);
	});

	test('stops only the jobs of the items for which it is on', async () => {
		service.control.holdJobs(true);
		const lines = readLog();
		const form = session({
			waitForCompletion: true,
			options: { pollInterval: 1, stopJob: '={{ $json.i === 1 }}' },
		});
		await withVirtualTime(service, async () => {
			await runNode(service, 'VideoGenAgent', form, {
				items: items(2),
				onStart: (stop) => runAfter(10, stop),
			});
			await waitFor(() => lines.some((line) => line.includes('has also stopped')));
		});
		expect(stopRequests()).toHaveLength(1);
		const continues = lines.find((line) => line.startsWith(stillRunning));
		expect(continues).toMatch(/ session \S+\. To end them, use VideoGen Agent: Stop$/);
	});

	test('does not stop a job that has ended', async () => {
		service.control.holdJobs(true);
		const lines = readLog();
		const endFirst = async (stop: () => void) => {
			await waitFor(() => jobs('session').length === 2);
			service.control.change('sessions', String(jobs('session')[0]?.id), { status: 'failed' });
			runAfter(10, stop);
		};
		await withVirtualTime(service, async () => {
			await runNode(service, 'VideoGenAgent', session(stopJob), {
				items: items(2),
				node: continueOnFail,
				onStart: (stop) => void endFirst(stop),
			});
			await waitFor(() => lines.some((line) => line.includes('has also stopped')));
		});
		expect(stopRequests()).toEqual([`/v3/video-agents/${jobs('session')[1]?.id}/stop`]);
	});

	test('a job that could not be stopped is logged, and the request is not repeated', async () => {
		service.control.holdJobs(true);
		const warnings = readWarnings();
		failPosts(/\/stop$/, { status: 500 });
		await withVirtualTime(service, async () => {
			await runNode(service, 'VideoGenAgent', session(stopJob), {
				onStart: (stop) => runAfter(10, stop),
			});
			await waitFor(() => warnings().length > 0);
			await clock.sleep(60_000);
		});
		expect(stopRequests()).toHaveLength(1);
		expect(warnings()).toEqual([
			expect.stringMatching(
				/^warn Stopped, but these jobs continue to run in the service: session .* could not be stopped: .*VideoGen Agent: Stop$/,
			),
		]);
	});

	test('a service that does not reply ends nothing late', async () => {
		service.control.holdJobs(true);
		const warnings = readWarnings();
		failPosts(/\/stop$/, { status: 429, retryAfter: 200 });
		await withVirtualTime(service, async () => {
			await runNode(service, 'VideoGenAgent', session(stopJob), {
				onStart: (stop) => runAfter(10, stop),
			});
			await waitFor(() => warnings().length > 0);
		});
		expect(warnings()).toEqual([expect.stringContaining('no reply within 15 seconds')]);
	});

	test('without a stop, nothing is stopped', async () => {
		await withVirtualTime(service, async () => {
			await runNode(service, 'VideoGenAgent', session({ ...waiting({ stopJob: true }) }));
		});
		expect(jobs('session')).toHaveLength(1);
		expect(stopRequests()).toEqual([]);
	});
});
