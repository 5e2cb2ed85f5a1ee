/**
 * Runs one of our nodes on n8n's real engine, in this process, against the simulator.
 *
 * Only what n8n keeps outside the engine is stood in for: the credentials helper (it puts the API
 * key where the credential type says) and a node that gives out items.
 */
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import {
	BinaryDataService,
	ExecutionLifecycleHooks,
	InstanceSettings,
	WorkflowExecute,
} from 'n8n-core';
import {
	ICredentialsHelper,
	NodeHelpers,
	Workflow,
	type IConnections,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type { Control } from '../../../simulator';
import { during } from './time';

/** A node that gives out the items of the test. */
const itemsNode: INodeType = {
	description: {
		displayName: 'Items',
		name: 'items',
		group: ['input'],
		version: 1,
		description: 'Gives out the items of the test',
		defaults: { name: 'Items' },
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		const { items } = this.getNode().parameters as unknown as { items: INodeExecutionData[] };
		return [items];
	},
};

const nodesFolder = path.join(__dirname, '..', '..', '..', 'nodes');

const types: Record<string, INodeType> = { items: itemsNode };

/** Adds a kind of node of the test's own. */
export const addType = (name: string, type: INodeType) => (types[name] = type);

/** A node as n8n makes it into a tool of an AI agent. */
const asTool = (node: INodeType): INodeType =>
	Object.assign(Object.create(node) as INodeType, {
		description: {
			...node.description,
			name: `${node.description.name}Tool`,
			inputs: [],
			outputs: ['ai_tool'],
		},
	});

/** A node by the name of its folder; with `Tool` at the end, the same as a tool. */
export function nodeType(name: string): INodeType {
	const known = types[name];
	if (known) return known;
	if (name.endsWith('Tool')) return (types[name] = asTool(nodeType(name.slice(0, -4))));
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- only the node under test
	const loaded = require(path.join(nodesFolder, name, `${name}.node`)) as Record<
		string,
		new () => INodeType
	>;
	const Type = loaded[name];
	if (!Type) throw new Error(`no node ${name}`);
	return (types[name] = new Type());
}

export const nodeTypes: INodeTypes = {
	getByName: nodeType,
	getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(nodeType(name)),
	getKnownTypes: () => ({}),
};

class Credentials extends ICredentialsHelper {
	constructor(private readonly data: IDataObject) {
		super();
	}

	getParentTypes = (type: string) => (type === 'videoGenOAuth2Api' ? ['oAuth2Api'] : []);

	isCredentialUsableByNode = () => true;

	async authenticate(
		credentials: IDataObject,
		_type: string,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return { ...options, headers: { ...options.headers, 'X-Api-Key': credentials.apiKey } };
	}

	preAuthentication = async () => undefined;

	runPreAuthentication = async () => undefined;

	getCredentials = async () => {
		throw new Error('not used');
	};

	getDecrypted = async () => ({ ...this.data }) as never;

	updateCredentials = async () => undefined;

	async updateCredentialsOauthTokenData(_node: unknown, _type: string, data: IDataObject) {
		this.data.oauthTokenData = data.oauthTokenData;
	}

	getCredentialsProperties = () => [];
}

/** What a run of a node gave. */
export interface Result {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Items of the error output. */
	errors: INodeExecutionData[];
	error?: { message: string; description?: string; context?: IDataObject; httpCode?: string };
	run: IRun;
}

/** Settings of a run beyond the parameters of the node. */
export interface RunOptions {
	items?: INodeExecutionData[];
	node?: Partial<INode>;
	executionId?: string;
	workflowId?: string;
	credential?: IDataObject;
	/** Called with a function that stops the execution, as the stop button does. */
	onStart?: (stop: () => void) => void;
	/** The pauses of the node are waited for. Else they are passed over, see time.ts. */
	realTime?: boolean;
}

let started: Promise<void> | undefined;
let executions = 0;

async function start() {
	Container.get(InstanceSettings);
	await Container.get(BinaryDataService).init();
}

/** Starts what the engine needs, once. */
export async function ready(): Promise<void> {
	started ??= start();
	await started;
}

/** Base URL and API key of the service that the nodes call. */
export interface Service {
	baseUrl: string;
	apiKey: string;
	/** Of a simulator: its clock goes with that of the nodes. */
	control?: Control;
}

/** A node of a workflow, called by the name of its folder. */
export const nodeOf = (
	name: string,
	type: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode => ({
	id: `id-of-${name}`,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters,
	...more,
});

/** A workflow of these nodes, the first of which is `Items` and gives out these items. */
export function workflowWith(
	service: Service,
	others: INode[],
	connections: IConnections,
	options: RunOptions = {},
) {
	const items = options.items ?? [{ json: {} }];
	const nodes = [nodeOf('Items', 'items', {}), ...others];
	const workflow = new Workflow({
		id: options.workflowId ?? 'workflow',
		name: 'Test',
		nodes,
		connections,
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});
	// The items are data, not parameters with expressions in them.
	const given = workflow.getNode('Items');
	if (given) given.parameters = { items } as unknown as INodeParameters;

	const executionId = options.executionId ?? `execution-${++executions}`;
	const additionalData = {
		credentialsHelper: new Credentials({
			baseUrl: service.baseUrl,
			apiKey: service.apiKey,
			...options.credential,
		}),
		executionId,
		currentNodeExecutionIndex: 0,
		webhookWaitingBaseUrl: 'http://127.0.0.1:1/webhook-waiting',
		formWaitingBaseUrl: 'http://127.0.0.1:1/form-waiting',
		instanceBaseUrl: 'http://127.0.0.1:1',
		restApiUrl: 'http://127.0.0.1:1/rest',
		variables: {},
		hooks: new ExecutionLifecycleHooks('manual', executionId, {
			id: 'workflow',
			name: 'Test',
			active: false,
			nodes,
			connections: {},
		} as never),
	} as unknown as IWorkflowExecuteAdditionalData;
	return { workflow, additionalData };
}

/** Runs such a workflow. */
export async function runNodes(
	service: Service,
	others: INode[],
	connections: IConnections,
	options: RunOptions = {},
): Promise<IRun> {
	await ready();
	const { workflow, additionalData } = workflowWith(service, others, connections, options);
	const execute = async () => {
		const execution = new WorkflowExecute(additionalData, 'manual').run({
			workflow,
			startNode: workflow.getNode('Items') ?? undefined,
		});
		options.onStart?.(() => execution.cancel());
		return await execution;
	};
	return await during(service, execute, options.realTime);
}

/** From one node to the next. */
export const linkTo = (node: string) => ({
	main: [[{ node, type: 'main' as const, index: 0 }]],
});

/** Signs in with the credential of the test. */
export const signedIn: Partial<INode> = {
	credentials: { videoGenApi: { id: '1', name: 'Service' } },
};

/**
 * Parameters as the form stores them: tests give all options of a call in `options`, and each stands
 * in the collection that the node's own description has for it (test/unit/form/options.test.ts).
 */
function inCollections(type: string, parameters: INodeParameters): INodeParameters {
	const { options, lookAndSound = {}, ...rest } = parameters as Record<string, IDataObject>;
	if (options === undefined || typeof options !== 'object') return parameters;
	const { properties } = nodeType(type).description;
	const isShown = (one: INodeProperties) =>
		Object.entries(one.displayOptions?.show ?? {}).every(([name, values]) => {
			const first = properties.find((other) => other.name === name)?.default;
			return (values as unknown[]).includes(rest[name] ?? first);
		});
	const names = properties
		.filter((one) => one.name === 'lookAndSound' && isShown(one))
		.flatMap((one) => one.options as INodeProperties[])
		.map(({ name }) => name);
	if (names.length === 0) return parameters;
	const part = (look: boolean) =>
		Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name) === look));
	return {
		...rest,
		options: part(false),
		lookAndSound: { ...lookAndSound, ...part(true) },
	} as INodeParameters;
}

/** Runs one node (by the name of its folder) with these parameters, for these items. */
export async function runNode(
	service: Service,
	type: string,
	parameters: INodeParameters,
	options: RunOptions = {},
): Promise<Result> {
	const node = nodeOf('Node', type, inCollections(type, parameters), {
		...signedIn,
		...options.node,
	});
	const run = await runNodes(service, [node], { Items: linkTo('Node') }, options);
	const tasks = run.data.resultData.runData.Node ?? [];
	const last = tasks[tasks.length - 1];
	return {
		items: last?.data?.main?.[0] ?? [],
		errors: last?.data?.main?.[1] ?? [],
		error: (run.data.resultData.error ?? last?.error) as Result['error'],
		run,
	};
}

/** The items of a run that must go well. */
export async function itemsOf(...call: Parameters<typeof runNode>): Promise<INodeExecutionData[]> {
	const { items, error } = await runNode(...call);
	if (error) throw new Error(`${error.message}\n${error.description ?? ''}`);
	return items;
}

/** The content of a binary field, wherever n8n keeps it. */
export async function contentOf(
	item: INodeExecutionData | undefined,
	field = 'data',
): Promise<Buffer> {
	const binary = item?.binary?.[field];
	if (!binary) throw new Error(`no binary field ${field}`);
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

/** A binary field as n8n stores it, on disk. */
export async function stored(content: Buffer | Readable, fileName: string, mimeType: string) {
	await ready();
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'workflow', executionId: 'given' },
		content,
		{ data: '', mimeType, fileName },
	);
}

/** An item with a file as n8n stores it, in the field `data`. */
export const fileItem = async (
	content: Buffer | Readable,
	mimeType: string,
	fileName = 'a.bin',
) => ({
	json: {},
	binary: { data: await stored(content, fileName, mimeType) },
});

/** A resource locator by ID. */
export const byId = (value: string) => ({ __rl: true as const, mode: 'id', value });
