/** Valid parameters, for tests that change one of them. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Simulator } from '../../../simulator';
import type { Fault } from '../../../simulator/faults';
import { byId, runNode, type RunOptions } from './engine';

/** N items with their index in `i`. */
export const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, i) => ({ json: { i } }));

/** VideoGen Video: a create with an idempotency key. */
export const avatar = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'createAvatar',
	avatar_id: byId('look_001_1'),
	speechFrom: 'text',
	script: '=Hello number {{ $json.i }}, this is a long enough text.',
	voice_id: byId('voice_001'),
	waitForCompletion: false,
	...more,
});

/** VideoGen Video: items that become a batch. */
export const batch = (more: INodeParameters = {}): INodeParameters => ({
	...avatar(more),
	operation: 'createBatch',
	itemIs: 'avatar',
});

/** VideoGen Agent: a create without an idempotency key, because the service accepts none. */
export const session = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	prompt: 'A welcome',
	mode: 'generate',
	waitForCompletion: false,
	...more,
});

/** VideoGen Video: a read of a video. */
export const getVideo = (id: string, more: INodeParameters = {}): INodeParameters => ({
	operation: 'get',
	video_id: byId(id),
	...more,
});

/** VideoGen Video: a create that needs the file in the field `data` of its item. */
export const speakingImage = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'createImage',
	image: { __rl: true, mode: 'binary', value: 'data' },
	speechFrom: 'text',
	script: 'Hello there, this is a long enough text.',
	voice_id: byId('voice_001'),
	waitForCompletion: false,
	...more,
});

/** VideoGen Speech: a request that is paid for, without a job. */
export const speech = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'speak',
	voice_id: byId('voice_001'),
	text: 'Hello there',
	...more,
});

/** VideoGen Realtime Avatar: a stream that the node does not wait for. */
export const stream = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	avatar_id: byId('look_001_1'),
	type: 'tts',
	text: 'Hello',
	voice_id: byId('voice_001'),
	waitUntil: 'accepted',
	...more,
});

/** A create that polls its job every second until it ends. */
export const waiting = (options: INodeParameters = {}) => ({
	waitForCompletion: true,
	options: { pollInterval: 1, ...options },
});

export const retryOnFail: Partial<INode> = {
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 1,
};
export const continueOnFail: Partial<INode> = { onError: 'continueRegularOutput' };

/** Runs these creates on N items, and reads what the service received and made. */
export function createCalls(service: Simulator) {
	const create =
		(type: string, parametersOf: (more: INodeParameters) => INodeParameters) =>
		async (count: number, more: INodeParameters = {}, options: RunOptions = {}) =>
			await runNode(service, type, parametersOf(more), { items: items(count), ...options });
	/** Runs VideoGen Job Status for these items. It waits for their jobs unless the parameters say otherwise. */
	const waitForJobs = async (
		input: INodeExecutionData[],
		parameters: INodeParameters = {},
		options: RunOptions = {},
	) =>
		await runNode(
			service,
			'VideoGenJob',
			{ operation: 'wait', ...parameters },
			{ items: input, ...options },
		);
	const posts = (path?: string | RegExp) =>
		service.control.requests({ method: 'POST', ...(path === undefined ? {} : { path }) });
	return {
		createVideos: create('VideoGenVideo', avatar),
		createBatch: create('VideoGenVideo', batch),
		createSessions: create('VideoGenAgent', session),
		waitForJobs,
		posts,
		bodies: (path: string | RegExp) => posts(path).map(({ body }) => body as IDataObject),
		keys: (path: string | RegExp) => posts(path).map(({ headers }) => headers['idempotency-key']),
		jobs: (kind: string) => service.control.jobs(kind) as Array<IDataObject & { id: string }>,
		/** Faults of one path occur in the order of these calls. */
		failPosts: (path: string | RegExp, fault: Fault) =>
			service.control.fail({ method: 'POST', path, ...fault }),
		/** The next N requests to a path succeed; the faults that follow are for later ones. */
		passPosts: (path: string, times: number) =>
			service.control.fail({ method: 'POST', path, delayMs: 1, times }),
		/** The next video renders that begin will fail. */
		failRenders(times = 1, code = 'render_failed', message = 'The face was lost') {
			for (let i = 0; i < times; i++) service.control.failNext('video', { code, message });
		},
	};
}

/** The values of one key of the items. */
export const getValues = (all: INodeExecutionData[], key: string) =>
	all.map(({ json }) => json[key]);

/** Expects one output item for each of N input items, in their order. */
export const expectOnePerItem = (all: INodeExecutionData[], count: number) =>
	expect(all.map(({ pairedItem }) => pairedItem)).toEqual(
		items(count).map((_, item) => ({ item })),
	);

/** The lines of n8n's log from now on, as they are written: the level, and the text. */
export function readLog(): string[] {
	const lines: string[] = [];
	for (const level of ['info', 'warn', 'error'] as const) {
		jest
			.spyOn(Container.get(Logger), level)
			.mockImplementation((...[text]: unknown[]) => void lines.push(`${level} ${String(text)}`));
	}
	return lines;
}
