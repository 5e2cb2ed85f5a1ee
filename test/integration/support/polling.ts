/** A polling trigger in an n8n with a database, and with processes that can be killed. */
import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import type { SimulatorOptions } from '../../../simulator';
import { execute, createWorkflow, type Flow, type ExecutionResult } from './contexts';
import { nodeTypes, prepareEngine, type Service } from './engine';
import { loadInNewProcess } from './newProcess';
import { createCaller, useService } from './service';
import { withVirtualTime } from './time';
import { useStore } from './trigger';

/** An execution without items and errors. */
const noResult: ExecutionResult = { items: [], errors: [] };

const loadFreshType = () => loadInNewProcess('VideoGenPollingTrigger');

/** When n8n is killed after a poll. */
export type KillTime = 'before the run is stored' | 'before the position is stored';

export interface Polling {
	readonly flow: Flow;
	/** The static data in n8n's database. */
	readonly stored: IDataObject;
	/** Event IDs of all items that the trigger has output. */
	readonly outputIds: string[];
	/** Polls, and runs the execution that the poll starts, if any. */
	poll(options?: { killed?: KillTime }): Promise<ExecutionResult>;
	/** Polls without an execution, and stores no cursor. */
	pollOnly(): Promise<INodeExecutionData[][] | null>;
	/** Kills n8n and starts it again. n8n polls when it publishes the workflow. */
	restart(): Promise<ExecutionResult>;
	/** Runs the trigger as the button Fetch Test Event does. */
	fetchTestEvent(): Promise<ExecutionResult>;
}

/** Creates a published workflow with a polling trigger that has not polled yet. */
export async function createPollingTrigger(
	service: Service,
	parameters: INodeParameters = {},
	more: Partial<Flow> = {},
): Promise<Polling> {
	await prepareEngine();
	const flow: Flow = { service, parameters: { ...parameters }, staticData: {}, ...more };
	const put: string[] = [];
	let type = loadFreshType();
	let process: { workflow: Workflow; context: PollContext } | undefined;

	let mode: WorkflowActivateMode = 'activate';
	const begin = () => {
		const { workflow, node, additionalData } = createWorkflow(
			service,
			type.description.name,
			flow.parameters,
			{
				...flow,
				staticData: structuredClone(flow.staticData),
				nodeTypes: { ...nodeTypes, getByNameAndVersion: () => type },
			},
		);
		const context = new PollContext(workflow, node, additionalData, 'trigger', mode);
		return { workflow, context };
	};
	/** Writes the static data of the process to the database. */
	const save = () => {
		const { workflow } = process ?? begin();
		flow.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	};
	const run = async (items: INodeExecutionData[]) => {
		const ran = await execute(flow, items, { mode: 'trigger', type });
		put.push(...ran.items.map(({ json }) => String(json.event_id)));
		return ran;
	};
	const pollOnly = async () => {
		process ??= begin();
		const { context } = process;
		return (await withVirtualTime(service, async () => await type.poll?.call(context))) ?? null;
	};
	const poll: Polling['poll'] = async ({ killed } = {}) => {
		const isFirst = process === undefined;
		const [items] = (await pollOnly()) ?? [];
		// n8n stores the position when a run begins, and when it has published the workflow.
		if ((items || isFirst) && killed !== 'before the position is stored') save();
		return items && killed !== 'before the run is stored' ? await run(items) : noResult;
	};
	return {
		flow,
		get stored() {
			return flow.staticData;
		},
		outputIds: put,
		poll,
		pollOnly,
		async restart() {
			process = undefined;
			mode = 'init';
			type = loadFreshType();
			return await poll();
		},
		fetchTestEvent: async () => await execute(flow, [{ json: {} }], { mode: 'manual', type }),
	};
}

/** The service, and helpers to register a URL without a server: events are listed all the same. */
export function usePolling(options: SimulatorOptions = {}) {
	useStore();
	const service = useService({ pageSize: 7, retrySeconds: 80_000, ...options });

	const call = createCaller(service);

	const register = async (url = 'https://no-server.example/events', more: object = {}) =>
		await call('POST /v3/webhooks/endpoints', { url, ...more });

	let made = 0;
	/** Emits N events. Returns the IDs of their videos. */
	const emit = (count: number, type = 'avatar_video.success') =>
		Array.from({ length: count }, () => {
			const video = `v${++made}`;
			service.control.emit(type, { video_id: video });
			return video;
		});

	return { service, call, register, emit };
}
