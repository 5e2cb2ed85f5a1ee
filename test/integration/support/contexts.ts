/**
 * The contexts that n8n's engine gives a node outside of an execution: to switch a trigger on and
 * off, to take a delivery, and to fill a list of the editor.
 *
 * As in n8n, every one of them gets a workflow made anew from what the database holds.
 */
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import {
	ExecutionLifecycleHooks,
	HookContext,
	LoadOptionsContext,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	Workflow,
	type ICredentialsHelper,
	type IDataObject,
	type IHttpRequestOptions,
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
	type ResourceMapperFields,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { nodeType, nodeTypes, ready, type Service } from './engine';
import { during } from './time';

const trigger = 'VideoGenTrigger';

/** Puts the API key where the credential type says. */
const credentialsHelper = (data: IDataObject) =>
	({
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => data,
		preAuthentication: async () => undefined,
		authenticate: async (given: IDataObject, _type: string, options: IHttpRequestOptions) => ({
			...options,
			headers: { ...options.headers, 'X-Api-Key': given.apiKey },
		}),
	}) as unknown as ICredentialsHelper;

/** A workflow with one node, as n8n makes it for every call. */
export function workflowOf(
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
		credentialsHelper: credentialsHelper({
			baseUrl,
			apiKey,
			...credential,
		}),
		webhookBaseUrl: `${origin}/webhook`,
		webhookTestBaseUrl: `${origin}/webhook-test`,
		webhookWaitingBaseUrl: `${origin}/webhook-waiting`,
		formWaitingBaseUrl: `${origin}/form-waiting`,
		currentNodeParameters: node.parameters,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
	return { workflow, node, additionalData };
}

/** Lets the editor call a method of a node (by the name of its folder). */
async function asked<T>(
	service: Service,
	node: string,
	parameters: INodeParameters,
	method: ((this: ILoadOptionsFunctions) => Promise<T>) | undefined,
): Promise<T> {
	if (!method) throw new Error(`${node} has no such method`);
	const { workflow, node: given, additionalData } = workflowOf(service, node, parameters);
	const context = new LoadOptionsContext(workflow, given, additionalData, 'parameters.list');
	return await during(service, async () => await method.call(context));
}

/** How far a user has come in a list, and what is set in the form. */
export interface Look {
	filter?: string;
	token?: string;
	parameters?: INodeParameters;
}

/** One page of what From List shows. */
export async function search(
	service: Service,
	node: string,
	method: string,
	{ filter, token, parameters = {} }: Look = {},
): Promise<INodeListSearchResult> {
	const found = nodeType(node).methods?.listSearch?.[method];
	return await asked(
		service,
		node,
		parameters,
		found &&
			async function (this: ILoadOptionsFunctions) {
				return await found.call(this, filter, token);
			},
	);
}

/** All that From List shows, to a user who scrolls to its end. */
export async function wholeList(
	service: Service,
	node: string,
	method: string,
	look: Omit<Look, 'token'> = {},
): Promise<INodeListSearchItems[]> {
	const entries: INodeListSearchItems[] = [];
	let token: string | undefined;
	for (let pages = 0; pages < 100; pages++) {
		const page = await search(service, node, method, { ...look, token });
		entries.push(...page.results);
		if (page.paginationToken === undefined) return entries;
		token = String(page.paginationToken);
	}
	throw new Error(`${method} has no end`);
}

/** The choices of a dropdown that are loaded from the service. */
export async function choices(
	service: Service,
	node: string,
	method: string,
	parameters: INodeParameters = {},
): Promise<INodePropertyOptions[]> {
	return await asked(service, node, parameters, nodeType(node).methods?.loadOptions?.[method]);
}

/** The form fields that are made of what the service knows. */
export async function mapping(
	service: Service,
	node: string,
	method: string,
	parameters: INodeParameters = {},
): Promise<ResourceMapperFields> {
	return await asked(service, node, parameters, nodeType(node).methods?.resourceMapping?.[method]);
}

/** A workflow with a trigger in it. */
export interface Flow {
	service: Service;
	/** Of the trigger. */
	parameters: INodeParameters;
	/** Other settings of the trigger, such as its name. */
	node?: Partial<INode>;
	credential?: IDataObject;
	/** The public origin of this n8n. */
	origin?: string;
	/** Whether n8n listens for a test event, instead of running the published workflow. */
	test?: boolean;
	/** As n8n has it in its database; a test has its own, empty at first, that n8n does not store. */
	staticData: IDataObject;
}

/** Keeps the static data if it changed, which is all that n8n looks at. */
function save(flow: Flow, workflow: Workflow) {
	if (workflow.staticData.__dataChanged !== true) return;
	flow.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
}

function webhookOf(
	flow: Flow,
	node: INode,
	additionalData: IWorkflowExecuteAdditionalData,
): IWebhookData {
	const [webhookDescription] = nodeType(trigger).description.webhooks ?? [];
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

/** One of the methods that switch the trigger on and off. */
export async function hook(flow: Flow, method: 'checkExists' | 'create' | 'delete') {
	const staticData = structuredClone(flow.staticData);
	const options = { ...flow, staticData };
	const { workflow, node, additionalData } = workflowOf(
		flow.service,
		trigger,
		flow.parameters,
		options,
	);
	// The modes that n8n gives; a removal has the same one for tests and for the real thing.
	const [mode, activation] =
		method === 'delete'
			? (['internal', 'update'] as const)
			: flow.test
				? (['manual', 'manual'] as const)
				: (['trigger', 'activate'] as const);
	const data = webhookOf(flow, node, additionalData);
	const context = new HookContext(workflow, node, additionalData, mode, activation, data);
	try {
		return await during(
			flow.service,
			async () => await nodeType(trigger).webhookMethods?.default?.[method].call(context),
		);
	} finally {
		// After an error too: what the node did to its memory by then must be seen.
		save(flow, workflow);
	}
}

/** Switches the trigger on, as n8n does. */
export async function activate(flow: Flow) {
	if (!(await hook(flow, 'checkExists'))) await hook(flow, 'create');
}

/** A request as n8n's web server hands it on. */
export interface Incoming {
	/** Names in lower case. */
	headers: IncomingHttpHeaders;
	/** Missing for a form with files: n8n leaves its bytes unread. */
	rawBody?: Buffer;
}

/** What became of a request. */
export interface Taken {
	status: number;
	said: string;
	/** What starts an execution, if anything does. */
	started?: INodeExecutionData[];
}

/** The response object of n8n's web server, as far as the node and n8n use it. */
export class Response extends EventEmitter {
	statusCode = 200;

	writableFinished = false;

	said?: string;

	private closed = false;

	status(code: number) {
		this.statusCode = code;
		return this;
	}

	json(body: { message: string }) {
		if (this.said !== undefined) throw new Error('A second answer');
		this.said = body.message;
		return this;
	}

	/** Once: after the answer, or when the connection broke before it. */
	close() {
		if (this.closed) return;
		this.closed = true;
		this.writableFinished = this.said !== undefined;
		this.emit('close');
	}
}

export interface TakeOptions {
	/** How n8n stores the execution. It answers with 500 when it cannot. */
	store?: () => Promise<void>;
	/** The connection breaks while n8n stores. */
	hangUp?: boolean;
	/** The trigger of another process. */
	type?: INodeType;
}

/** Gives a request to the trigger, and answers as n8n does: what starts an execution after that is stored. */
export async function take(
	flow: Flow,
	incoming: Incoming,
	{ store, hangUp, type = nodeType(trigger) }: TakeOptions = {},
): Promise<Taken> {
	const staticData = structuredClone(flow.staticData);
	const { workflow, node, additionalData } = workflowOf(
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
		webhookOf(flow, node, additionalData),
		[],
		null,
	);
	const result = await during(flow.service, async () => await type.webhook?.call(context));
	// n8n does not keep what a webhook writes there when it answers by itself: nothing may be written.
	expect(workflow.staticData.__dataChanged).not.toBe(true);
	if (flow.test) expect(staticData).toEqual(flow.staticData);

	const [started] = result?.workflowData ?? [];
	// An answer of the node's own, or n8n would answer a second time.
	expect(result?.noWebhookResponse === true).toBe(response.said !== undefined);
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
	const taken = { status: response.statusCode, said: String(response.said) };
	return started && response.statusCode < 300 ? { ...taken, started } : taken;
}

/** What an execution put out. */
export interface Ran {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output. */
	errors: INodeExecutionData[];
	/** What ended it. */
	error?: Error & { description?: string; httpCode?: string };
}

let executions = 0;

/** Runs the trigger in the execution that a request or a poll has started, as n8n does with its `execute`. */
export async function execute(
	flow: Flow,
	started: INodeExecutionData[],
	{ mode, type = nodeType(trigger) }: { mode?: WorkflowExecuteMode; type?: INodeType } = {},
): Promise<Ran> {
	await ready();
	const staticData = structuredClone(flow.staticData);
	const { name } = type.description;
	const { workflow, node, additionalData } = workflowOf(flow.service, name, flow.parameters, {
		...flow,
		staticData,
		nodeTypes: { ...nodeTypes, getByNameAndVersion: () => type },
	});
	const executionId = `delivery-${++executions}`;
	const executionMode = mode ?? (flow.test ? 'manual' : 'webhook');
	const data = createRunExecutionData({
		executionData: {
			// From the database, like all that an execution begins with.
			nodeExecutionStack: [{ node, data: { main: [structuredClone(started)] }, source: null }],
		},
	});
	Object.assign(additionalData, {
		executionId,
		currentNodeExecutionIndex: 0,
		hooks: new ExecutionLifecycleHooks(executionMode, executionId, {} as never),
	});
	const run = await during(
		flow.service,
		async () =>
			await new WorkflowExecute(additionalData, executionMode, data).processRunExecutionData(
				workflow,
			),
	);
	expect(workflow.staticData.__dataChanged).not.toBe(true);
	const { main } = run.data.resultData.runData[node.name]?.at(-1)?.data ?? {};
	return {
		items: main?.[0] ?? [],
		errors: main?.[1] ?? [],
		error: run.data.resultData.error as Ran['error'],
	};
}
