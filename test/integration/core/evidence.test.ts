/** Waits for jobs whose status is an unknown word, or missing: they end long before their timeout. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Fault } from '../../../simulator/faults';
import { avatar, batch, continueOnFail, items, session, waiting } from '../support/calls';
import { url } from '../support/cases';
import { getErrorDetails } from '../support/core';
import { runNode, type Result, type RunOptions } from '../support/engine';
import { useService } from '../support/service';

const service = useService({ jobSeconds: 20 });

const talk = url('https://files.example/talk.mp4');

/** The node, its parameters, and the path where the job is polled. */
type Kind = readonly [node: string, parameters: INodeParameters, path: RegExp];

const kinds = {
	video: ['VideoGenVideo', avatar(waiting()), /^\/v3\/videos\/[^/]+$/],
	session: ['VideoGenAgent', session(waiting()), /^\/v3\/video-agents\/./],
	batch: ['VideoGenVideo', batch(waiting()), /^\/v3\/videos\/batches\/./],
	clipping: [
		'VideoGenClipping',
		{ operation: 'create', video: talk, ...waiting() },
		/^\/v3\/ai-clipping\/./,
	],
} satisfies Record<string, Kind>;

const countPolls = ([, , path]: Kind) => service.control.requests({ method: 'GET', path }).length;

/** Waits for a job whose status responses are changed like this. */
async function waitFor(kind: Kind, change: Fault, options: RunOptions = {}): Promise<Result> {
	const [node, parameters, path] = kind;
	service.control.fail({ method: 'GET', path, ...change });
	const result = await runNode(service, node, parameters, options);
	// The job takes 20 seconds. With a poll per second, more polls mean that its end was overlooked.
	expect(countPolls(kind)).toBeLessThan(60);
	return result;
}

const first = ({ items: [item] }: Result): IDataObject => item?.json ?? {};

test('a clip job without a status ends with its clips when its progress is full, and not before', async () => {
	const result = await waitFor(kinds.clipping, { without: ['status'] });
	expect(result.error).toBeUndefined();
	expect(first(result)).toMatchObject({ progress: 100, clips: [{}, {}, {}] });
	expect(first(result)).not.toHaveProperty('status');
	// It was polled while it was running.
	expect(countPolls(kinds.clipping)).toBeGreaterThan(2);
});

test('a batch in a word of its own ends when its items have ended, each row with its outcome', async () => {
	service.control.failNext('video', { code: 'render_failed', message: 'No luck' });
	const result = await waitFor(
		kinds.batch,
		{ data: { status: 'completed_with_errors' } },
		{ node: continueOnFail, items: items(3) },
	);
	expect(result.items.map(({ json }) => json.status ?? json.error)).toEqual([
		'The video for this row failed: No luck [row 1]',
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
	const data = { status: 'completed', items: entries };
	const options = { node: continueOnFail, items: items(2) };
	const result = await waitFor(kinds.batch, { data }, options);
	expect(result.items.map(({ json }) => json.error ?? json.video_id)).toEqual([
		'The video for this row failed: Gone [row 1]',
		'video_002',
	]);
});

test('a session with an error and an unknown status has failed for it', async () => {
	const error = { code: 'free_tier_quota_exceeded', message: 'The month is used up' };
	const result = await waitFor(kinds.session, { data: { status: 'halted', error } });
	expect(result.error?.message).toBe('The session failed: The month is used up');
	expect(getErrorDetails(result.error)).toMatchObject({ code: 'free_tier_quota_exceeded' });
	expect(result.error?.description).toContain('Wait until the quota resets');
});

test('a cancelled video with a code has not succeeded', async () => {
	const failure = { failure_code: 'generation_cancelled', failure_message: 'Somebody stopped it' };
	const result = await waitFor(kinds.video, {
		data: { status: 'cancelled', video_url: null, ...failure },
	});
	expect(result.error?.message).toBe('The video was canceled: Somebody stopped it');
	expect(result.error?.description).toContain('(code: generation_cancelled)');
	expect(countPolls(kinds.video)).toBe(1);
});

describe.each(Object.entries(kinds))('%s', (_, kind) => {
	test('ends with "Succeeded"', async () => {
		const status = 'Succeeded';
		const entry = { item_index: 0, status: 'completed', video_id: 'video_001' };
		// A session would lead on to its video; a batch does to those of its rows.
		const result = await waitFor(kind, { data: { status, video_id: null, items: [entry] } });
		expect(result.error).toBeUndefined();
		expect(countPolls(kind)).toBe(1);
		expect(first(result)).toMatchObject(
			kind === kinds.batch ? { video_id: 'video_001' } : { status },
		);
	});

	test('times out with an unknown word, and reports it', async () => {
		const [node, parameters, path] = kind;
		const status = 'polishing';
		service.control.fail({ method: 'GET', path, status: 200, body: { data: { status } } });
		const options = { pollInterval: 1, waitTimeout: 2 };
		const { error } = await runNode(service, node, { ...parameters, options });
		expect(error?.message).toContain('was not finished after 2 minutes');
		expect(error?.description).toContain(
			'has the status "polishing", which this node does not recognize, and keeps running',
		);
		expect(getErrorDetails(error)).toMatchObject({ code: 'wait_timeout', status });
	});
});

test('a video without a status ends when its file is there', async () => {
	const result = await waitFor(kinds.video, { without: ['status', 'progress'] });
	expect(first(result)).toMatchObject({ video_url: expect.stringContaining('http') });
	expect(countPolls(kinds.video)).toBeGreaterThan(2);
});
