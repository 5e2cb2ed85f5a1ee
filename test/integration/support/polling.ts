/** A polling trigger in an n8n that can be killed: with a database, and processes that come and go. */
import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	Workflow,
} from 'n8n-workflow';
import type { SimulatorOptions } from '../../../simulator';
import { execute, workflowOf, type Flow, type Ran } from './contexts';
import { nodeTypes, ready, type Service } from './engine';
import { callOf, useService } from './service';
import { during, runOn } from './time';

/** Puts out nothing and fails with nothing. */
const nothing: Ran = { items: [], errors: [] };

/** A trigger of a new process: nothing is in its memory. */
async function freshType(): Promise<INodeType> {
	let type: INodeType | undefined;
	await jest.isolateModulesAsync(async () => {
		runOn((await import('./core')).clock);
		const module =
			await import('../../../nodes/VideoGenPollingTrigger/VideoGenPollingTrigger.node');
		type = new module.VideoGenPollingTrigger();
	});
	if (!type) throw new Error('no node');
	return type;
}

/** What n8n still does with the news of a poll before it is killed. */
export type Killed = 'before the run is stored' | 'before the position is stored';

export interface Polling {
	readonly flow: Flow;
	/** What n8n's database holds of the workflow. */
	readonly stored: IDataObject;
	/** Everything that the trigger has put out, by id of the event. */
	readonly put: string[];
	/** A poll, and the run that it starts, if it does. */
	poll(options?: { killed?: Killed }): Promise<Ran>;
	/** A poll without what n8n does with it. */
	look(): Promise<INodeExecutionData[][] | null>;
	/** n8n stops at once, and starts again: it polls when it publishes the workflow. */
	restart(): Promise<Ran>;
	/** Fetch Test Event. */
	test(): Promise<Ran>;
}

/** A flow that begins with a polling trigger. It is published, but has not polled yet. */
export async function pollingOf(
	service: Service,
	parameters: INodeParameters = {},
	more: Partial<Flow> = {},
): Promise<Polling> {
	await ready();
	const flow: Flow = { service, parameters, staticData: {}, ...more };
	const put: string[] = [];
	let type = await freshType();
	let process: { workflow: Workflow; context: PollContext } | undefined;

	const begin = () => {
		const { workflow, node, additionalData } = workflowOf(
			service,
			type.description.name,
			flow.parameters,
			{
				...flow,
				staticData: structuredClone(flow.staticData),
				nodeTypes: { ...nodeTypes, getByNameAndVersion: () => type },
			},
		);
		const context = new PollContext(workflow, node, additionalData, 'trigger', 'activate');
		return { workflow, context };
	};
	/** Of the process, as n8n writes it. */
	const save = () => {
		const { workflow } = process ?? begin();
		flow.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	};
	const run = async (items: INodeExecutionData[]) => {
		const ran = await execute(flow, items, { mode: 'trigger', type });
		put.push(...ran.items.map(({ json }) => String(json.event_id)));
		return ran;
	};
	const look = async () => {
		process ??= begin();
		const { context } = process;
		return (await during(service, async () => await type.poll?.call(context))) ?? null;
	};
	const poll: Polling['poll'] = async ({ killed } = {}) => {
		const isFirst = process === undefined;
		const [items] = (await look()) ?? [];
		// n8n stores the position when a run begins, and when it has published the workflow.
		if ((items || isFirst) && killed !== 'before the position is stored') save();
		return items && killed !== 'before the run is stored' ? await run(items) : nothing;
	};
	return {
		flow,
		get stored() {
			return flow.staticData;
		},
		put,
		poll,
		look,
		async restart() {
			process = undefined;
			type = await freshType();
			return await poll();
		},
		test: async () => await execute(flow, [{ json: {} }], { mode: 'manual', type }),
	};
}

/** The service, with an address registered that nobody answers at: it lists its events all the same. */
export function usePolling(options: SimulatorOptions = {}) {
	const service = useService({ pageSize: 7, retrySeconds: 80_000, ...options });

	const call = callOf(service);

	const register = async (url = 'https://nobody.example/events', more: object = {}) =>
		await call('POST /v3/webhooks/endpoints', { url, ...more });

	let made = 0;
	/** So many events, and the videos that they name. */
	const emit = (count: number, type = 'avatar_video.success') =>
		Array.from({ length: count }, () => {
			const video = `v${++made}`;
			service.control.emit(type, { video_id: video });
			return video;
		});

	return { service, call, register, emit };
}
