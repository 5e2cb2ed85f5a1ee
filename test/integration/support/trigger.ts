/** A trigger in a workflow, its endpoints in the service, and deliveries to it. */
import { createHmac, randomUUID } from 'node:crypto';
import { DataDeduplicationService } from 'n8n-core';
import type { IDataDeduplicator, IDataObject, INodeParameters } from 'n8n-workflow';
import { recordQueues } from '../../../nodes/VideoGenTrigger/deduplicationStore';
import { readObject } from '../../../nodes/core/json';
import type { SimulatorOptions } from '../../../simulator';
import { clock } from './core';
import {
	activate,
	execute,
	receive,
	type Flow,
	type ExecutionResult,
	type Received,
	type ReceiveOptions,
} from './contexts';
import { createCaller, useService } from './service';

/** The public origin of n8n. */
export const origin = 'https://flows.example';
/** The webhook URL of the trigger. */
export const url = `${origin}/webhook/hook/webhook`;

export const selectedEvents = ['avatar_video.success', 'avatar_video.fail'];

/** An endpoint as the service stores it. */
export interface Endpoint {
	id: string;
	url: string;
	events: string[] | null;
	entityId: string | null;
	secret: string;
}

/** The service, and workflows with a trigger that uses it. */
export function useTrigger(options: SimulatorOptions = {}) {
	useStore();
	const service = useService({
		pageSize: 2,
		// The service must not repeat a delivery before the test advances its clock.
		retrySeconds: 100,
		...options,
	});

	const createFlow = (parameters: INodeParameters = {}, more: Partial<Flow> = {}): Flow => ({
		service,
		parameters,
		staticData: {},
		...more,
		node: { typeVersion: 2, ...more.node },
	});

	/** Creates a workflow and activates its trigger. */
	async function activateTrigger(
		parameters: INodeParameters = {},
		more: Partial<Flow> = {},
	): Promise<Flow> {
		const flow = createFlow(parameters, more);
		await activate(flow);
		return flow;
	}

	const endpoints = () => service.control.endpoints() as Endpoint[];
	const getEndpoint = () => {
		expect(endpoints()).toHaveLength(1);
		return endpoints()[0] as Endpoint;
	};

	const call = createCaller(service);

	return { service, createFlow, activateTrigger, endpoints, getEndpoint, call };
}

/** The state of the trigger in n8n's database. */
export const readState = (flow: Flow) =>
	readObject(readObject(flow.staticData.global)[`VideoGen ${flow.node?.id ?? 'id-of-node'}`]);

/** The data that the trigger stores about its endpoint. */
export const readStored = (flow: Flow) => readObject(readState(flow).endpoint);

const sign = (secret: string, body: Buffer | string) =>
	createHmac('sha256', secret).update(body).digest('hex');

/** Creates an event of the service about a finished video. */
export const createEvent = (more: IDataObject = {}): IDataObject => ({
	event_id: randomUUID(),
	event_type: 'avatar_video.success',
	event_data: { video_id: 'video_001', callback_id: 'row-7' },
	created_at: new Date(clock.now()).toISOString(),
	...more,
});

/** Differences from a valid delivery. */
export interface DeliveryChanges {
	/** The signed text; by default, a new event. */
	body?: Buffer | string;
	/** The text that arrives, if it differs from the signed text. */
	arrivingBody?: Buffer | string;
	secret?: string;
	prefix?: string;
	eventId?: string;
	/** Seconds added to the timestamp. */
	timestampOffset?: number;
	headers?: Record<string, string | string[] | undefined>;
}

/** Creates a signed delivery as the service sends it. */
export function createDelivery(flow: Flow, sent: DeliveryChanges = {}) {
	const body = sent.body ?? JSON.stringify(createEvent());
	const prefix = (sent.prefix ?? 'Service').toLowerCase();
	const headers = {
		'content-type': 'application/json',
		[`${prefix}-signature`]: sign(sent.secret ?? String(readStored(flow).secret), body),
		[`${prefix}-timestamp`]: String(Math.floor(clock.now() / 1000) + (sent.timestampOffset ?? 0)),
		[`${prefix}-event-id`]: sent.eventId ?? randomUUID(),
		...sent.headers,
	};
	return { headers, rawBody: Buffer.from(sent.arrivingBody ?? body) };
}

/** The response to a delivery, and the result of the execution that it started, if any. */
export type DeliveryResult = Received & Partial<ExecutionResult>;

/** Sends a delivery to the trigger, and runs the execution that it starts. */
export async function deliver(
	flow: Flow,
	sent: DeliveryChanges = {},
	options: ReceiveOptions = {},
): Promise<DeliveryResult> {
	const received = await receive(flow, createDelivery(flow, sent), options);
	if (!received.started) return received;
	return { ...received, ...(await execute(flow, received.started, { type: options.type })) };
}

/**
 * n8n's store of the entries that a node has processed. Like n8n, it has one value per node, which is
 * read, changed and written as a whole.
 */
export const recorded = new Map<string, string[]>();

/** The number of entries in each call of the store. */
export const storeUses: number[] = [];

/** Errors of the next calls of the store. */
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
	getProcessedDataCount: async (_scope, { workflow, node }) =>
		recorded.get(`${workflow.id} ${node?.id}`)?.length ?? 0,
};

/** n8n initializes its service once per process. */
let initialized: Promise<void> | undefined;

/** Gives the nodes of this test file an n8n with an empty store. */
export function useStore(): void {
	beforeAll(async () => await (initialized ??= DataDeduplicationService.init(store)));
	beforeEach(() => {
		for (const place of recorded.keys()) recordQueues.delete(place);
		recorded.clear();
		storeUses.length = 0;
		storeFaults.length = 0;
	});
}
