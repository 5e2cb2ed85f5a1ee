/**
 * The contexts that n8n's engine passes to a node outside of an execution: to switch a trigger on and
 * off, to receive a delivery, and to load a list of the editor.
 *
 * As in n8n, each context has a new workflow from the database.
 */
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import {
	ExecutionLifecycleHooks,
	HookContext,
	LoadOptionsContext,
	TriggerContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type INodeListSearchItems,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypes,
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowActivateMode,
	type ResourceMapperFields,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import {
	Credentials,
	loadNodeType,
	nodeTypes,
	prepareEngine,
	type Result,
	type Service,
} from './engine';
import { withVirtualTime } from './time';

const trigger = 'VideoGenTrigger';

/** Creates a workflow with one node, as n8n does for every call. */
export function createWorkflow(
	service: Service,
	type: string,
	parameters: INodeParameters,
	options: {
		credential?: IDataObject;
		staticData?: IDataObject;
		origin?: string;
		node?: Partial<INode>;
		nodeTypes?: INodeTypes;
	} = {},
) {
	const { credential, staticData, origin = 'https://flows.example' } = options;
	const node: INode = {
		id: 'id-of-node',
		name: 'Node',
		type,
		typeVersion: 1,
		position: [0, 0],
		webhookId: 'hook',
		parameters: structuredClone(parameters),
		credentials: { videoGenApi: { id: '1', name: 'Service' } },
		...options.node,
	};
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Test',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: options.nodeTypes ?? nodeTypes,
		staticData,
	});
	const { baseUrl, apiKey } = service;
	const additionalData = {
		credentialsHelper: new Credentials({ baseUrl, apiKey, ...credential }),
		webhookBaseUrl: `${origin}/webhook`,
		webhookTestBaseUrl: `${origin}/webhook-test`,
		webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		currentNodeParameters: node.parameters,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	return { workflow, node, additionalData };
}

/** Calls a method of a node (by the name of its folder), as the editor does. */
async function callMethod<T>(
	service: Service,
	node: string,
	parameters: INodeParameters,
	call: (n8n: ILoadOptionsFunctions) => Promise<T | undefined>,
	hasCredential = true,
): Promise<T> {
	const { workflow, node: created, additionalData } = createWorkflow(service, node, parameters);
	if (!hasCredential) delete created.credentials;
	const context = new LoadOptionsContext(workflow, created, additionalData, 'parameters.list');
	const result = await withVirtualTime(service, async () => await call(context));
	if (result === undefined) throw new Error(`${node} has no such method`);
	return result;
}

/** The page and filter of a list, and the parameters of the form. */
export interface ListQuery {
	filter?: string;
	token?: string;
	parameters?: INodeParameters;
}

/** Loads one page of From List. */
export async function loadListPage(
	service: Service,
	node: string,
	method: string,
	{ filter, token, parameters = {} }: ListQuery = {},
): Promise<INodeListSearchResult> {
	const search = loadNodeType(node).methods?.listSearch?.[method];
	return await callMethod(
		service,
		node,
		parameters,
		async (n8n) => await search?.call(n8n, filter, token),
	);
}

/** Loads all pages of From List, as a user who scrolls to its end does. */
export async function readWholeList(
	service: Service,
	node: string,
	method: string,
	query: Omit<ListQuery, 'token'> = {},
): Promise<INodeListSearchItems[]> {
	const entries: INodeListSearchItems[] = [];
	let token: string | undefined;
	for (let pages = 0; pages < 100; pages++) {
		const page = await loadListPage(service, node, method, { ...query, token });
		entries.push(...page.results);
		if (page.paginationToken === undefined) return entries;
		token = String(page.paginationToken);
	}
	throw new Error(`${method} has no end`);
}

/** Loads the options of a dropdown from the service. */
export const loadChoices = async (
	service: Service,
	node: string,
	method: string,
	parameters: INodeParameters = {},
	hasCredential = true,
): Promise<INodePropertyOptions[]> =>
	await callMethod(
		service,
		node,
		parameters,
		async (n8n) => await loadNodeType(node).methods?.loadOptions?.[method]?.call(n8n),
		hasCredential,
	);

/** Loads the form fields that depend on the service. */
export const loadMapping = async (
	service: Service,
	node: string,
	method: string,
	parameters: INodeParameters = {},
): Promise<ResourceMapperFields> =>
	await callMethod(
		service,
		node,
		parameters,
		async (n8n) => await loadNodeType(node).methods?.resourceMapping?.[method]?.call(n8n),
	);

/** A workflow with a trigger in it. */
export interface Flow {
	service: Service;
	/** Parameters of the trigger. */
	parameters: INodeParameters;
	/** Other settings of the trigger, such as its name. */
	node?: Partial<INode>;
	credential?: IDataObject;
	/** The public origin of this n8n. */
	origin?: string;
	/** Whether n8n listens for a test event instead of running the published workflow. */
	test?: boolean;
	/** The static data in n8n's database. A test run has its own, which n8n does not store. */
	staticData: IDataObject;
}

/** Stores the static data if its change flag is set: n8n checks only the flag. */
function saveStaticData(flow: Flow, workflow: Workflow) {
	if (workflow.staticData.__dataChanged !== true) return;
	flow.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
}

function createWebhook(
	flow: Flow,
	node: INode,
	additionalData: IWorkflowExecuteAdditionalData,
): IWebhookData {
	const [webhookDescription] = loadNodeType(trigger).description.webhooks ?? [];
	if (!webhookDescription) throw new Error('The trigger has no webhook');
	return {
		httpMethod: 'POST',
		node: node.name,
		path: `${node.webhookId}/webhook`,
		webhookDescription,
		workflowId: 'workflow',
		workflowExecuteAdditionalData: additionalData,
		isTest: flow.test === true,
	};
}

/** Calls one of the methods that switch the trigger on and off. */
export async function callHook(
	flow: Flow,
	method: 'checkExists' | 'create' | 'delete',
	start: WorkflowActivateMode = 'activate',
) {
	const { service, parameters } = flow;
	const options = { ...flow, staticData: structuredClone(flow.staticData) };
	const { workflow, node, additionalData } = createWorkflow(service, trigger, parameters, options);
	// The modes that n8n passes. A removal has the same modes in tests and in production.
	const [mode, activation] =
		method === 'delete'
			? (['internal', 'update'] as const)
			: flow.test
				? (['manual', 'manual'] as const)
				: (['trigger', start] as const);
	const data = createWebhook(flow, node, additionalData);
	const context = new HookContext(workflow, node, additionalData, mode, activation, data);
	try {
		const hook = loadNodeType(trigger).webhookMethods?.default?.[method];
		return await withVirtualTime(service, async () => await hook?.call(context));
	} finally {
		// After an error too, so that tests see what the node stored before it.
		saveStaticData(flow, workflow);
	}
}

/** Switches the trigger on, as n8n does. */
export async function activate(flow: Flow, mode: WorkflowActivateMode = 'activate') {
	if (!(await callHook(flow, 'checkExists', mode))) await callHook(flow, 'create', mode);
}

/** The trigger of a published workflow, in a process of n8n. */
export interface RunningTrigger {
	/** The items of each execution that the trigger has started by itself. */
	emitted: INodeExecutionData[][];
	stop(): Promise<void>;
}

/** Starts the trigger as n8n does after it has registered the webhook, and when n8n starts. */
export async function startTrigger(
	flow: Flow,
	activation: WorkflowActivateMode = 'activate',
	type = loadNodeType(trigger),
): Promise<RunningTrigger> {
	const { service, parameters } = flow;
	const options = { ...flow, staticData: structuredClone(flow.staticData) };
	const { workflow, node, additionalData } = createWorkflow(service, trigger, parameters, options);
	const emitted: INodeExecutionData[][] = [];
	const emit = ([items = []]: INodeExecutionData[][]) => {
		saveStaticData(flow, workflow);
		emitted.push(items);
	};
	const mode = flow.test ? 'manual' : 'trigger';
	const context = new TriggerContext(workflow, node, additionalData, mode, activation, emit);
	const response = await withVirtualTime(service, async () => await type.trigger?.call(context));
	saveStaticData(flow, workflow);
	return { emitted, stop: async () => await response?.closeFunction?.() };
}

/** A request as n8n's web server passes it to a node. */
export interface Incoming {
	/** Names in lower case. */
	headers: IncomingHttpHeaders;
	/** Missing for a form with files, and until `readRawBody` if n8n does not parse the content type. */
	rawBody?: Buffer;
	/** Reads the body from the connection, and sets `rawBody`. */
	readRawBody?(): Promise<void>;
}

/** The response to a request. */
export interface Received {
	status: number;
	message: string;
	/** The items that start an execution; undefined if none starts. */
	started?: INodeExecutionData[];
}

/** The parts of the response object of n8n's web server that the node and n8n use. */
export class Response extends EventEmitter {
	statusCode = 200;

	writableFinished = false;

	message?: string;

	private closed = false;

	status(code: number) {
		this.statusCode = code;
		return this;
	}

	json(body: { message: string }) {
		if (this.message !== undefined) throw new Error('A second response');
		this.message = body.message;
		return this;
	}

	/** Emits once: after the response, or when the connection breaks before it. */
	close() {
		if (this.closed) return;
		this.closed = true;
		this.writableFinished = this.message !== undefined;
		this.emit('close');
	}
}

export interface ReceiveOptions {
	/** Stores the execution. n8n responds with 500 if this fails. */
	store?: () => Promise<void>;
	/** Whether the connection breaks while n8n stores the execution. */
	hangUp?: boolean;
	/** The trigger in another process. */
	type?: INodeType;
}

/** Passes a request to the trigger and responds as n8n does: after the execution is stored. */
export async function receive(
	flow: Flow,
	incoming: Incoming,
	{ store, hangUp, type = loadNodeType(trigger) }: ReceiveOptions = {},
): Promise<Received> {
	const staticData = structuredClone(flow.staticData);
	const { workflow, node, additionalData } = createWorkflow(
		flow.service,
		trigger,
		flow.parameters,
		flow.test ? { ...flow, staticData: undefined } : { ...flow, staticData },
	);
	if (flow.test) workflow.setTestStaticData(staticData);
	const response = new Response();
	Object.assign(additionalData, { httpRequest: incoming, httpResponse: response });
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		flow.test ? 'manual' : 'webhook',
		createWebhook(flow, node, additionalData),
		[],
		null,
	);
	const result = await withVirtualTime(flow.service, async () => await type.webhook?.call(context));
	// n8n drops static data that a webhook changes before it starts an execution: it must not change.
	if (result?.workflowData) expect(workflow.staticData.__dataChanged).not.toBe(true);
	if (!flow.test) saveStaticData(flow, workflow);
	if (flow.test) expect(staticData).toEqual(flow.staticData);

	const [started] = result?.workflowData ?? [];
	// If the node responds itself, n8n must not respond again.
	expect(result?.noWebhookResponse === true).toBe(response.message !== undefined);
	if (result?.noWebhookResponse !== true) {
		if (hangUp) response.close();
		try {
			if (started) await store?.();
			response.json(result?.webhookResponse as { message: string });
		} catch (error) {
			response.status(500).json({ message: (error as Error).message });
		}
	}
	response.close();
	const received = { status: response.statusCode, message: String(response.message) };
	return started && response.statusCode < 300 ? { ...received, started } : received;
}

/** The output of an execution. */
export type ExecutionResult = Omit<Result, 'run'>;

let executions = 0;

/** Runs the trigger in the execution that a request or a poll started, as n8n does. */
export async function execute(
	flow: Flow,
	started: INodeExecutionData[],
	{ mode, type = loadNodeType(trigger) }: { mode?: WorkflowExecuteMode; type?: INodeType } = {},
): Promise<ExecutionResult> {
	await prepareEngine();
	const staticData = structuredClone(flow.staticData);
	const { name } = type.description;
	const { workflow, node, additionalData } = createWorkflow(flow.service, name, flow.parameters, {
		...flow,
		staticData,
		nodeTypes: { ...nodeTypes, getByNameAndVersion: () => type },
	});
	const executionId = `delivery-${++executions}`;
	const executionMode = mode ?? (flow.test ? 'manual' : 'webhook');
	const data = createRunExecutionData({
		executionData: {
			// A copy, because n8n reads the input of an execution from its database.
			nodeExecutionStack: [{ node, data: { main: [structuredClone(started)] }, source: null }],
		},
	});
	Object.assign(additionalData, {
		executionId,
		currentNodeExecutionIndex: 0,
		hooks: new ExecutionLifecycleHooks(executionMode, executionId, {} as never),
	});
	const execution = new WorkflowExecute(additionalData, executionMode, data);
	const run = await withVirtualTime(
		flow.service,
		async () => await execution.processRunExecutionData(workflow),
	);
	expect(workflow.staticData.__dataChanged).not.toBe(true);
	const { main } = run.data.resultData.runData[node.name]?.at(-1)?.data ?? {};
	return {
		items: main?.[0] ?? [],
		errors: main?.[1] ?? [],
		error: run.data.resultData.error as ExecutionResult['error'],
	};
}
