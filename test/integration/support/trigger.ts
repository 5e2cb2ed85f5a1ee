/** A trigger in a flow, the endpoints that it has at the service, and deliveries to it. */
import { createHmac, randomUUID } from 'node:crypto';
import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator, IDataObject, INodeParameters } from 'n8n-workflow';
import { recordQueues } from '../../../nodes/VideoGenTrigger/deliveries';
import type { SimulatorOptions } from '../../../simulator';
import { clock } from './core';
import {
	activate,
	execute,
	take,
	type Flow,
	type Ran,
	type Taken,
	type TakeOptions,
} from './contexts';
import { callOf, useService } from './service';

/** Of the n8n that the flow runs on. */
export const origin = 'https://flows.example';
/** Of the trigger. */
export const url = `${origin}/webhook/hook/webhook`;

export const wanted = ['avatar_video.success', 'avatar_video.fail'];

/** What the service knows of an endpoint. */
export interface Endpoint {
	id: string;
	url: string;
	events: string[] | null;
	entityId: string | null;
	secret: string;
}

/** The service, and flows with a trigger that belong to it. */
export function useTrigger(options: SimulatorOptions = {}) {
	const service = useService({
		pageSize: 2,
		// A delivery comes again when a test says so, not while it prepares for that.
		retrySeconds: 100,
		...options,
	});

	const flowOf = (parameters: INodeParameters = {}, more: Partial<Flow> = {}): Flow => ({
		service,
		parameters,
		staticData: {},
		...more,
	});

	/** A flow that is switched on. */
	async function active(parameters: INodeParameters = {}, more: Partial<Flow> = {}): Promise<Flow> {
		const flow = flowOf(parameters, more);
		await activate(flow);
		return flow;
	}

	const endpoints = () => service.control.endpoints() as Endpoint[];
	const only = () => {
		expect(endpoints()).toHaveLength(1);
		return endpoints()[0] as Endpoint;
	};

	const call = callOf(service);

	return { service, flowOf, active, endpoints, only, call };
}

/** What the node keeps of its endpoint. */
export const kept = (flow: Flow) =>
	Object.values(
		(flow.staticData[`node:${flow.node?.name ?? 'Node'}`] ?? {}) as Record<string, IDataObject>,
	)[0] ?? {};

const hmac = (secret: string, body: Buffer | string) =>
	createHmac('sha256', secret).update(body).digest('hex');

/** An event of the service, about a video that is done. */
export const eventOf = (more: IDataObject = {}): IDataObject => ({
	event_id: randomUUID(),
	event_type: 'avatar_video.success',
	event_data: { video_id: 'video_001', callback_id: 'row-7' },
	created_at: new Date(clock.now()).toISOString(),
	...more,
});

/** A delivery that differs from a good one. */
export interface Sent {
	/** What is signed; the text of a new event when nothing is said. */
	body?: Buffer | string;
	/** What arrives, where that is another thing. */
	arrives?: Buffer | string;
	secret?: string;
	prefix?: string;
	eventId?: string;
	/** Seconds added to the timestamp. */
	late?: number;
	headers?: Record<string, string | string[] | undefined>;
}

/** A delivery as the service makes it, signed here. */
export function deliveryOf(flow: Flow, sent: Sent = {}) {
	const body = sent.body ?? JSON.stringify(eventOf());
	const prefix = (sent.prefix ?? 'Service').toLowerCase();
	const headers = {
		'content-type': 'application/json',
		[`${prefix}-signature`]: hmac(sent.secret ?? String(kept(flow).secret), body),
		[`${prefix}-timestamp`]: String(Math.floor(clock.now() / 1000) + (sent.late ?? 0)),
		[`${prefix}-event-id`]: sent.eventId ?? randomUUID(),
		...sent.headers,
	};
	return { headers, rawBody: Buffer.from(sent.arrives ?? body) };
}

/** What became of a delivery, and of the execution that it started, if it did. */
export type Delivered = Taken & Partial<Ran>;

/** Brings a delivery to the trigger, and runs what it starts. */
export async function deliver(
	flow: Flow,
	sent: Sent = {},
	options: TakeOptions = {},
): Promise<Delivered> {
	const taken = await take(flow, deliveryOf(flow, sent), options);
	if (!taken.started) return taken;
	return { ...taken, ...(await execute(flow, taken.started, { type: options.type })) };
}

/**
 * n8n's own store of what a node has seen before, as n8n keeps it: one value for each node, read,
 * changed and written anew.
 */
export const recorded = new Map<string, string[]>();

/** How many items each use of the store was asked for. */
export const storeUses: number[] = [];

/** Thrown at the next so many uses of the store. */
export const storeFaults: Error[] = [];

const database = async () => await new Promise((resolve) => setImmediate(resolve));

const store: IDataDeduplicator = {
	async checkProcessedAndRecord(items, _scope, { workflow, node }, { maxEntries = Infinity }) {
		const key = `${workflow.id} ${node?.id}`;
		storeUses.push(items.length);
		const fault = storeFaults.shift();
		if (fault) throw fault;
		const before = recorded.get(key) && [...(recorded.get(key) ?? [])];
		await database();
		const known = items.filter((item) => before?.includes(String(item)));
		const fresh = items.filter((item) => !known.includes(item));
		if (!before && recorded.has(key)) throw new Error('UNIQUE constraint failed');
		recorded.set(key, [...(before ?? []), ...fresh.map(String)].slice(-maxEntries));
		return { new: fresh, processed: known };
	},
	removeProcessed: async () => undefined,
	clearAllProcessedItems: async () => undefined,
	getProcessedDataCount: async () => 0,
};
beforeAll(async () => await DataDeduplicationService.init(store));
beforeEach(() => {
	for (const place of recorded.keys()) recordQueues.delete(place);
	recorded.clear();
	storeUses.length = 0;
	storeFaults.length = 0;
});
