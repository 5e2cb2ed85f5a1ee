/** The jobs that a node run has started: in the log, for output items, and after a stop. */
import { createHash } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import type { Job } from '../../../nodes/core/jobs/types';
import type { JsonRequest } from '../../../nodes/core/send/buildRequest';
import { createStartedJobTracker } from '../../../nodes/core/send/startedJobs';
import { agentSessionJob, videoJob } from '../../../nodes/jobKinds/catalog';

afterEach(() => jest.restoreAllMocks());

const video = (id: string): Job => ({ kind: videoJob, id });
const session = (id: string): Job => ({ kind: agentSessionJob, id });
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(video) as [Job, Job, Job, Job];

/** A tracker for a node without a credential, so that no job can be stopped. */
function createTracker(earlier: ReadonlyArray<[number, Job[]]> = [], hasSignal = true) {
	const controller = new AbortController();
	const [info, warn] = [jest.fn(), jest.fn()];
	const requestStop = jest.fn(async () => await Promise.reject(new Error('No credential')));
	jest.spyOn(clock, 'sleep').mockImplementation(async () => await new Promise(() => {}));
	const n8n = {
		getCredentials: requestStop,
		getExecutionCancelSignal: () => (hasSignal ? controller.signal : undefined),
		getExecutionId: () => '7',
		getInputData: () => [],
		getNode: () => ({ name: 'Node', parameters: {} }),
		getNodeParameter: () => 'apiKey',
		getWorkflow: () => ({ id: 'w' }),
		logger: { info, warn },
	} as unknown as IExecuteFunctions;
	const state = { jobs: new Map(earlier), isStopHandled: false };
	const tracker = createStartedJobTracker(n8n, state);
	const read = (lines: jest.Mock) => () => lines.mock.calls.map(([line]) => line as string);
	return { tracker, state, controller, infos: read(info), warnings: read(warn), requestStop };
}

const place = '(execution 7, workflow w, node "Node", item';
const running = 'Stopped. These jobs exist and continue to run in the service: ';
const finished = 'Stopped. These jobs have ended in the service: ';
const unstopped = (job: string) =>
	`Stopped, but these jobs continue to run in the service: ${job}. They could not be stopped: No credential`;

test('jobs are logged once, and listed in the order of their items', () => {
	const { tracker, infos, warnings } = createTracker([[2, [c]]]);
	tracker.add(2, [video('c'), d]);
	tracker.add(0, [a]);
	tracker.add(1, []);
	expect(infos()).toStrictEqual([
		`VideoGen started video d ${place} 2)`,
		`VideoGen started video a ${place} 0)`,
	]);
	expect(warnings()).toStrictEqual([]);
	expect(tracker.all()).toStrictEqual([a, c, d]);
	expect([tracker.of(2), tracker.of(1), tracker.of(5)]).toStrictEqual([[c, d], [], []]);
	expect(tracker.others(0)).toStrictEqual([
		{ item: 1, jobs: [] },
		{ item: 2, jobs: [c, d] },
	]);
});

const createdKey = `n8n-${'0'.repeat(48)}`;
const hash = createHash('sha256').update('mine').digest('hex');

test.each<[string, Partial<JsonRequest>, string]>([
	['with a key of the node', { idempotencyKey: createdKey }, `(key ${createdKey}, `],
	["with the user's own key", { idempotencyKey: 'mine' }, `(key sha256:${hash} of your own key, `],
	['without a key', {}, '('],
])('a paid request %s is logged', (_, request, beginning) => {
	const { tracker, infos } = createTracker();
	tracker.logPaidRequest(3, { line: 'POST /a', ...request });
	expect(infos()).toStrictEqual([`VideoGen sends POST /a ${beginning}${place.slice(1)} 3)`]);
});

test('a job of several items is logged, and belongs to none of them', () => {
	const { tracker, warnings } = createTracker([
		[0, [a, b]],
		[1, [c]],
	]);
	tracker.addSource({ item: 0, origin: 'x' }, [a, b]);
	tracker.addSource({ item: 1, origin: 'y', key: 'k' }, [c]);
	expect([tracker.takeShared([0, 1]), warnings(), tracker.all()]).toStrictEqual([
		undefined,
		[],
		[a, b, c],
	]);
	tracker.addSource({ item: 2, origin: 'z', key: 'k' }, [a, c]);
	expect(tracker.takeShared([2])).toStrictEqual({ jobs: [a, c], key: 'k' });
	expect(warnings()).toStrictEqual([
		`VideoGen received video a, video c for several items ${place} 2)`,
	]);
	expect([tracker.of(0), tracker.of(1)]).toStrictEqual([[b], []]);
	expect(tracker.takeShared([0])).toStrictEqual({ jobs: [a], key: undefined });
});

test('a job that one origin has several times, or jobs of different kinds with the same ID, are not shared', () => {
	const { tracker } = createTracker();
	tracker.addSource({ item: 0, origin: 'x' }, [a]);
	tracker.addSource({ item: 1, origin: 'x' }, [a]);
	tracker.addSource({ item: 2, origin: 'y' }, [session(a.id)]);
	expect(tracker.takeShared([0, 1, 2])).toBeUndefined();
});

describe('after the execution was stopped', () => {
	test('all jobs are logged once, and those that start later too', async () => {
		const { tracker, state, controller, warnings, requestStop } = createTracker([[1, [b]]]);
		tracker.add(0, [a, session('s')]);
		expect([state.isStopHandled, warnings()]).toStrictEqual([false, []]);
		controller.abort();
		expect(state.isStopHandled).toBe(true);
		tracker.add(0, [a, c]);
		tracker.add(0, [c]);
		tracker.stopWithExecution(new Set([0, 1]));
		await tracker.close();
		expect(warnings()).toStrictEqual([
			`${running}video a, session s, video b. To end them, use VideoGen Agent: Stop`,
			`${running}video c`,
		]);
		expect(requestStop).not.toHaveBeenCalled();
	});

	test('the unfinished jobs of the chosen items are stopped, also those that start later', async () => {
		const { tracker, controller, warnings } = createTracker();
		tracker.stopWithExecution(new Set([0]));
		tracker.add(0, [a, b]);
		tracker.add(1, [c]);
		tracker.end(video('a'));
		controller.abort();
		tracker.add(0, [d]);
		expect(warnings()).toStrictEqual([`${finished}video a`, `${running}video c`]);
		await tracker.close();
		expect(warnings().slice(2)).toStrictEqual([unstopped('video b'), unstopped('video d')]);
	});

	test('a job that has ended is logged as such', async () => {
		const { tracker, controller, warnings } = createTracker([[0, [a, b]]]);
		tracker.end(a);
		controller.abort();
		await tracker.close();
		expect(warnings()).toStrictEqual([`${finished}video a`, `${running}video b`]);
	});

	test('no request is sent if all jobs of the chosen items have ended', async () => {
		const { tracker, controller, warnings, requestStop } = createTracker([[0, [a]]]);
		tracker.stopWithExecution(new Set([0]));
		tracker.end(a);
		controller.abort();
		await tracker.close();
		expect([warnings(), requestStop.mock.calls]).toStrictEqual([[`${finished}video a`], []]);
	});

	test('the next attempt stops the jobs of the attempts before, once', async () => {
		const earlier: Array<[number, Job[]]> = [[0, [a]]];
		const { tracker, state, controller, warnings } = createTracker(earlier);
		await tracker.close();
		controller.abort();
		expect([state.isStopHandled, warnings()]).toStrictEqual([false, []]);
		tracker.stopWithExecution(new Set([0]));
		tracker.stopWithExecution(new Set([0]));
		await tracker.close();
		expect([state.isStopHandled, warnings()]).toStrictEqual([true, [unstopped('video a')]]);
	});
});

test('a run that cannot be stopped tracks its jobs too', async () => {
	const { tracker, state, warnings } = createTracker([], false);
	tracker.add(0, [a]);
	tracker.stopWithExecution(new Set([0]));
	expect(await tracker.close()).toBeUndefined();
	expect([tracker.all(), state.isStopHandled, warnings()]).toStrictEqual([[a], false, []]);
});
