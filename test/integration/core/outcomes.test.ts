/** What a user gets if the status word of a job does not tell the whole truth. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { continueOnFail, session, stream, waiting } from '../support/calls';
import { url } from '../support/cases';
import { byId, runNode } from '../support/engine';
import { createPollingTrigger, usePolling } from '../support/polling';

const { service } = usePolling({ jobSeconds: 0, pageSize: undefined });

/** Changes what the service returns about a resource. */
const change = (path: RegExp, data: IDataObject, times?: number) =>
	service.control.fail({ method: 'GET', path, data, times });

const paths = {
	clipping: /ai-clipping\/[^/]+$/,
	kit: /brand-kits\/[^/]+$/,
	session: /video-agents\/[^/]+$/,
	stream: /avatar-realtime\/[^/]+$/,
	video: /\/v3\/videos\/[^/]+$/,
};

describe('a brand kit whose import ends in an error', () => {
	const kit = { operation: 'create', url: 'https://bakery.example/', ...waiting() };
	const empty = { status: 'error', colors: [], logos: [], fonts: [] };

	test('is output with a warning if it can be used', async () => {
		change(paths.kit, { ...empty, colors: ['#204060'], fonts: [{ font_id: 'f' }] });
		const { items, run } = await runNode(service, 'VideoGenBrandKit', kit);
		const warning =
			'The brand kit ended with the status "error", but can be used: it has colors, fonts and no logos. Its roles cannot be set.';
		expect(items).toMatchObject([
			{ json: { status: 'error', colors: ['#204060'], warning, outcome: 'finished' } },
		]);
		expect(run.data.resultData.runData.Node?.[0]?.hints).toContainEqual(
			expect.objectContaining({ message: warning.replaceAll('"', '&#34;') }),
		);
	});

	test('has failed if it has nothing', async () => {
		change(paths.kit, empty);
		const { error } = await runNode(service, 'VideoGenBrandKit', kit);
		expect(error?.message).toBe('The brand kit failed: The service gave no reason');
	});
});

describe('a session', () => {
	const run = async (options: INodeParameters = { waitTimeout: 3 }) =>
		await runNode(service, 'VideoGenAgent', session(waiting(options)));
	const message = (role: string, content: string, type = 'text') => ({ role, type, content });
	const noReason = { failure_code: null, failure_message: null };
	const lost = { failure_code: 'render_failed', failure_message: 'No renderer' };
	const says = message('model', 'I found no such page');

	test.each<[string, string, IDataObject, IDataObject]>([
		['of its video', 'No renderer', { error: null }, lost],
		['of its error', 'Out of stock', { error: { message: 'Out of stock' } }, noReason],
		[
			...(['in its error message', 'No page'] as const),
			{ messages: [says, message('model', 'No page', 'error')] },
			noReason,
		],
		[
			...(['in its last message', 'The last message is: "I found no such page"'] as const),
			{ messages: [says, message('user', 'Make a video')] },
			noReason,
		],
		[
			...(['that nobody gives', 'The service gave no reason'] as const),
			{ messages: [message('user', 'Make a video'), says] },
			noReason,
		],
	])('that failed shows the reason %s', async (_, reason, data, video) => {
		change(paths.session, { status: 'failed', ...data });
		change(paths.video, { status: 'failed', video_url: null, ...video });
		const { error } = await run();
		expect(error?.message).toMatch(/^The session failed: /);
		expect(error?.message).toContain(reason);
	});

	test('whose status lags behind ends with its video', async () => {
		change(paths.session, { status: 'generating' });
		const { items } = await run();
		expect(items).toMatchObject([
			{ json: { status: 'completed', video_url: expect.any(String) as string, video: {} } },
		]);
		change(paths.video, { status: 'failed', ...lost });
		expect((await run()).error?.message).toBe('The video failed: No renderer');
	});

	test('that failed while its video runs is not created again', async () => {
		change(paths.session, { status: 'failed', error: { code: 'timeout', message: 'Too slow' } });
		change(paths.video, { status: 'processing', video_url: null });
		const { error } = await runNode(service, 'VideoGenAgent', session(waiting()), {
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(error?.description).toMatch(/Its video \w+ is still running: use Get to check that job/);
		expect(service.control.jobs('session')).toHaveLength(1);
	});

	test('waits for the service if its video cannot be read', async () => {
		change(paths.session, { status: 'failed' });
		service.control.fail({ method: 'GET', path: paths.video, status: 503, times: 3 });
		expect((await run()).items).toMatchObject([{ json: { status: 'completed' } }]);
	});

	test('that does not react to a message is said not to have reacted', async () => {
		service.control.failNext('session', { code: 'x', message: 'Out of stock' });
		const { error: made } = await run();
		const { id } = (made?.context?.details as IDataObject).job as IDataObject;
		const get = { operation: 'get', session_id: byId(id) };
		const [before] = (await runNode(service, 'VideoGenAgent', get)).items;
		expect(before?.json.failure_reason).toBe('Out of stock');
		const { status, messages, video_id } = before?.json ?? {};
		change(paths.session, { status, messages, video_id });
		service.control.fail({ method: 'POST', path: paths.session, data: { video_id: null } });
		const { error } = await runNode(service, 'VideoGenAgent', {
			...{ operation: 'continue', session_id: byId(id), message: 'Try again' },
			...waiting({ waitTimeout: 3 }),
		});
		expect(error?.description).toContain(
			'still has the status "failed", the same as before your request: the service has not acted on the request yet',
		);
		expect(error?.description).not.toContain('keeps running');
	});

	test('is an event of the polling trigger as soon as its video has ended', async () => {
		const trigger = await createPollingTrigger(service, { source: 'sessions', outcomes: [] });
		await trigger.poll();
		await runNode(service, 'VideoGenAgent', session());
		change(paths.session, { status: 'generating' });
		change(paths.video, { status: 'failed', ...lost });
		expect((await trigger.poll()).items).toMatchObject([
			{ json: { event_type: 'video_agent.fail', failure_reason: 'No renderer' } },
		]);
	});
});

test.each(['pending', 'ready'])(
	'a stream with a URL can be watched while it is %s',
	async (status) => {
		change(paths.stream, { status, hls_url: 'https://files.example/live.m3u8' });
		const form = stream({ waitUntil: 'streaming', options: { waitTimeout: 3 } });
		const { items } = await runNode(service, 'VideoGenRealtimeAvatar', form);
		expect(items).toMatchObject([{ json: { status, hls_url: 'https://files.example/live.m3u8' } }]);
	},
);

test('a stream that is ready without a URL is awaited', async () => {
	change(paths.stream, { status: 'ready', hls_url: null }, 2);
	const form = stream({ waitUntil: 'ended', options: { waitTimeout: 3 } });
	const { items } = await runNode(service, 'VideoGenRealtimeAvatar', form);
	expect(items).toMatchObject([{ json: { status: 'completed' } }]);
});

describe('subtitles', () => {
	const form = session({ ...waiting(), download: ['video', 'subtitle'] });

	test('that arrive after the video are read again', async () => {
		change(paths.video, { subtitle_url: null }, 3);
		const { items } = await runNode(service, 'VideoGenAgent', form);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(['data', 'subtitle']);
	});

	test('that do not arrive are missing', async () => {
		change(paths.video, { subtitle_url: null });
		const { error } = await runNode(service, 'VideoGenAgent', form);
		expect(error?.message).toContain('has no file "Subtitle (SRT)"');
	});

	test('of an old video are not awaited', async () => {
		change(paths.video, { subtitle_url: null, completed_at: 1_700_000_000 });
		await runNode(service, 'VideoGenAgent', form);
		const reads = service.control.requests({ method: 'GET', path: paths.video });
		expect(reads).toHaveLength(1);
	});
});

describe('a partial result', () => {
	const clips = [1, 2, 3, 4, 5].map((i) => ({
		...{ id: `c${i}`, title: `Clip ${i}`, status: i % 2 === 0 ? 'failed' : 'completed' },
		video_url: i % 2 === 0 ? null : `https://files.example/${i}`,
		failure_message: i % 2 === 0 ? 'No face' : null,
	}));
	const video = url('https://files.example/talk.mp4');

	test.each(['completed', 'failed'])('of clips is output if the job is %s', async (status) => {
		change(paths.clipping, { status, clips });
		const form = { operation: 'create', video, splitIntoClips: true, ...waiting() };
		const { items, error } = await runNode(service, 'VideoGenClipping', form);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.title ?? json.error)).toEqual([
			...['Clip 1', 'The clip failed: No face', 'Clip 3', 'The clip failed: No face', 'Clip 5'],
		]);
		expect(items[1]?.json.details).toMatchObject({ clip_id: 'c2', outcome: 'failed' });
		const whole = await runNode(service, 'VideoGenClipping', { ...form, splitIntoClips: false });
		expect(whole.items[0]?.json.warning).toBe(
			status === 'failed'
				? 'The clipping ended with the status "failed", but 3 of 5 clips are finished.'
				: undefined,
		);
	});

	test('of languages is output, with an error item for the others', async () => {
		service.control.failNext('translation', { code: 'x', message: 'No speech' });
		const form = {
			...{ operation: 'create', video, output_languages: ['German', 'French', 'Spanish'] },
			...{ mode: 'speed', ...waiting() },
		};
		const { items } = await runNode(service, 'VideoGenTranslation', form, { node: continueOnFail });
		expect(items.map(({ json }) => json.output_language ?? json.error)).toEqual([
			...['The translation failed: No speech', 'French', 'Spanish'],
		]);
	});
});
