import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenRealtimeAvatar/operations';
import type { Simulator } from '../../../simulator';
import {
	describeOperations,
	first,
	isRunning,
	runForJson,
	url,
	type Cases,
} from '../support/cases';
import { byId, runNode, type RunOptions } from '../support/engine';
import { useService } from '../support/service';
import { runAfter, waitFor } from '../support/time';

const node = 'VideoGenRealtimeAvatar';

const stream = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	avatar_id: byId('look_001_1'),
	type: 'text_stream',
	text: 'Hello there',
	voice_id: byId('voice_001'),
	waitUntil: 'accepted',
	...more,
});

const aStream = async (service: Simulator, more: INodeParameters = {}) =>
	await runForJson(service, node, stream(more));

/** A stream that runs until the simulator releases its jobs. */
const aRunningStream = async (service: Simulator) => {
	service.control.holdJobs(true);
	return await aStream(service);
};

const cases: Cases = {
	create: {
		line: 'POST /v3/avatar-realtime',
		parameters: {
			avatar_id: byId('look_001_1'),
			type: 'tts',
			text: 'Hello there',
			voice_id: byId('voice_001'),
			waitUntil: 'accepted',
		},
		returns: (items) => {
			const { stream_id: id } = first(items);
			expect(id).toEqual(expect.any(String));
			expect(first(items)).toEqual({
				...{ stream_id: id, job: { kind: 'realtime_stream', id } },
				...isRunning,
			});
		},
	},
	get: { line: 'GET /v3/avatar-realtime/{stream_id}', before: aStream },
	getWords: {
		line: 'GET /v3/avatar-realtime/{stream_id}/words',
		before: async (service) => await aStream(service, { text: 'Hello there, how are you?' }),
		parameters: { splitIntoWords: false },
		returns: (items, ids) => {
			expect(items).toHaveLength(1);
			expect(first(items)).toMatchObject({
				stream_id: ids.stream_id,
				reason: 'idle_timeout',
				text: 'Hello there, how are you?',
			});
			const words = first(items).words as IDataObject[];
			expect(words).toHaveLength(5);
			expect(words[1]).toEqual({ word: 'there,', start: 0.4, end: 0.75 });
		},
	},
	sendText: {
		line: 'POST /v3/avatar-realtime/{stream_id}/text',
		before: aRunningStream,
		parameters: { delta: ' and more', final: true },
	},
	cancel: { line: 'POST /v3/avatar-realtime/{stream_id}/cancel', before: aRunningStream },
};

describeOperations(node, resources, cases);

describe(`${node}, specific behavior`, () => {
	const service = useService();

	const sent = (path: string | RegExp) => service.control.requests({ method: 'POST', path });

	describe('create', () => {
		test('sends a recording without text and voice', async () => {
			await aStream(service, { type: 'audio', audio: url('https://files.example/a.wav') });
			expect(sent('/v3/avatar-realtime')[0]?.body).toEqual({
				avatar_id: 'look_001_1',
				type: 'audio',
				audio: { type: 'url', url: 'https://files.example/a.wav' },
			});
		});

		test('a response without an ID is an error, not an item', async () => {
			service.control.fail({ method: 'POST', status: 200, body: { data: {} } });
			const { error, items } = await runNode(service, node, stream());
			expect(items).toHaveLength(0);
			expect(error?.message).toContain('returned no stream_id');
		});
	});

	describe('waiting', () => {
		const slow = useService({ jobSeconds: 100 });

		/** Runs a create and advances the clock once the stream exists. */
		const runAndPush = async (parameters: INodeParameters, seconds: number) => {
			const running = runNode(slow, node, parameters);
			await waitFor(() => slow.control.jobs('stream').length > 0);
			slow.control.clock.advance(seconds);
			return await running;
		};

		test.each([
			['can be watched, by default', undefined, 20, { status: 'streaming' }],
			['has ended', 'ended', 200, { status: 'completed', hls_url: null }],
		])('waits until the stream %s', async (_, waitUntil, seconds, end) => {
			const { waitUntil: accepted, ...parameters } = stream();
			const chosen = waitUntil === undefined ? {} : { waitUntil };
			const { items } = await runAndPush({ ...parameters, ...chosen }, seconds);
			const job = { kind: 'realtime_stream', id: first(items).stream_id };
			expect(first(items)).toMatchObject({ ...end, job });
		});

		test('waits for the URL of a stream that is streaming already', async () => {
			slow.control.fail({
				...{ method: 'GET', path: /^\/v3\/avatar-realtime\//, times: 2 },
				data: { status: 'streaming', hls_url: null },
			});
			const { items } = await runAndPush(stream({ waitUntil: 'streaming' }), 20);
			expect(first(items)).toMatchObject({ status: 'streaming', hls_url: expect.any(String) });
		});

		test('reports a stream that ended before it could be watched', async () => {
			const { error } = await runAndPush(stream({ waitUntil: 'streaming' }), 200);
			const [job] = slow.control.jobs('stream') as IDataObject[];
			expect(error?.message).toBe('The stream ended before it could be watched');
			expect(error?.description).toContain(String(job?.id));
			expect(error?.context?.details).toMatchObject({
				...{ code: 'stream_over', status: 'completed' },
				job: { kind: 'realtime_stream', id: job?.id },
			});
		});

		test('polls more often until the stream can be watched than until it has ended', async () => {
			const readLongestPause = async (waitUntil: string) => {
				slow.control.reset();
				await runNode(slow, node, stream({ waitUntil, options: { waitTimeout: 0.3 } }));
				const polls = slow.control.requests({ method: 'GET', path: /^\/v3\/avatar-realtime\// });
				return Math.max(...polls.slice(1).map(({ at }, i) => Math.round(at - (polls[i]?.at ?? 0))));
			};
			expect(await readLongestPause('streaming')).toBe(2);
			expect(await readLongestPause('ended')).toBeGreaterThan(2);
		});

		test.each(['streaming', 'ended'])('a failed stream is an error (%s)', async (waitUntil) => {
			slow.control.failNext('stream', { code: 'avatar_lost', message: 'The avatar was lost' });
			const { error } = await runAndPush(stream({ waitUntil }), 200);
			const [job] = slow.control.jobs('stream') as IDataObject[];
			expect(error?.message).toBe('The realtime stream failed: The avatar was lost');
			expect(error?.description).toContain(String(job?.id));
			expect(error?.context?.details).toMatchObject({
				status: 'error',
				job: { kind: 'realtime_stream', id: job?.id },
			});
		});

		test.each([
			['streaming', 'could not be watched', 'pending'],
			['ended', 'had not ended', 'streaming'],
		])(
			'when the time is over, the error names the stream (%s)',
			async (waitUntil, said, status) => {
				const { error } = await runAndPush(
					stream({ waitUntil, options: { waitTimeout: 0.03 } }),
					status === 'pending' ? 0 : 20,
				);
				const [job] = slow.control.jobs('stream') as IDataObject[];
				expect(error?.message).toContain(
					`The realtime stream ${job?.id} ${said} after 0.03 minutes`,
				);
				expect(error?.description).toContain(
					`realtime stream ${job?.id} has the status "${status}" and keeps running`,
				);
			},
		);

		test('a timeout says so if the stream has no status', async () => {
			slow.control.fail({ method: 'GET', path: /^\/v3\/avatar-realtime\//, without: ['status'] });
			const options = { waitTimeout: 0.03 };
			const { error } = await runAndPush(stream({ waitUntil: 'streaming', options }), 0);
			expect(error?.description).toMatch(/realtime stream \w+ has no status and keeps running/);
			expect(error?.context?.details).toMatchObject({ code: 'wait_timeout', status: 'unknown' });
		});
	});

	describe('text', () => {
		const sendText = async (id: unknown, more: INodeParameters, options: RunOptions = {}) =>
			await runNode(
				service,
				node,
				{ operation: 'sendText', stream_id: String(id), ...more },
				options,
			);

		test('sends the texts of several items in item order', async () => {
			const { stream_id } = await aRunningStream(service);
			// Without a queue, the others would overtake the first one.
			service.control.fail({ method: 'POST', path: /text$/, delayMs: 300, times: 1 });
			const said = Array.from({ length: 8 }, (_, i) => `word${i}`);
			const last = '={{ $itemIndex === $input.all().length - 1 }}' as unknown as boolean;
			const { items } = await sendText(
				stream_id,
				{ delta: '={{ $json.word }}', final: last },
				{ items: said.map((word) => ({ json: { word } })) },
			);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(said.map((_, item) => ({ item })));
			service.control.holdJobs(false);
			const heard = { operation: 'getWords', stream_id: String(stream_id) };
			expect(await runForJson(service, node, heard)).toMatchObject({
				text: `Hello there ${said.join(' ')}`,
				reason: 'final_marker',
			});
		});

		test('texts for different streams do not wait for one another', async () => {
			const one = await aRunningStream(service);
			const two = await aStream(service);
			const path = (id: unknown) => `/v3/avatar-realtime/${id}/text`;
			service.control.fail({ path: path(one.stream_id), delayMs: 500 });
			await sendText(
				'={{ $json.id }}',
				{ delta: 'more' },
				{ items: [one, one, two].map(({ stream_id: id }) => ({ json: { id } })) },
			);
			expect(sent(/text$/).map((request) => request.path)).toEqual([
				path(one.stream_id),
				path(two.stream_id),
				path(one.stream_id),
			]);
		});

		test('can end a stream without more text', async () => {
			const { stream_id } = await aRunningStream(service);
			await sendText(stream_id, { delta: '', final: true });
			expect(sent(/text$/)[0]?.body).toEqual({ delta: '', final: true });
		});

		test('rejects neither text nor end before any request', async () => {
			const { error } = await sendText('stream_1', { delta: '' });
			expect(error?.message).toBe('"Text" is required unless "End Stream After Text" is on');
			expect(service.control.requests()).toHaveLength(0);
		});

		test('a closed stream is an error with advice', async () => {
			const { stream_id } = await aStream(service);
			const { error } = await sendText(stream_id, { delta: 'more' });
			expect(error?.message).toBe(
				'The stream is closed and no longer accepts text: The stream is closed',
			);
			expect(error?.description).toContain(`Stream ${stream_id}`);
			expect(error?.description).toContain('Create a new stream');
			expect(error?.context?.details).toMatchObject({ status: 410 });
		});
	});

	test('canceling an ended stream returns cancelled: false', async () => {
		const { stream_id } = await aStream(service);
		const cancel = { operation: 'cancel', stream_id: String(stream_id) };
		expect(await runForJson(service, node, cancel)).toEqual({ stream_id, cancelled: false });
	});
});

describe(`${node}, words`, () => {
	const service = useService();

	const words = (id: unknown, more: INodeParameters = {}): INodeParameters => ({
		operation: 'getWords',
		stream_id: String(id),
		...more,
	});
	const many = Array.from({ length: 60 }, (_, i) => `word${i}`);
	const path = /words$/;
	/** Requests that listen to words. */
	const listeners = () => service.control.requests({ path });
	const detailsOf = (error?: { context?: IDataObject }) =>
		(error?.context?.details ?? {}) as IDataObject;

	test('outputs one item per word with its times', async () => {
		const { stream_id } = await aStream(service, { text: 'One two three' });
		const { items } = await runNode(service, node, words(stream_id, { splitIntoWords: true }));
		expect(items.map(({ json }) => json)).toEqual(
			['One', 'two', 'three'].map((word, i) => ({
				word,
				start: i * 0.4,
				end: i * 0.4 + 0.35,
				stream_id,
				reason: 'idle_timeout',
			})),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
	});

	test('collects words that are spoken while it listens', async () => {
		const { stream_id } = await aRunningStream(service);
		const listening = runNode(service, node, words(stream_id));
		await waitFor(() => listeners().length > 0);
		await runForJson(service, node, {
			operation: 'sendText',
			stream_id: String(stream_id),
			delta: many.join(' '),
			final: true,
		});
		await waitFor(() => service.control.requests({ method: 'POST', path: /text$/ }).length > 0);
		service.control.holdJobs(false);
		const { items } = await listening;
		expect(first(items)).toMatchObject({
			text: ['Hello there', ...many].join(' '),
			reason: 'final_marker',
		});
		expect(first(items).words).toHaveLength(62);
	});

	test('a broken connection is an error with the words so far', async () => {
		const { stream_id } = await aStream(service, { text: many.join(' ') });
		service.control.fail({ path, cut: 'midway' });
		const { error } = await runNode(service, node, words(stream_id));
		expect(error?.message).toBe('The spoken words stopped arriving before the stream ended');
		expect(error?.description).toContain(String(stream_id));
		const { words: kept, text, code } = detailsOf(error);
		expect(code).toBe('stream_cut');
		const count = (kept as IDataObject[]).length;
		expect(count).toBeGreaterThan(9);
		expect(count).toBeLessThan(60);
		expect(text).toBe(many.slice(0, count).join(' '));

		const { items } = await runNode(service, node, words(stream_id), {
			node: { onError: 'continueRegularOutput' },
		});
		expect(items).toHaveLength(1);
		expect((items[0]?.json.details as IDataObject).words).toHaveLength(count);
	});

	const respond = (body: string) =>
		service.control.fail({
			path,
			status: 200,
			body,
			headers: { 'content-type': 'text/event-stream' },
		});
	const frame = 'data: {"words": [{"word": "Hello", "start": 0, "end": 0.4}]}\n\n';

	test.each([
		['without an end', frame],
		['in the middle of its end', `${frame}event: end\ndata: {"reason": "compl`],
	])('a stream that stops %s is an error with the words so far', async (_, body) => {
		respond(body);
		const { error } = await runNode(service, node, words('stream_1'));
		expect(error?.message).toContain('stopped arriving before the stream ended');
		expect(detailsOf(error)).toMatchObject({
			words: [{ word: 'Hello', start: 0, end: 0.4 }],
			text: 'Hello',
		});
	});

	test('ignores other events', async () => {
		respond(
			`: hello\n\nevent: ping\ndata: now\n\ndata: null\n\n${frame}event: end\ndata: {"reason": "completed"}\n\n`,
		);
		const json = await runForJson(service, node, words('stream_1'));
		expect(json).toEqual({
			stream_id: 'stream_1',
			reason: 'completed',
			text: 'Hello',
			words: [{ word: 'Hello', start: 0, end: 0.4 }],
		});
	});

	test('a failed stream is an error with the words so far', async () => {
		service.control.failNext('stream', { code: 'avatar_lost', message: 'Lost' });
		const { stream_id } = await aStream(service);
		const { error } = await runNode(service, node, words(stream_id));
		expect(error?.message).toBe('The stream ended with an error');
		expect(detailsOf(error)).toMatchObject({ code: 'stream_error', text: 'Hello there' });
	});

	test('a timeout is an error with the words so far', async () => {
		const { stream_id } = await aRunningStream(service);
		const { error } = await runNode(
			service,
			node,
			words(stream_id, { options: { listenMinutes: 0.01 } }),
		);
		expect(error?.message).toContain('The stream had not ended after 0.01 minutes');
		expect(error?.description).toContain('Listen Timeout');
		expect(detailsOf(error)).toMatchObject({ code: 'wait_timeout', text: 'Hello there' });
	});

	test('stopping the execution ends the listening', async () => {
		const { stream_id } = await aRunningStream(service);
		const endOfStream = jest.fn(() => service.control.holdJobs(false));
		await runNode(service, node, words(stream_id), {
			onStart: (stop) => {
				runAfter(0.3, stop);
				runAfter(60, endOfStream);
			},
		}).catch(() => undefined);
		expect(listeners()).toHaveLength(1);
		expect(endOfStream).not.toHaveBeenCalled();
	});
});
