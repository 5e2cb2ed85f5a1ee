/**
 * The contexts that n8n's engine gives a node outside of an execution: to switch a trigger on and
 * off, to take a delivery, and to fill a list of the editor.
 *
 * As in n8n, every one of them gets a workflow made anew from what the database holds.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Container } from '@n8n/di';
import { BinaryDataService, HookContext, LoadOptionsContext, WebhookContext } from 'n8n-core';
import {
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
	type IWebhookData,
	type IWorkflowExecuteAdditionalData,
	type ResourceMapperFields,
} from 'n8n-workflow';
import { nodeType, nodeTypes, type Service } from './engine';
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

function workflowOf(
	service: Service,
	type: string,
	parameters: INodeParameters,
	options: { credential?: IDataObject; staticData?: IDataObject; origin?: string } = {},
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
	};
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Test',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
		staticData,
	});
	const { baseUrl, apiKey } = service;
	const additionalData = {
		credentialsHelper: credentialsHelper({
			webhookHeaderPrefix: 'Service',
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

function webhookOf(flow: Flow, additionalData: IWorkflowExecuteAdditionalData): IWebhookData {
	const [webhookDescription] = nodeType(trigger).description.webhooks ?? [];
	if (!webhookDescription) throw new Error('The trigger has no webhook');
	return {
		httpMethod: 'POST',
		node: 'Node',
		path: 'hook/webhook',
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
	const data = webhookOf(flow, additionalData);
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

/** What became of a delivery. */
export interface Taken {
	/** Status and body of the answer; n8n would answer by itself where there is none. */
	status?: number;
	said?: string;
	/** The items that start a run. */
	items?: INodeExecutionData[];
}

/** Gives a request to the trigger. `answered` is called when the answer goes out. */
export async function take(
	flow: Flow,
	incoming: Incoming,
	options: { answered?: () => void; type?: INodeType } = {},
): Promise<Taken> {
	await Container.get(BinaryDataService).init();
	const staticData = structuredClone(flow.staticData);
	const { workflow, node, additionalData } = workflowOf(
		flow.service,
		trigger,
		flow.parameters,
		flow.test ? { ...flow, staticData: undefined } : { ...flow, staticData },
	);
	if (flow.test) workflow.setTestStaticData(staticData);
	const taken: Taken = {};
	const response = {
		status(code: number) {
			taken.status = code;
			return response;
		},
		json(body: { message: string }) {
			taken.said = body.message;
			options.answered?.();
			return response;
		},
	};
	Object.assign(additionalData, { httpRequest: incoming, httpResponse: response });
	const context = new WebhookContext(
		workflow,
		node,
		additionalData,
		flow.test ? 'manual' : 'webhook',
		webhookOf(flow, additionalData),
		[],
		null,
	);
	const type = options.type ?? nodeType(trigger);
	const result = await during(flow.service, async () => await type.webhook?.call(context));
	save(flow, workflow);
	// An answer of the node's own, or n8n would answer a second time.
	if (taken.status !== undefined) expect(result?.noWebhookResponse).toBe(true);
	const [items] = result?.workflowData ?? [];
	return items ? { ...taken, items } : taken;
}
