/** Deliveries to a trigger whose endpoint somebody changes in the service, in both modes of n8n. */
import { parse } from 'flatted';
import type { IRunExecutionData } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { until } from '../e2e/workflows';
import { database, eventOf, last, publishTrigger } from '../faults/deliveries';
import { startCluster } from '../queue/cluster';
import { pause } from '../queue/disturb';
import { missingServers } from '../queue/servers';
import { useFastTime } from './fastTime';
import type { LimitContext, LimitFile } from './section';

const count = 2_000;

/** One in ten deliveries is forged. */
const forgedEvery = 10;

/** How many times faster the clocks of the service and the nodes run. */
const factor = 20;

/** Seconds between two checks of rejected deliveries. */
const recheckSeconds = 600;

const eventsPath = '/v3/webhooks/events';
const endpointsPath = '/v3/webhooks/endpoints';

interface Endpoint {
	id: string;
	url: string;
}

/** An n8n in one of its modes. */
interface Side extends Stage {
	mode: string;
	/** Sets the clocks ahead, of n8n when it starts again. */
	skip(seconds: number): void;
	/** The data of all executions of a workflow that ended well. */
	readRuns(workflowId: string): string[];
}

/** How often each video was output. */
function countOutputs(runs: readonly string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const text of runs) {
		const { resultData } = parse(text) as IRunExecutionData;
		for (const { json } of resultData.runData[last]?.flatMap((one) => one.data?.main?.[0] ?? []) ??
			[]) {
			const video = String(json.video_id);
			counts.set(video, (counts.get(video) ?? 0) + 1);
		}
	}
	return counts;
}

/** What somebody changes in the service, and what lets the trigger notice it. */
interface Change {
	name: string;
	change(side: Side, endpoint: Endpoint): Promise<unknown> | void;
	notice?(side: Side, workflowId: string): Promise<void>;
}

const restart = async ({ n8n }: Side) => {
	await n8n.kill('SIGTERM');
	await n8n.restart();
};

async function call({ simulator }: Side, method: string, path: string, body?: object) {
	const { status } = await fetch(`${simulator.baseUrl}${path}`, {
		method,
		headers: {
			'x-api-key': simulator.apiKey,
			'content-type': 'application/json',
			'user-agent': 'somebody',
		},
		body: body && JSON.stringify(body),
	});
	if (status !== 200) throw new Error(`${method} ${path}: ${status}`);
}

const endpointChanges: Change[] = [
	{
		name: 'the secret is rotated',
		change: async (side, { id }) =>
			await call(side, 'POST', `${endpointsPath}/${id}/rotate-secret`),
	},
	{
		name: 'the events are narrowed',
		change: async (side, { id }) =>
			await call(side, 'PATCH', `${endpointsPath}/${id}`, { events: ['avatar_video.fail'] }),
		notice: restart,
	},
	{
		name: 'the endpoint is disabled',
		change: ({ simulator }, { id }) =>
			simulator.control.change('endpoints', id, { status: 'disabled' }),
		notice: async ({ n8n }, workflowId) => {
			await n8n.deactivate(workflowId);
			await n8n.activate(workflowId);
		},
	},
	{
		name: 'the endpoint is deleted',
		change: async (side, { id }) => await call(side, 'DELETE', `${endpointsPath}/${id}`),
		notice: restart,
	},
];

/** The service repeats deliveries for 24 hours only. */
const absence: Change = {
	name: 'n8n is stopped for two days',
	change: async ({ n8n }) => await n8n.kill('SIGTERM'),
	notice: async (side) => {
		side.skip(2 * 24 * 3600);
		await side.n8n.restart();
	},
};

/** Delivers events, changes the endpoint in between, and counts what n8n has output. */
async function deliver(side: Side, changes: readonly Change[], count: number) {
	const { simulator } = side;
	const { control } = simulator;
	// The service lists only events that it tries to deliver to some endpoint.
	await call(side, 'POST', endpointsPath, { url: 'https://nobody.example/events' });
	const { id, path } = await publishTrigger(side, 'Repairs');
	const readEndpoint = () =>
		(control.endpoints() as Endpoint[]).find(({ url }) => new URL(url).pathname === path);
	const { url = '' } = readEndpoint() ?? {};
	// Publishing continues in the background.
	await pause(5);
	const videos: string[] = [];
	const forgeries = { ids: [] as string[], accepted: 0 };
	let sent = 0;
	const send = async (end: number) => {
		for (; sent < end; sent++) {
			if (sent % forgedEvery === forgedEvery - 1) {
				const video = `forged ${sent}`;
				forgeries.ids.push(video);
				const event = eventOf({
					event_data: { video_id: video },
					created_at: new Date(control.clock.now() * 1000).toISOString(),
				});
				const { status } = await control
					.deliver({ url, secret: 'of a stranger', event })
					.catch(() => ({ status: 0 }));
				if (status >= 200 && status < 300) forgeries.accepted++;
			} else {
				const video = `video ${sent}`;
				videos.push(video);
				control.emit('avatar_video.success', { video_id: video });
			}
			if (sent % 10 === 0) await control.idle();
		}
	};
	const before = control.requests().length;
	const startedAt = control.clock.now();
	const part = count / changes.length;
	for (const [i, { change, notice }] of changes.entries()) {
		await send(Math.floor((i + 0.4) * part));
		const endpoint = readEndpoint();
		if (!endpoint) throw new Error('The trigger has no endpoint');
		await change(side, endpoint);
		await send(Math.floor((i + 0.6) * part));
		// Deliveries continue while n8n restarts.
		await Promise.all([notice?.(side, id), send(Math.floor((i + 0.8) * part))]);
		await send((i + 1) * part);
		// A rotated secret is noticed by a delivery.
		await pause(notice ? 5 : (2 * recheckSeconds) / factor);
	}
	const readOutputs = () => countOutputs(side.readRuns(id));
	await until(
		'the last output',
		() => {
			const outputs = readOutputs();
			return videos.every((video) => outputs.has(video));
		},
		180_000,
	).catch(() => undefined);
	// A second output would follow.
	await pause(20);
	const outputs = readOutputs();
	const minutes = (control.clock.now() - startedAt) / 60;
	const requests = control
		.requests()
		.slice(before)
		.filter(({ headers }) => headers['user-agent'] !== 'somebody');
	const countRequests = (isCounted: (one: (typeof requests)[number]) => boolean) =>
		requests.filter(isCounted).length;
	return {
		minutes,
		lost: videos.filter((video) => !outputs.has(video)).length,
		twice: videos.filter((video) => (outputs.get(video) ?? 0) > 1).length,
		forged: forgeries.accepted + forgeries.ids.filter((video) => outputs.has(video)).length,
		forgedSent: forgeries.ids.length,
		requests: {
			/** Only the check of a rejected delivery asks for one type of event. */
			deliveryChecks: countRequests(({ path, query }) => path === eventsPath && !!query.event_type),
			catchUp: countRequests(({ path, query }) => path === eventsPath && !query.event_type),
			endpoints: countRequests(({ path }) => path.startsWith(endpointsPath)),
			all: requests.length,
		},
	};
}

async function measure(
	side: Side,
	changes: readonly Change[],
	{ report }: LimitContext,
): Promise<void> {
	const seen = await deliver(side, changes, count);
	const { lost, twice, forged, requests, minutes } = seen;
	// One check at each start of a process, and one in each ten minutes.
	const mostChecks = 1 + changes.length + Math.ceil((minutes * 60) / recheckSeconds);
	report({
		what: `The trigger receives ${count.toLocaleString('en')} deliveries, ${seen.forgedSent} of them forged (${side.mode}). Meanwhile, these changes happen: ${changes.map(({ name }) => name).join(', ')}.`,
		figure: `${lost} events were lost, ${twice} were output twice, and ${forged} forged ones were accepted. In ${minutes.toFixed(0)} min of the service’s time, the trigger sent ${requests.all} requests: ${requests.deliveryChecks} checked a rejected delivery, ${requests.catchUp} read missed events, and ${requests.endpoints} read or repaired endpoints.`,
		beyond:
			'When a delivery arrives, the trigger checks whether the secret was rotated, at most once every 10 minutes. The trigger detects the other changes when n8n starts, when the workflow is published, and about once a day.',
		wrong: [
			...(lost > 0 ? [`${lost} events are lost`] : []),
			...(twice > 0 ? [`${twice} events were output twice`] : []),
			...(forged > 0 ? [`${forged} forged deliveries were accepted`] : []),
			...(requests.deliveryChecks > mostChecks
				? [`more than ${mostChecks} checks of rejected deliveries`]
				: []),
		],
	});
}

async function run(context: LimitContext): Promise<void> {
	const { startOwn, newFolder, log, tarball } = context;
	const simulator = { retrySeconds: 60, eventsFirst: 'newest' } as const;
	const oneProcess = useFastTime(newFolder('time'), factor);
	const stage = await startOwn({ env: oneProcess.env, simulator });
	const stop = oneProcess.keepPace(stage.simulator);
	const { texts } = database(stage);
	const { skip } = oneProcess;
	const mode = 'one process';
	const side = { ...stage, mode, skip, readRuns: texts };
	await measure(side, [...endpointChanges, absence], context);
	stop();

	if (missingServers() !== undefined) return;
	const processes = useFastTime(newFolder('time'), factor);
	const cluster = await startCluster({
		folder: newFolder('queue'),
		...{ tarball, log, simulator, env: processes.env },
	});
	const stopQueue = processes.keepPace(cluster.simulator);
	try {
		const readRuns = (workflowId: string) =>
			cluster.postgres
				.query<{ data: string }>(
					`SELECT d.data FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
					 WHERE e."workflowId" = '${workflowId}' AND e.status = 'success'`,
				)
				.map(({ data }) => data);
		const mode = 'queue mode, deliveries to a webhook process';
		const { skip } = processes;
		await measure({ ...cluster, mode, skip, readRuns }, endpointChanges, context);
	} finally {
		stopQueue();
		await cluster.close();
	}
}

export const limits: LimitFile = {
	title: 'Repairs',
	how: `Events are delivered to VideoGen Trigger while the trigger’s endpoint in the service is changed. n8n is restarted after two of the changes, and the workflow is published again after one change. In the run with one process, n8n is also stopped for two days. The clocks of the service and the nodes run ${factor} times faster than real time. An event counts as lost if no execution outputs the event.`,
	run,
};
