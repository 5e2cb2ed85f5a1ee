import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../simulator/faults';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { errorOf, itemsOf } from '../n8n';
import { byId, chain, errorText, runDraft, start } from '../workflows';

const type = (node: string) => `${packageName}.videoGen${node}`;
const waiting = (more: IDataObject = {}): INodeParameters => ({
	waitForCompletion: true,
	options: { waitTimeout: 0.2, ...more },
	advanced: { pollInterval: 1 },
});
const session = { operation: 'create', prompt: 'A welcome', mode: 'generate' };
const stream: INodeParameters = {
	...{ operation: 'create', avatar_id: byId('look_001_1'), type: 'tts', text: 'Hello' },
	...{ voice_id: byId('voice_001'), waitUntil: 'streaming', options: { waitTimeout: 0.2 } },
};
const talk = { __rl: true, mode: 'url', value: 'https://files.example/talk.mp4' };
const clips = [1, 2, 3, 4, 5].map((i) => ({
	...{ id: `c${i}`, title: `Clip ${i}`, status: i < 4 ? 'completed' : 'failed' },
	...(i < 4 ? { video_url: `https://files.example/${i}` } : { failure_message: 'No face' }),
}));
const noReason = { failure_code: null, failure_message: null };
const says = { role: 'model', type: 'text', content: 'I found no such page' };

const paths = {
	clipping: /ai-clipping\/[^/]+$/,
	kit: /brand-kits\/[^/]+$/,
	legacy: /\/v1\/user\/me$/,
	session: /video-agents\/[^/]+$/,
	stream: /avatar-realtime\/[^/]+$/,
	video: /\/v3\/videos\/[^/]+$/,
	videos: /\/v3\/videos$/,
};

interface Case {
	what: string;
	node: string;
	parameters: INodeParameters;
	/** What the service returns instead, by path. */
	faults: Array<[RegExp, Fault]>;
	/** What the user must read, in the items, the hints, or the error. */
	reads: RegExp[];
}

const cases: Case[] = [
	{
		what: 'a kit whose import failed halfway',
		node: 'BrandKit',
		parameters: { operation: 'create', url: 'https://bakery.example/', ...waiting() },
		faults: [[paths.kit, { data: { status: 'error', colors: ['#204060'], logos: [], fonts: [] } }]],
		reads: [/"#204060"/, /can be used: it has colors and no fonts or logos/],
	},
	{
		what: 'a failed session whose video has the reason',
		node: 'Agent',
		parameters: { ...session, ...waiting() },
		faults: [
			[paths.session, { data: { status: 'failed' } }],
			[paths.video, { data: { status: 'failed', failure_message: 'No renderer' } }],
		],
		reads: [/The session failed: No renderer/],
	},
	{
		what: 'a failed session whose last message has the reason',
		node: 'Agent',
		parameters: { ...session, ...waiting() },
		faults: [
			[paths.session, { data: { status: 'failed', messages: [says] } }],
			[paths.video, { data: { status: 'failed', ...noReason } }],
		],
		reads: [/The last message is: "I found no such page"/],
	},
	{
		what: 'a finished video whose session still says generating',
		node: 'Agent',
		parameters: { ...session, ...waiting() },
		faults: [[paths.session, { data: { status: 'generating' } }]],
		reads: [/"status":"completed"/, /"video_url":"http/, /The video is ready/],
	},
	{
		what: 'a failed video whose session still says generating',
		node: 'Agent',
		parameters: { ...session, ...waiting() },
		faults: [
			[paths.session, { data: { status: 'generating' } }],
			[paths.video, { data: { status: 'failed', failure_message: 'No renderer' } }],
		],
		reads: [/The video failed: No renderer/],
	},
	{
		what: 'a stream that has a URL while it is pending',
		node: 'RealtimeAvatar',
		parameters: stream,
		faults: [[paths.stream, { data: { status: 'pending', hls_url: 'https://a.example/l' } }]],
		reads: [/"hls_url":"https:\/\/a\.example\/l"/],
	},
	{
		what: 'a stream that has a URL while it is ready',
		node: 'RealtimeAvatar',
		parameters: stream,
		faults: [[paths.stream, { data: { status: 'ready', hls_url: 'https://a.example/l' } }]],
		reads: [/"hls_url":"https:\/\/a\.example\/l"/],
	},
	{
		what: 'subtitles that arrive after the video',
		node: 'Agent',
		parameters: { ...session, ...waiting(), download: ['video', 'subtitle'] },
		faults: [[paths.video, { data: { subtitle_url: null }, times: 2 }]],
		reads: [/files: data, subtitle/],
	},
	{
		what: 'three of five clips',
		node: 'Clipping',
		parameters: { operation: 'create', video: talk, splitIntoClips: true, ...waiting() },
		faults: [[paths.clipping, { data: { status: 'failed', clips } }]],
		reads: [/"Clip 3"/, /"error":"The clip failed: No face"/],
	},
	{
		what: 'a legacy endpoint that the service has removed',
		node: 'Account',
		parameters: { operation: 'getLegacy' },
		faults: [[paths.legacy, { status: 410, code: 'endpoint_sunset', message: 'Gone' }]],
		reads: [/The service has removed this endpoint/, /Use the operation Get instead/],
	},
	{
		what: 'a code without an explanation',
		node: 'Agent',
		parameters: { ...session, waitForCompletion: false },
		faults: [
			[
				/video-agents$/,
				{
					...{ method: 'POST', status: 403, code: 'resource_limit_exceeded' },
					message: 'You can keep at most 20 sessions',
				},
			],
		],
		reads: [
			/^You can keep at most 20 sessions\nThe account is not allowed to perform this operation\./,
		],
	},
	{
		what: 'a value that the list lacks, from an expression',
		node: 'Video',
		parameters: {
			...{ operation: 'createAvatar', avatar_id: byId('look_001_1'), speechFrom: 'text' },
			...{ script: 'Hello, this is a long enough text.', voice_id: byId('voice_001') },
			...{ waitForCompletion: false, lookAndSound: { resolution: '={{ "8k" }}' } },
		},
		faults: [
			[
				paths.videos,
				{ method: 'POST', status: 200, body: { data: { video_id: 'v1', status: 'waiting' } } },
			],
		],
		reads: [/"video_id":"v1"/, /does not list: &#34;8k&#34;/],
	},
];

/** A continued session that keeps its state: the service has lost the message. */
async function runUnchanged(context: Parameters<Flow['run']>[0]): Promise<string> {
	const { control } = context.simulator;
	control.failNext('session', { code: 'x', message: 'Out of stock' });
	const draft = (parameters: INodeParameters) =>
		chain('Session', [start, { name: 'Act', type: 'agent', parameters }]);
	await runDraft(context, draft({ ...session, ...waiting() }));
	const { id } = control.jobs('session').at(-1) as { id: string };
	const read = await runDraft(context, draft({ operation: 'get', session_id: byId(id) }));
	const [{ json = {} } = {}] = itemsOf(read, 'Act');
	const { status, messages, video_id } = json;
	control.fail({ method: 'GET', path: paths.session, data: { status, messages, video_id } });
	control.fail({ method: 'POST', path: paths.session, data: { video_id: null } });
	const again = { operation: 'continue', session_id: byId(id), message: 'Try again' };
	const execution = await runDraft(context, draft({ ...again, ...waiting() }));
	control.clearFaults();
	return errorText(execution);
}

export const flow: Flow = {
	name: 'outcomes: what a user reads if the status of a job does not tell everything',
	run: async (context) => {
		const stage = await context.startOwn({ simulator: { jobSeconds: 0 } });
		const { control } = stage.simulator;
		const wrong: string[] = [];
		for (const { what, node, parameters, faults, reads } of cases) {
			for (const [path, fault] of faults) control.fail({ method: 'GET', path, ...fault });
			const link = { name: 'Act', type: type(node), parameters };
			const execution = await runDraft(stage, chain(what, [start, link]));
			control.clearFaults();
			const items = errorOf(execution) ? [] : itemsOf(execution, 'Act');
			const [task] = execution.data.resultData.runData.Act ?? [];
			const text = [
				errorText(execution),
				...items.map(({ json }) => JSON.stringify(json)),
				...(task?.hints ?? []).map(({ message }) => message),
				...items.flatMap(({ binary }) =>
					binary ? [`files: ${Object.keys(binary).join(', ')}`] : [],
				),
			]
				.filter(Boolean)
				.join('\n');
			context.log(`${what}: ${text.slice(0, 600).replaceAll('\n', ' | ')}`);
			wrong.push(...reads.filter((one) => !one.test(text)).map((one) => `${what}: no ${one}`));
		}
		const unchanged = await runUnchanged({ ...context, ...stage });
		context.log(`a message without a reaction: ${unchanged.replaceAll('\n', ' | ')}`);
		if (!/still has the status "failed"/.test(unchanged)) wrong.push(unchanged);
		assert.deepEqual(wrong, []);
	},
};
