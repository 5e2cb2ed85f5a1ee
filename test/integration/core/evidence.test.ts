/** Waits for jobs whose status is an unknown word, or missing: they end long before their timeout. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../simulator/faults';
import { avatar, batch, continueOnFail, items, session } from '../support/calls';
import { url } from '../support/cases';
import { clock, getErrorDetails } from '../support/core';
import { runNode, type Result, type RunOptions } from '../support/engine';
import { useService } from '../support/service';

const service = useService({ jobSeconds: 20 });

/** Seconds of the virtual clock after which a wait for a job of 20 seconds has ended. */
const most = 60;

const waiting = { waitForCompletion: true, options: { pollInterval: 1 } };
const film = url('https://files.example/talk.mp4');

interface Kind {
	node: string;
	parameters: INodeParameters;
	/** Where the job is read. */
	path: RegExp;
}

const kinds = {
	video: { node: 'VideoGenVideo', parameters: avatar(waiting), path: /^\/v3\/videos\/[^/]+$/ },
	session: {
		node: 'VideoGenAgent',
		parameters: session(waiting),
		path: /^\/v3\/video-agents\/./,
	},
	batch: {
		node: 'VideoGenVideo',
		parameters: batch(waiting),
		path: /^\/v3\/videos\/batches\/./,
	},
	clipping: {
		node: 'VideoGenClipping',
		parameters: { operation: 'create', video: film, ...waiting },
		path: /^\/v3\/ai-clipping\/./,
	},
	modelVideo: {
		node: 'VideoGenModelVideo',
		parameters: {
			operation: 'textToVideo',
			prompt: 'A boat',
			modelFrom: 'name',
			model: 'm',
			duration: 5,
			...waiting,
		},
		path: /^\/v3\/models\/videos\/./,
	},
	lipsync: {
		node: 'VideoGenLipsync',
		parameters: { operation: 'create', video: film, audio: film, mode: 'speed', ...waiting },
		path: /^\/v3\/lipsyncs\/./,
	},
	translation: {
		node: 'VideoGenTranslation',
		parameters: {
			operation: 'create',
			video: film,
			output_languages: ['German'],
			mode: 'speed',
			...waiting,
		},
		path: /^\/v3\/video-translations\/./,
	},
	render: {
		node: 'VideoGenComposition',
		parameters: { operation: 'create', projectFrom: 'file', project: film, ...waiting },
		path: /^\/v3\/hyperframes\/renders\/./,
	},
	brandKit: {
		node: 'VideoGenBrandKit',
		parameters: { operation: 'create', url: 'https://bakery.example', ...waiting },
		path: /^\/v3\/brand-kits\/./,
	},
	removal: {
		node: 'VideoGenBackgroundRemoval',
		parameters: { operation: 'create', video: film, ...waiting },
		path: /^\/v3\/background-removals\/./,
	},
} satisfies Record<string, Kind>;

const countPolls = ({ path }: Kind) => service.control.requests({ method: 'GET', path }).length;

/** Waits for a job whose status responses are changed like this, and checks that the wait is short. */
async function waitFor(kind: Kind, change: Fault, options: RunOptions = {}): Promise<Result> {
	service.control.fail({ method: 'GET', path: kind.path, ...change });
	const begun = clock.now();
	const result = await runNode(service, kind.node, kind.parameters, options);
	expect((clock.now() - begun) / 1000).toBeLessThan(most);
	return result;
}

const first = ({ items: [item] }: Result): IDataObject => item?.json ?? {};

describe('a clip job without a status', () => {
	test('ends with its clips when its progress is full, and not before', async () => {
		const result = await waitFor(kinds.clipping, { without: ['status'] });
		expect(result.error).toBeUndefined();
		expect(first(result)).toMatchObject({ progress: 100, clips: [{}, {}, {}] });
		expect(first(result)).not.toHaveProperty('status');
		// It was polled while it was running.
		expect(countPolls(kinds.clipping)).toBeGreaterThan(2);
	});
});

describe('a batch in a word of its own', () => {
	test('ends when its items have ended, each row with its outcome', async () => {
		service.control.failNext('video', { code: 'render_failed', message: 'No luck' });
		const result = await waitFor(
			kinds.batch,
			{ data: { status: 'completed_with_errors' } },
			{ node: continueOnFail, items: items(3) },
		);
		expect(result.items.map(({ json }) => json.status ?? json.error)).toEqual([
			'The video of this row failed: No luck [item 0]',
			'completed',
			'completed',
		]);
		// Not at the first poll, when the items were still running.
		expect(countPolls(kinds.batch)).toBeGreaterThan(2);
	});

	test.each(['CANCELLED', 'error', 'Failed'])('a row with "%s" has failed', async (status) => {
		const entries = [
			{ item_index: 0, status, video_id: 'video_001', error: { code: 'x', message: 'Gone' } },
			{ item_index: 1, status: 'completed', video_id: 'video_002', error: null },
		];
		const result = await waitFor(
			kinds.batch,
			{ data: { status: 'completed', items: entries } },
			{ node: continueOnFail, items: items(2) },
		);
		expect(result.items.map(({ json }) => json.error ?? json.video_id)).toEqual([
			'The video of this row failed: Gone [item 0]',
			'video_002',
		]);
	});
});

test('a session that is "thinking" and has an error has failed for it', async () => {
	const error = { code: 'free_tier_quota_exceeded', message: 'The month is used up' };
	const result = await waitFor(kinds.session, { data: { status: 'thinking', error } });
	expect(result.error?.message).toBe('The session failed: The month is used up');
	expect(getErrorDetails(result.error)).toMatchObject({ code: 'free_tier_quota_exceeded' });
	expect(result.error?.description).toContain('Wait until it renews');
});

test('a cancelled video with a code has not succeeded', async () => {
	const result = await waitFor(kinds.video, {
		data: {
			status: 'cancelled',
			failure_code: 'generation_cancelled',
			failure_message: 'Somebody stopped it',
			video_url: null,
		},
	});
	expect(result.error?.message).toBe('The video was cancelled: Somebody stopped it');
	expect(result.error?.description).toContain('(code: generation_cancelled)');
	expect(countPolls(kinds.video)).toBe(1);
});

describe.each(Object.entries(kinds))('%s', (_, kind) => {
	test('ends with "Succeeded"', async () => {
		const status = 'Succeeded';
		const entry = { item_index: 0, status: 'completed', video_id: 'video_001' };
		// A session would lead on to its video; a batch does to those of its rows.
		const data = { status, video_id: null, items: [entry] };
		const result = await waitFor(kind, { data });
		expect(result.error).toBeUndefined();
		expect(countPolls(kind)).toBe(1);
		const end = kind === kinds.batch ? { video_id: 'video_001' } : { status };
		expect(first(result)).toMatchObject(end);
	});

	test('times out with an unknown word, and reports it', async () => {
		service.control.fail({
			method: 'GET',
			path: kind.path,
			status: 200,
			body: { data: { status: 'polishing' } },
		});
		const options = { pollInterval: 1, waitTimeout: 2 };
		const result = await runNode(service, kind.node, { ...kind.parameters, options });
		expect(result.error?.message).toContain('was not finished after 2 minutes');
		expect(result.error?.description).toContain(
			'has the status "polishing", a word that this node does not know, and keeps running',
		);
		expect(getErrorDetails(result.error)).toMatchObject({
			code: 'wait_timeout',
			status: 'polishing',
		});
	});
});

test.each([
	['render', kinds.render],
	['translation', kinds.translation],
	['lipsync', kinds.lipsync],
	['video', kinds.video],
	['model video', kinds.modelVideo],
] as const)('a %s without a status ends when its file is there', async (_, kind) => {
	const result = await waitFor(kind, { without: ['status', 'progress'] });
	expect(result.error).toBeUndefined();
	expect(first(result)).toMatchObject({ video_url: expect.stringContaining('http') });
	expect(countPolls(kind)).toBeGreaterThan(2);
});
