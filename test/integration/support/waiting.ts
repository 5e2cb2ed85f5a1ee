/** VideoGen Wait for Job in a workflow: its checks, and how its execution resumes. */
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
	createNode,
	describeType,
	loadNodeType,
	runNodes,
	signedIn,
	buildWorkflow,
	type Service,
} from './engine';
import { withVirtualTime } from './time';

export const waitNode = 'VideoGenWait';

/** A node that outputs its input. */
addType('passing', {
	description: describeType('passing'),
	async execute() {
		return [this.getInputData()];
	},
});

/** A workflow with items and a Wait node, with or without its loop. */
export interface WaitSettings {
	items: INodeExecutionData[];
	parameters?: INodeParameters;
	node?: Partial<INode>;
	/** Whether Still Running is connected back to the node. */
	isLooped?: boolean;
	/** Whether the error output is connected back to the node. */
	returnsErrors?: boolean;
	executionId?: string;
}

/** A suspended or finished execution. */
export interface WaitRun {
	run: IRun;
	/** When n8n resumes it; undefined if it is finished. */
	resumeAt?: Date;
	unfinished: INodeExecutionData[];
	finished: INodeExecutionData[];
	errors: INodeExecutionData[];
	error?: { message: string; description?: string };
}

let executions = 0;

/** Creates a workflow with the Wait node, which can run and be resumed. */
export function createWaitFlow(service: Service, setting: WaitSettings) {
	const { items, parameters = {}, node = {}, isLooped: looped = true } = setting;
	const executionId = setting.executionId ?? `wait-${++executions}`;
	const to = (name: string) => ({ node: name, type: 'main' as const, index: 0 });
	const connections: IConnections = {
		Items: { main: [[to('Wait')]] },
		Wait: {
			main: [looped ? [to('Wait')] : [], [to('Next')], setting.returnsErrors ? [to('Wait')] : []],
		},
	};
	const nodes = () => [
		createNode('Wait', waitNode, parameters, { ...signedIn, ...structuredClone(node) }),
		createNode('Next', 'passing', {}),
	];

	/** The workflow as n8n builds it for every call. */
	const build = () => buildWorkflow(service, nodes(), connections, { items, executionId });

	const readRun = (run: IRun): WaitRun => {
		const task = run.data.resultData.runData.Wait?.at(-1);
		const { main } = task?.data ?? {};
		return {
			run,
			...(run.waitTill ? { resumeAt: new Date(run.waitTill) } : {}),
			unfinished: main?.[0] ?? [],
			finished: main?.[1] ?? [],
			errors: main?.[2] ?? [],
			error: (run.data.resultData.error ?? task?.error) as WaitRun['error'],
		};
	};

	/** The execution as n8n's database returns it. */
	const readStored = ({ run }: WaitRun) => structuredClone(run.data);

	const continueRun = async (data: IRunExecutionData): Promise<WaitRun> => {
		const { workflow, additionalData } = build();
		const execution = new WorkflowExecute(additionalData, 'manual', data);
		return readRun(
			await withVirtualTime(service, async () => await execution.processRunExecutionData(workflow)),
		);
	};

	/** Sends a callback to the suspended execution, as n8n does. Returns the data to resume with, if any. */
	async function sendCallback(state: WaitRun, body: IDataObject = {}) {
		const { workflow, additionalData } = build();
		const data = readStored(state);
		const type = loadNodeType(waitNode);
		const httpResponse = new Response();
		Object.assign(additionalData, { httpRequest: { body, headers: {} }, httpResponse });
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
		const result = await withVirtualTime(service, async () => await type.webhook?.call(context));
		// If the node responds itself, n8n must not respond again.
		expect(result?.noWebhookResponse === true).toBe(httpResponse.message !== undefined);
		if (result?.noWebhookResponse !== true) httpResponse.json(result?.webhookResponse as never);
		const response = { status: httpResponse.statusCode, message: String(httpResponse.message) };
		if (!result?.workflowData) return { response };
		const [entry] = data.executionData?.nodeExecutionStack ?? [];
		if (!entry) throw new Error('No node is waiting');
		data.waitTill = undefined;
		entry.node.disabled = true;
		entry.data.main = result.workflowData;
		entry.metadata = { ...entry.metadata, forwardAllOutputs: true } as never;
		data.resultData.runData.Wait?.pop();
		return { response, resumed: data };
	}

	return {
		start: async () =>
			readRun(
				await runNodes(service, nodes(), connections, { items, executionId, isResumed: false }),
			),
		/** Resumes the execution when its time has come, as n8n does. */
		async resume(state: WaitRun) {
			const left = (state.resumeAt?.getTime() ?? 0) - clock.now();
			await withVirtualTime(service, async () => await clock.sleep(Math.max(left, 0)));
			return await continueRun(readStored(state));
		},
		sendCallback,
		continueRun,
		/** Lets N seconds pass. */
		pass: async (seconds: number) =>
			await withVirtualTime(service, async () => await clock.sleep(seconds * 1000)),
		/** Sends a callback, and runs the resumed execution, if any. */
		async callBack(state: WaitRun, body: IDataObject = {}) {
			const { response, resumed } = await sendCallback(state, body);
			return { response, ...(resumed ? { state: await continueRun(resumed) } : {}) };
		},
	};
}
