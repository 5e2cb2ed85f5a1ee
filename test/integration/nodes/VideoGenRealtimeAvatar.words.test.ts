import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Simulator } from '../../../simulator';
import { first, runForJson } from '../support/cases';
import { byId, runNode } from '../support/engine';
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
	expect(error?.message).toBe('The words stopped before the stream ended');
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
	expect(error?.message).toContain('stopped before the stream ended');
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
	expect(error?.description).toContain('Listen at Most');
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

test('an unknown stream is an error of the service', async () => {
	const { error } = await runNode(service, node, words('stream_none'));
	expect(error?.httpCode).toBe('404');
});
