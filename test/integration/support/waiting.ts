/** VideoGen Wait for Job in a workflow: its looks, and what wakes it. */
import { WebhookContext, WorkflowExecute } from 'n8n-core';
import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
	IRunExecutionData,
} from 'n8n-workflow';
import { Response } from './contexts';
import { clock } from './core';
import {
	addType,
	nodeOf,
	nodeType,
	runNodes,
	signedIn,
	workflowWith,
	type Service,
} from './engine';
import { during } from './time';

export const waitNode = 'VideoGenWait';

/** A node that gives out what it gets. */
addType('passing', {
	description: {
		displayName: 'Passing',
		name: 'passing',
		group: ['transform'],
		version: 1,
		description: 'Gives out what it gets',
		defaults: { name: 'Passing' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
});

/** A workflow: items, a node that waits, with or without its loop. */
export interface Setting {
	items: INodeExecutionData[];
	parameters?: INodeParameters;
	node?: Partial<INode>;
	/** Whether Still Running leads back to the node. */
	looped?: boolean;
	executionId?: string;
}

/** An execution that stands or has ended. */
export interface Stand {
	run: IRun;
	/** When it wakes by itself; nothing where it has ended. */
	until?: Date;
	unfinished: INodeExecutionData[];
	finished: INodeExecutionData[];
	errors: INodeExecutionData[];
	error?: { message: string; description?: string };
}

let executions = 0;

/** Runs the node in a workflow of its own, and wakes it. */
export function waiting(service: Service, setting: Setting) {
	const { items, parameters = {}, node = {}, looped = true } = setting;
	const executionId = setting.executionId ?? `wait-${++executions}`;
	const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });
	const connections: IConnections = {
		Items: { main: [[to('Wait')]] },
		Wait: { main: [looped ? [to('Wait')] : [], [to('Next')]] },
	};
	const nodes = () => [
		nodeOf('Wait', waitNode, parameters, { ...signedIn, ...structuredClone(node) }),
		nodeOf('Next', 'passing', {}),
	];

	const standOf = (run: IRun): Stand => {
		const task = run.data.resultData.runData.Wait?.at(-1);
		const { main } = task?.data ?? {};
		return {
			run,
			...(run.waitTill ? { until: new Date(run.waitTill) } : {}),
			unfinished: main?.[0] ?? [],
			finished: main?.[1] ?? [],
			errors: main?.[2] ?? [],
			error: (run.data.resultData.error ?? task?.error) as Stand['error'],
		};
	};

	/** From n8n's database. */
	const stored = ({ run }: Stand) => structuredClone(run.data);

	const goOn = async (data: IRunExecutionData): Promise<Stand> => {
		const { workflow, additionalData } = workflowWith(service, nodes(), connections, {
			items,
			executionId,
		});
		const execution = new WorkflowExecute(additionalData, 'manual', data);
		return standOf(
			await during(service, async () => await execution.processRunExecutionData(workflow)),
		);
	};

	/** As n8n does with a call to an execution that waits: what it goes on with, if it does. */
	async function ring(stand: Stand, body: IDataObject = {}) {
		const { workflow, additionalData } = workflowWith(service, nodes(), connections, {
			items,
			executionId,
		});
		const data = stored(stand);
		const type = nodeType(waitNode);
		const response = new Response();
		Object.assign(additionalData, { httpRequest: { body, headers: {} }, httpResponse: response });
		const [webhookDescription] = type.description.webhooks ?? [];
		const context = new WebhookContext(
			workflow,
			workflow.getNode('Wait') as INode,
			additionalData,
			'manual',
			{ webhookDescription } as never,
			[],
			data,
		);
		const result = await during(service, async () => await type.webhook?.call(context));
		// An answer of the node's own, or n8n would answer a second time.
		expect(result?.noWebhookResponse === true).toBe(response.said !== undefined);
		if (result?.noWebhookResponse !== true) response.json(result?.webhookResponse as never);
		const answer = { status: response.statusCode, said: String(response.said) };
		if (!result?.workflowData) return { answer };
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		if (!entry) throw new Error('Nothing is waiting');
		data.waitTill = undefined;
		entry.node.disabled = true;
		entry.data.main = result.workflowData;
		entry.metadata = { ...entry.metadata, forwardAllOutputs: true } as never;
		data.resultData.runData.Wait?.pop();
		return { answer, woken: data };
	}

	return {
		start: async () =>
			standOf(await runNodes(service, nodes(), connections, { items, executionId })),
		/** As n8n does when the time has come. */
		async wake(stand: Stand) {
			const left = (stand.until?.getTime() ?? 0) - clock.now();
			await during(service, async () => await clock.sleep(Math.max(left, 0)));
			return await goOn(stored(stand));
		},
		/** A call of the service, answered as n8n does. */
		ring,
		/** The same, and what it wakes. */
		async call(stand: Stand, body: IDataObject = {}) {
			const { answer, woken } = await ring(stand, body);
			return { answer, ...(woken ? { stand: await goOn(woken) } : {}) };
		},
	};
}
