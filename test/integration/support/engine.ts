/**
 * Runs one of our nodes on n8n's real engine, in this process, against the simulator.
 *
 * Two parts of n8n that are outside the engine are replaced: the credentials helper and a node that
 * outputs items.
 */
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import { parse, stringify } from 'flatted';
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
	type ICredentialDataDecryptedObject,
	type IConnections,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type IRun,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { VideoGenApi } from '../../../credentials/VideoGenApi.credentials';
import type { Control } from '../../../simulator';
import { clock, collectionNames } from './core';
import { withVirtualTime } from './time';

/** The description of a node that a test defines. */
export const describeType = (
	name: string,
	inputs: INodeTypeDescription['inputs'] = ['main'],
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: 'A node of the test',
	defaults: { name },
	inputs,
	outputs: ['main'],
	properties: [],
});

/** A node that outputs the items of the test. */
const itemsNode: INodeType = {
	description: describeType('items', []),
	async execute() {
		const { items } = this.getNode().parameters as unknown as { items: INodeExecutionData[] };
		return [items];
	},
};

export const nodesFolder = path.join(__dirname, '..', '..', '..', 'nodes');

const types: Record<string, INodeType> = { items: itemsNode };

/** Adds a node type that a test defines. */
export const addType = (name: string, type: INodeType) => (types[name] = type);

/** Converts a node into a tool of an AI agent, as n8n does. */
const toTool = (node: INodeType): INodeType =>
	Object.assign(Object.create(node) as INodeType, {
		description: {
			...node.description,
			name: `${node.description.name}Tool`,
			inputs: [],
			outputs: ['ai_tool'],
		},
	});

/** Loads a node by the name of its folder. With `Tool` at the end, it is loaded as a tool. */
export function loadNodeType(name: string): INodeType {
	const known = types[name];
	if (known) return known;
	if (name.endsWith('Tool')) return (types[name] = toTool(loadNodeType(name.slice(0, -4))));
	return (types[name] = requireNodeType(name));
}

/** Loads the module of a node, and creates its type. */
export function requireNodeType(name: string): INodeType {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- only the node under test
	const loaded = require(path.join(nodesFolder, name, `${name}.node.ts`)) as Record<
		string,
		new () => INodeType
	>;
	const Type = loaded[name];
	if (!Type) throw new Error(`no node ${name}`);
	return new Type();
}

export const nodeTypes: INodeTypes = {
	getByName: loadNodeType,
	getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(loadNodeType(name)),
	getKnownTypes: () => ({}),
};

const apiKeyType = new VideoGenApi();

/** Sends the API key as the credential type does. */
export class Credentials extends ICredentialsHelper {
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
		return await apiKeyType.authenticate(credentials as ICredentialDataDecryptedObject, options);
	}

	preAuthentication = async () => undefined;

	runPreAuthentication = async () => undefined;

	getCredentials = async () => {
		throw new Error('not used');
	};

	async getDecrypted() {
		return { ...this.data } as never;
	}

	updateCredentials = async () => undefined;

	async updateCredentialsOauthTokenData(_node: unknown, _type: string, data: IDataObject) {
		this.data.oauthTokenData = data.oauthTokenData;
	}

	getCredentialsProperties = () => [];
}

/** The result of a run of a node. */
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
	/** How n8n executes the workflow. The default is a trigger. */
	mode?: WorkflowExecuteMode;
	/** Whether the execution resumes when it is suspended. It does unless this is `false`. */
	isResumed?: boolean;
	/** Called whenever the execution has been suspended, before it resumes. */
	onSuspend?: (run: IRun) => void;
	/** Called with a function that stops the execution, as the stop button does. */
	onStart?: (stop: () => void) => void;
}

let started: Promise<void> | undefined;
let executions = 0;

async function startEngine() {
	Container.get(InstanceSettings);
	await Container.get(BinaryDataService).init();
}

/** Starts the services that the engine needs, once. */
export async function prepareEngine(): Promise<void> {
	started ??= startEngine();
	await started;
}

/** Base URL and API key of the service that the nodes call. */
export interface Service {
	baseUrl: string;
	apiKey: string;
	/** The control of a simulator: its clock follows that of the nodes. */
	control?: Control;
}

/** Creates a node of a workflow. Its type is the name of its folder. */
export const createNode = (
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

/** Builds a workflow of these nodes after the node `Items`, which outputs the items. */
export function buildWorkflow(
	service: Service,
	others: INode[],
	connections: IConnections,
	options: RunOptions = {},
) {
	const items = options.items ?? [{ json: {} }];
	const nodes = [createNode('Items', 'items', {}), ...others];
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
	const itemsSource = workflow.getNode('Items');
	if (itemsSource) itemsSource.parameters = { items } as unknown as INodeParameters;

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
	await prepareEngine();
	const executionId = options.executionId ?? `execution-${++executions}`;
	const build = () => buildWorkflow(service, others, connections, { ...options, executionId });
	const { workflow, additionalData } = build();
	const execute = async () => {
		const execution = new WorkflowExecute(additionalData, options.mode ?? 'trigger').run({
			workflow,
			startNode: workflow.getNode('Items') ?? undefined,
		});
		options.onStart?.(() => execution.cancel());
		return await execution;
	};
	return await resumeToEnd(service, await withVirtualTime(service, execute), build, options);
}

/** How often an execution resumes before a test counts as endless. */
const maxResumptions = 1_000;

/** Resumes an execution whenever it is suspended. */
async function resumeToEnd(
	service: Service,
	run: IRun,
	build: () => ReturnType<typeof buildWorkflow>,
	{ isResumed = true, onSuspend, onStart }: RunOptions,
): Promise<IRun> {
	let last = run;
	for (let resumptions = 0; last.waitTill && isResumed; resumptions++) {
		if (resumptions === maxResumptions)
			throw new Error('The execution is suspended again and again');
		onSuspend?.(last);
		last = await resumeRun(service, last, build(), onStart);
	}
	return last;
}

/** Resumes a suspended execution when its time has come, from what n8n's database keeps of it. */
export async function resumeRun(
	service: Service,
	{ data, waitTill }: IRun,
	{ workflow, additionalData }: ReturnType<typeof buildWorkflow>,
	onStart?: RunOptions['onStart'],
): Promise<IRun> {
	const stored = parse(stringify(data)) as IRun['data'];
	return await withVirtualTime(service, async () => {
		await clock.sleep(Math.max(Number(waitTill) - clock.now(), 0));
		const execution = new WorkflowExecute(additionalData, 'trigger', stored);
		const resumed = execution.processRunExecutionData(workflow);
		onStart?.(() => resumed.cancel());
		return await resumed;
	});
}

/**
 * Retries a failed run as n8n's Retry button does: a new execution with the stored data of the failed
 * one, without the result of the node that failed.
 *
 * @param change what is lost or changed in the stored data
 */
export async function retryRun(
	service: Service,
	failed: IRun,
	others: INode[],
	connections: IConnections,
	options: RunOptions = {},
	change: (data: IRun['data']) => void = () => {},
): Promise<IRun> {
	const executionId = options.executionId ?? `execution-${++executions}`;
	const build = () => buildWorkflow(service, others, connections, { ...options, executionId });
	const { workflow, additionalData } = build();
	const data = parse(stringify(failed.data)) as IRun['data'];
	const { resultData } = data;
	delete resultData.error;
	resultData.runData[resultData.lastNodeExecuted ?? '']?.pop();
	change(data);
	const run = await withVirtualTime(
		service,
		async () =>
			await new WorkflowExecute(additionalData, 'retry', data).processRunExecutionData(workflow),
	);
	return await resumeToEnd(service, run, build, options);
}

/** A connection to this node. */
export const connectTo = (node: string) => ({
	main: [[{ node, type: 'main' as const, index: 0 }]],
});

/** The credential of the test. */
export const signedIn: Partial<INode> = {
	credentials: { videoGenApi: { id: '1', name: 'Service' } },
};

let newAccounts = 0;

/** The credential of an account that has sent nothing yet: this process remembers what it has learned. */
export const signInToNewAccount = (): Partial<INode> => ({
	credentials: { videoGenApi: { id: `new-${++newAccounts}`, name: 'New' } },
});

/**
 * Moves options into the collections of the form. Tests pass all options in `options`; the description
 * of the node tells which ones belong elsewhere (test/unit/form/options.test.ts).
 */
function moveIntoCollections(type: string, parameters: INodeParameters): INodeParameters {
	const { options } = parameters;
	if (options === undefined || typeof options !== 'object') return parameters;
	const { properties } = loadNodeType(type).description;
	const isShown = (show: Record<string, unknown> = {}, root = '') =>
		Object.entries(show).every(([path, values]) => {
			if (!path.startsWith(root)) return true;
			const name = path.slice(root.length);
			const first = properties.find((other) => other.name === name)?.default;
			const value = parameters[name] ?? first;
			const isExpression = typeof value === 'string' && value.startsWith('=');
			return isExpression || (values as unknown[]).includes(value);
		});
	const moved = { ...parameters, options: {} } as Record<string, IDataObject>;
	for (const [name, value] of Object.entries(options as IDataObject)) {
		const collection = properties.find(
			(one) =>
				collectionNames.some((known) => known === one.name) &&
				isShown(one.displayOptions?.show) &&
				(one.options as INodeProperties[]).some(
					(option) => option.name === name && isShown(option.displayOptions?.show, '/'),
				),
		);
		const place = collection?.name ?? 'options';
		moved[place] = { ...moved[place], [name]: value };
	}
	return moved as INodeParameters;
}

/** Runs one node (by the name of its folder) with these parameters, for these items. */
export async function runNode(
	service: Service,
	type: string,
	parameters: INodeParameters,
	options: RunOptions = {},
): Promise<Result> {
	const node = createNode('Node', type, moveIntoCollections(type, parameters), {
		...signedIn,
		...options.node,
	});
	const run = await runNodes(service, [node], { Items: connectTo('Node') }, options);
	const tasks = run.data.resultData.runData.Node ?? [];
	const last = tasks[tasks.length - 1];
	return {
		items: last?.data?.main?.[0] ?? [],
		errors: last?.data?.main?.[1] ?? [],
		error: (run.data.resultData.error ?? last?.error) as Result['error'],
		run,
	};
}

/** Runs a node for its items. Throws if the run fails. */
export async function runForItems(
	...call: Parameters<typeof runNode>
): Promise<INodeExecutionData[]> {
	const { items, error } = await runNode(...call);
	if (error) throw new Error(`${error.message}\n${error.description ?? ''}`);
	return items;
}

/** The content of a binary field, wherever n8n keeps it. */
export async function readContent(
	item: INodeExecutionData | undefined,
	field = 'data',
): Promise<Buffer> {
	const binary = item?.binary?.[field];
	if (!binary) throw new Error(`no binary field ${field}`);
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

/** A binary field as n8n stores it, on disk. */
export async function storeBinary(content: Buffer | Readable, fileName: string, mimeType: string) {
	await prepareEngine();
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'workflow', executionId: 'stored' },
		content,
		{ data: '', mimeType, fileName },
	);
}

/** An item with a file as n8n stores it, in the field `data`. */
export const createFileItem = async (
	content: Buffer | Readable,
	mimeType: string,
	fileName = 'a.bin',
) => ({
	json: {},
	binary: { data: await storeBinary(content, fileName, mimeType) },
});

/** A resource locator by ID. */
export const byId = (id: unknown) => ({ __rl: true as const, mode: 'id', value: String(id) });
