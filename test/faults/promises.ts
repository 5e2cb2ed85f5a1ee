/** Further promises of the trigger: registration, no lost event, no repeated event. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IDataObject, INode } from 'n8n-workflow';
import { withCredential, type Stage } from '../../tools/stage';
import { freePort, itemsOf, startN8n } from '../e2e/n8n';
import { makeFinishedVideo } from '../e2e/triggerFlow';
import { chain, errorText, until, type Link } from '../e2e/workflows';
import { save } from './creates';
import {
	database,
	eventOf,
	inParallel,
	isTaken,
	last,
	noOp,
	quiet,
	rowsOf,
	sender,
	signed,
	times,
	type Answer,
	type Finding,
	type Ran,
} from './deliveries';
import type { FaultContext, Row, Scenario } from './scenario';

interface Endpoint {
	endpoint_id?: string;
	id?: string;
	url: string;
	secret: string;
	events: string[];
}

const success = 'avatar_video.success';

const trigger = (name: string, options: IDataObject = {}, events = [success]): Link => ({
	name,
	type: 'trigger',
	parameters: { events, options } as never,
});

const endpointsOf = ({ simulator }: Stage) => simulator.control.endpoints() as Endpoint[];

const pathOf = ({ url }: Endpoint) => new URL(url).pathname;

/** Sends one event to an endpoint. */
async function deliver(baseUrl: string, to: Endpoint, event: IDataObject): Promise<Answer> {
	const { send, close } = sender(baseUrl, pathOf(to));
	return await send(signed(to.secret, event)).finally(close);
}

/** Sends until n8n has taken it; it may still be starting, or storing the same. */
async function taken(baseUrl: string, to: Endpoint, event: IDataObject): Promise<void> {
	const end = Date.now() + 60_000;
	for (;;) {
		const { status } = await deliver(baseUrl, to, event);
		if (isTaken({ status, milliseconds: 0 })) return;
		if (Date.now() > end) throw new Error(`The trigger answers ${status ?? 'nothing'}`);
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}

// --- registration -----------------------------------------------------------------------------

async function registration(context: FaultContext): Promise<Row[]> {
	const stage = await context.startOwn();
	const { n8n, simulator } = stage;
	const draft = (events: string[]) =>
		chain('Registered', [trigger('Event', {}, events), noOp(last)]);
	const id = await save(stage, draft([success]));
	const calls = () =>
		simulator.control
			.requests({ path: /^\/v3\/webhooks\/endpoints/ })
			.filter(({ method }) => method !== 'GET').length;
	const counts: number[] = [];
	const count = () => counts.push(endpointsOf(stage).length);
	const ran = async (event: IDataObject) =>
		await until('its run', () =>
			database(stage)
				.runs(id)
				.some(({ event: one, done }) => done && one === event.event_id),
		);
	const newest = () => endpointsOf(stage).at(-1) as Endpoint;

	count();
	await n8n.activate(id);
	count();
	const { url } = newest();
	await n8n.deactivate(id);
	count();
	await n8n.activate(id);

	const before = calls();
	await n8n.kill();
	await n8n.restart();
	await n8n.activate(id);
	const more = calls() - before;

	await n8n.updateWorkflow(
		id,
		withCredential(draft([success, 'avatar_video.fail']), stage.credential),
	);
	await n8n.activate(id);
	await until('the new choice of events', () => newest().events.length === 2);
	const after = endpointsOf(stage).length;

	/** What a change at the service, outside of n8n, does to deliveries, and what heals it. */
	const outside = async (act: () => Promise<unknown>, to: () => Endpoint) => {
		await act();
		const rejected = await deliver(n8n.baseUrl, to(), eventOf());
		const told = /unpublish the workflow and publish it again/.test(n8n.logs());
		await n8n.deactivate(id);
		await n8n.activate(id);
		const event = eventOf();
		await taken(n8n.baseUrl, newest(), event);
		await ran(event);
		return { status: rejected.status, told };
	};
	const atService = async (method: string, path: string) =>
		await fetch(`${simulator.baseUrl}/v3/webhooks/endpoints/${path}`, {
			method,
			headers: { 'x-api-key': simulator.apiKey },
		});
	const idOf = (one: Endpoint) => one.endpoint_id ?? one.id ?? '';
	const rotated = await outside(
		async () => await atService('POST', `${idOf(newest())}/rotate-secret`),
		newest,
	);
	const gone = newest();
	await atService('DELETE', idOf(gone));
	const without = endpointsOf(stage).length;
	await n8n.deactivate(id);
	await n8n.activate(id);
	const event = eventOf();
	await taken(n8n.baseUrl, newest(), event);
	await ran(event);

	// n8n saves a trigger without changes.
	const fresh = await save(stage, chain('Fresh', [{ name: 'Event', type: 'trigger' }, noOp(last)]));
	await n8n.activate(fresh);
	const usual = [...newest().events].sort().join(', ');
	await n8n.deactivate(fresh);

	// The same n8n with another URL, and a service without its endpoint.
	await n8n.stop();
	const moved = await context.startOwn({
		userFolder: n8n.userFolder,
		webhookUrl: 'https://moved.example/',
	});
	await moved.n8n.activate(id);
	const silent = endpointsOf(moved).length;
	await moved.n8n.deactivate(id);
	await moved.n8n.activate(id);
	const there = endpointsOf(moved).map((one) => one.url);

	return rowsOf('E', [
		{
			what: "A workflow is published and then unpublished. The service's endpoints are counted before publishing, while the workflow is published, and after unpublishing.",
			seen: counts.join(', '),
			wanted: '0, 1, 0, with the public URL of n8n',
			holds: counts.join() === '0,1,0' && url.startsWith('https://flows.example/webhook/'),
		},
		{
			what: 'n8n is killed and restarted, and the unchanged workflow is published again.',
			seen: `${more} changes in the service`,
			wanted: 'none',
			holds: more === 0,
		},
		{
			what: "The trigger's selection of events is changed, and the workflow is published again.",
			seen: `${after} endpoint, with the new choice`,
			wanted: '1, with the newly selected events',
			holds: after === 1,
		},
		{
			what: 'The secret is changed outside n8n. Then the workflow is unpublished and published again.',
			seen: `${rotated.status}, and the log ${rotated.told ? 'says what to do' : 'is silent'}; then events are processed`,
			wanted: 'status 401, the log says what to do, then events are processed',
			holds: rotated.status === 401 && rotated.told,
		},
		{
			what: 'The endpoint is deleted outside n8n. Then the workflow is unpublished and published again.',
			seen: `${without} endpoints; then events are processed`,
			wanted: '0 endpoints, then events are processed',
			holds: without === 0,
		},
		{
			what: "n8n's URL changes, and the unchanged workflow is published again. Then the workflow is unpublished and published again.",
			seen: `${silent} endpoints, then ${there.length}, under ${there.map((one) => new URL(one).origin).join(', ')}`,
			wanted: '0, then 1, with the new URL',
			holds:
				silent === 0 &&
				there.length === 1 &&
				there[0]?.startsWith('https://moved.example/') === true,
		},
		{
			what: 'A new trigger uses the default settings. The table shows the events that the trigger listens for.',
			seen: usual,
			wanted: 'avatar_video.success, video_agent.success',
			holds: usual === 'avatar_video.success, video_agent.success',
		},
	]);
}

// --- nothing lost -----------------------------------------------------------------------------

const fetching = (more: Partial<INode>, options: IDataObject = { fetchVideo: true }) =>
	chain('Fetching', [
		{ ...trigger('Event', options), more: { webhookId: randomUUID(), ...more } },
		noOp(last),
	]);

/** Types of events, and what their items must have. */
const shapes: Array<{ type: string; data: IDataObject; id: string; status?: string }> = [
	{ type: success, data: { video_id: 'id_1' }, id: 'video_id', status: 'completed' },
	{ type: 'avatar_video.fail', data: { video_id: 'id_1' }, id: 'video_id', status: 'failed' },
	{
		type: 'video_agent.success',
		data: { session_id: 'id_1', video_id: 'id_2' },
		id: 'session_id',
		status: 'completed',
	},
	{
		type: 'video_translate.success',
		data: { video_translate_id: 'id_1' },
		id: 'video_translation_id',
		status: 'completed',
	},
	{ type: 'ai_clipping.success', data: { id: 'id_1' }, id: 'job_id', status: 'completed' },
	{ type: 'batch.finished', data: { batch_id: 'id_1', total_items: 3 }, id: 'batch_id' },
];

/** What a trigger for all events makes of each of these types. */
async function itemsOfEvents(stage: Stage, options: IDataObject): Promise<IDataObject[]> {
	const { n8n } = stage;
	const id = await save(stage, chain('Shapes', [trigger('Event', options, []), noOp(last)]));
	await n8n.activate(id);
	const to = endpointsOf(stage).at(-1) as Endpoint;
	const items: IDataObject[] = [];
	let afterId: string | undefined;
	for (const { type, data } of shapes) {
		await deliver(n8n.baseUrl, to, eventOf({ event_type: type, event_data: data }));
		const execution = await n8n.waitForExecution({ workflowId: id, afterId });
		afterId = execution.id;
		items.push(itemsOf(execution, last)[0]?.json ?? {});
	}
	await n8n.deactivate(id);
	return items;
}

/** What an execution of the trigger and its video came to. */
async function nothingLost(context: FaultContext): Promise<Row[]> {
	const stage = await context.startOwn();
	const { n8n, simulator } = stage;
	const { control } = simulator;
	const video = await makeFinishedVideo(stage);
	const about = () => eventOf({ event_data: { video_id: video } });

	const plain = await save(stage, chain('Stored', [trigger('Event'), noOp(last)]));
	await n8n.activate(plain);
	const stored = endpointsOf(stage).at(-1) as Endpoint;
	const event = about();
	const db = new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'));
	db.exec('PRAGMA busy_timeout = 10000');
	db.exec(
		"CREATE TRIGGER full BEFORE INSERT ON execution_entity BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
	);
	const rejected = await deliver(n8n.baseUrl, stored, event);
	db.exec('DROP TRIGGER full');
	db.close();
	const early = database(stage).count(plain);
	const again = await deliver(n8n.baseUrl, stored, event);
	await quiet(stage, plain, 1);
	const stores = database(stage).runs(plain);
	await n8n.deactivate(plain);

	/** Runs one event while the video cannot be read so many times. */
	const unread = async (count: number, more: Partial<INode>, options?: IDataObject) => {
		const id = await save(stage, fetching(more, options));
		await n8n.activate(id);
		const to = endpointsOf(stage).at(-1) as Endpoint;
		control.fail({ method: 'GET', path: `/v3/videos/${video}`, status: 403, times: count });
		const sent = about();
		await deliver(n8n.baseUrl, to, sent);
		const execution = await n8n.waitForExecution({ workflowId: id });
		control.clearFaults();
		await n8n.deactivate(id);
		return { execution, sent };
	};
	const failed = await unread(1, {});
	await n8n.api('POST', `/executions/${failed.execution.id}/retry`, { loadWorkflow: false });
	const button = await n8n.waitForExecution({
		workflowId: failed.execution.workflowId,
		afterId: failed.execution.id,
	});
	const kept = JSON.stringify(failed.execution.data).includes(String(failed.sent.event_id));
	const read = (item: IDataObject | undefined) =>
		(item?.video as IDataObject | undefined)?.id === video;
	const byItself = await unread(1, { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 });
	const goesOn = await unread(1, { onError: 'continueRegularOutput' });
	const [item] = itemsOf(goesOn.execution, last);
	const details = item?.json.details as { event?: IDataObject } | undefined;
	const file = await unread(0, {}, { download: true });
	const [download] = itemsOf(file.execution, last);
	const items = await itemsOfEvents(stage, {});
	const whole = await itemsOfEvents(stage, { output: 'whole' });
	return rowsOf('N', [
		{
			what: 'n8n cannot store an execution because its disk is full. The event is delivered again after space is freed.',
			seen: `${rejected.status}, ${early} executions; then ${again.status}, ${stores.length} execution`,
			wanted: 'status 500, no execution; then status 200, one execution',
			holds: rejected.status === 500 && early === 0 && again.status === 200 && stores.length === 1,
		},
		{
			what: "Include Video Details fails, and so does the execution. The execution's data contains the event. n8n's Retry button fetches the video again.",
			seen: `${failed.execution.status} (${kept ? 'with' : 'without'} the event), then ${button.status}`,
			wanted: 'error with the event, then success with the video',
			holds:
				failed.execution.status === 'error' &&
				kept &&
				errorText(failed.execution).includes('The event is not lost') &&
				button.status === 'success' &&
				read(itemsOf(button, last)[0]?.json),
		},
		{
			what: 'Include Video Details fails once, with Retry On Fail turned on.',
			seen: byItself.execution.status,
			wanted: 'success with the video',
			holds:
				byItself.execution.status === 'success' && read(itemsOf(byItself.execution, last)[0]?.json),
		},
		{
			what: 'Include Video Details fails, with On Error set to Continue. The table shows the fields of the item.',
			seen: Object.keys(item?.json ?? {}).join(', '),
			wanted: 'error and details, with the event in details.event',
			holds:
				typeof item?.json.error === 'string' && details?.event?.event_id === goesOn.sent.event_id,
		},
		{
			what: "Download Video is on. The table shows the type of the item's file.",
			seen: download?.binary?.data?.mimeType ?? 'none',
			wanted: 'video/mp4',
			holds: download?.binary?.data?.mimeType === 'video/mp4',
		},
		{
			what: `Items of ${shapes.length} event types have event_type, created_at, a status if the type indicates it, and the ID under the name that other nodes use.`,
			seen: shapes.map(({ id }, i) => (items[i]?.[id] === undefined ? 'none' : id)).join(', '),
			wanted: shapes.map(({ id }) => id).join(', '),
			holds: shapes.every(({ type, id, status }, i) => {
				const { event_type, created_at, status: said, ...rest } = items[i] ?? {};
				return (
					event_type === type && created_at !== undefined && said === status && rest[id] === 'id_1'
				);
			}),
		},
		{
			what: 'The same events arrive with Output set to Raw.',
			seen: [...new Set(whole.flatMap((one) => Object.keys(one)))].join(', '),
			wanted: 'each event as it was delivered',
			holds: whole.every(
				({ event_type: type, event_data: data }, i) =>
					type === shapes[i]?.type && JSON.stringify(data) === JSON.stringify(shapes[i]?.data),
			),
		},
	]);
}

// --- nothing twice ----------------------------------------------------------------------------

/** How often each event went on behind the trigger. */
function perEvent(runs: readonly Ran[], events: readonly IDataObject[]) {
	const counts = events.map(
		({ event_id: id }) => runs.filter(({ done, event }) => done && event === id).length,
	);
	return {
		ran: counts.filter((count) => count > 0).length,
		twice: counts.filter((count) => count > 1).length,
	};
}

/** Waits for what may still come. */
const settled = async (stage: Stage, id: string, least: number) => {
	await quiet(stage, id, least);
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	await quiet(stage, id, least);
};

async function twoTriggers(stage: Stage, count: number): Promise<Finding> {
	const { n8n } = stage;
	const before = endpointsOf(stage).length;
	const draft = chain('Two', [trigger('First'), noOp(last)]);
	const [second] = chain('', [trigger('Second')]).nodes;
	if (second) draft.nodes.push({ ...second, id: 'second', position: [0, 200] });
	draft.connections.Second = draft.connections.First ?? {};
	const id = await save(stage, draft);
	await n8n.activate(id);
	const both = endpointsOf(stage).slice(before);
	const events = both.map(() => times(count, () => eventOf()));
	const answers = await inParallel(
		both.flatMap((to, i) =>
			(events[i] ?? []).flatMap((event) =>
				times(2, () => async () => {
					const answer = await deliver(n8n.baseUrl, to, event);
					// One is being stored at this moment: the service would come again.
					if (answer.status === 503) await taken(n8n.baseUrl, to, event);
					return answer.status;
				}),
			),
		),
	);
	await settled(stage, id, 2 * count);
	const runs = database(stage).runs(id);
	const { ran, twice } = perEvent(runs, events.flat());
	const odd = answers.filter((status) => status !== 200 && status !== 503).length;
	await n8n.deactivate(id);
	return {
		what: `One workflow has two triggers, and ${count} events arrive for each. Each event is delivered twice at the same time.`,
		seen: `${both.length} endpoints; ${ran} of ${2 * count} events were processed, ${twice} twice; ${runs.length} executions`,
		wanted: 'all, none twice',
		holds:
			both.length === 2 &&
			ran === 2 * count &&
			twice === 0 &&
			runs.length === 2 * count &&
			odd === 0,
	};
}

async function onceOnly(context: FaultContext): Promise<Row[]> {
	const stage = await context.startOwn();
	const { n8n } = stage;
	const count = 60;
	const two = await twoTriggers(stage, count / 2);

	const id = await save(stage, chain('Once', [trigger('Event'), noOp(last)]));
	await n8n.activate(id);
	const to = endpointsOf(stage).at(-1) as Endpoint;
	const { runs, count: executions } = database(stage);
	const events = times(count, () => eventOf());
	for (const event of events) await taken(n8n.baseUrl, to, event);
	await inParallel(events.map((event) => async () => await deliver(n8n.baseUrl, to, event)));
	await settled(stage, id, count);
	const same = { executions: executions(id), ...perEvent(runs(id), events) };

	await n8n.restart();
	await inParallel(events.map((event) => async () => await taken(n8n.baseUrl, to, event)));
	await settled(stage, id, 2 * count);
	const restarted = { executions: executions(id), ...perEvent(runs(id), events) };

	// A second process of n8n on the same database.
	const other = await startN8n({
		userFolder: n8n.userFolder,
		port: await freePort(),
		webhookUrl: 'https://flows.example/',
		log: context.log,
	});
	const others = times(count, () => eventOf());
	const close = times(count, () => eventOf());
	let later: ReturnType<typeof perEvent>;
	let together: ReturnType<typeof perEvent>;
	try {
		await taken(other.baseUrl, to, eventOf());
		const had = executions(id);
		await inParallel(others.map((event) => async () => await taken(n8n.baseUrl, to, event)));
		await settled(stage, id, had + count);
		await inParallel(others.map((event) => async () => await taken(other.baseUrl, to, event)));
		await settled(stage, id, had + 2 * count);
		later = perEvent(runs(id), others);
		await inParallel(
			close.flatMap((event) =>
				[n8n, other].map(
					({ baseUrl }) =>
						async () =>
							await taken(baseUrl, to, event),
				),
			),
		);
		await settled(stage, id, had + 4 * count);
		together = perEvent(runs(id), close);
	} finally {
		await other.stop();
	}
	return rowsOf('D', [
		two,
		{
			what: `Each of ${count} events is delivered again when its execution has started.`,
			seen: `${same.executions} executions; ${same.ran} events were processed, ${same.twice} twice`,
			wanted: 'one for each',
			holds: same.executions === count && same.ran === count && same.twice === 0,
		},
		{
			what: 'The same events are delivered again after a restart of n8n.',
			seen: `${restarted.executions - same.executions} more executions, which end at the trigger; ${restarted.twice} events were processed twice`,
			wanted: 'none twice',
			holds: restarted.ran === count && restarted.twice === 0,
		},
		{
			what: `Two n8n processes share one database. ${count} events are delivered to one process, then to the other.`,
			seen: `${later.ran} events were processed, ${later.twice} twice`,
			wanted: 'all, none twice',
			holds: later.ran === count && later.twice === 0,
		},
		{
			what: `${count} events are delivered to both processes at the same moment, so an event may be processed twice.`,
			seen: `${together.ran} events were processed, ${together.twice} twice`,
			wanted: 'all',
			holds: together.ran === count,
		},
	]);
}

export const title = 'Guarantees of the trigger';
export const columns = ['Seen', 'Wanted'];

export const scenario: readonly Scenario[] = [
	{ name: 'registration', short: false, run: registration },
	{ name: 'nothing is lost', short: false, run: nothingLost },
	{ name: 'nothing runs twice', short: false, run: onceOnly },
];
