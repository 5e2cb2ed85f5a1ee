/** Which executions can be suspended, and what n8n's stack of nodes to run then contains. */
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	findReasonNotToSuspend,
	removeGuardFromStack,
	suspendAndRunAgain,
} from '../../../nodes/core/suspend/suspendExecution';

const input: INodeExecutionData[] = [{ json: { a: 1 } }];
const createEntry = (more: object = {}) => ({
	node: {
		id: 'id',
		name: 'Node',
		type: 'n8n-nodes-videogen.videoGenVideo',
		alwaysOutputData: true,
	},
	data: { main: [input] },
	source: { main: [{ previousNode: 'Items' }] },
	...more,
});
type Entry = ReturnType<typeof createEntry>;

/** Entry of a node that runs later. */
const laterEntry = { node: { name: 'Later' }, data: { main: [[]] }, source: null };

interface Settings {
	type?: string;
	mode?: string;
	workflow?: IDataObject;
	parents?: Array<{ name: string; type: string; parameters?: IDataObject }>;
	/** Names of nodes that have run, with the number of their items. */
	ran?: Record<string, number>;
	parentExecution?: IDataObject;
	isN8n1?: boolean;
	entry?: unknown;
	/** Changes of n8n's internals. */
	internals?: object;
}

/** n8n around a node that can be suspended unless the settings say otherwise. */
function createN8n({
	type = 'n8n-nodes-videogen.videoGenVideo',
	mode = 'trigger',
	workflow = { executionOrder: 'v1' },
	parents = [],
	ran = {},
	parentExecution,
	isN8n1 = false,
	entry = createEntry(),
	internals = {},
}: Settings = {}) {
	const nodeExecutionStack: unknown[] = [laterEntry];
	const runData = Object.fromEntries(
		Object.entries(ran).map(([name, count]) => [
			name,
			[{ data: { main: [Array.from({ length: count }, () => ({ json: {} }))] } }],
		]),
	);
	const runExecutionData = {
		executionData: { nodeExecutionStack },
		resultData: { runData },
		parentExecution,
		...internals,
	};
	const getParentNodes = jest.fn(() => parents);
	const putExecutionToWait = jest.fn<Promise<void>, [Date]>(async () => {
		await Promise.resolve();
		// n8n must have noted the wait before the stack changes.
		expect(nodeExecutionStack).toStrictEqual([laterEntry]);
	});
	const n8n = {
		getNode: () => ({ id: 'id', name: 'Node', type }),
		getMode: () => mode,
		getExecuteData: () => entry,
		getWorkflowSettings: () => workflow,
		getWorkflowDataProxy: () => ({ $runIndex: 2 }),
		...{ getParentNodes, putExecutionToWait, runExecutionData },
		...(isN8n1 ? {} : { isToolExecution: () => false }),
	} as unknown as IExecuteFunctions;
	return { n8n, stack: nodeExecutionStack as Entry[], getParentNodes, putExecutionToWait };
}

const reasonFor = (settings: Settings) => findReasonNotToSuspend(createN8n(settings).n8n);

describe('an execution can be suspended', () => {
	const webhook = { name: 'Webhook', type: 'n8n-nodes-base.webhook' };
	const form = { name: 'Form', type: 'n8n-nodes-base.formTrigger' };
	const chat = { name: 'Chat', type: '@n8n/n8n-nodes-langchain.chatTrigger' };
	const last = { responseMode: 'lastNode' };
	const agent = 'an AI agent waits for its result';
	const end = 'n8n waits for the end of the execution';
	const unknown = 'this package does not know this version of n8n';
	const inputs = 'the node has several inputs';
	const order = "the workflow's setting Execution Order is v0";
	const response = "the workflow's webhook, form or chat responds when the last node finishes";
	const call =
		'the calling workflow would not get all items. Call it with "Run once with all items", on n8n 2';
	const frozen = Object.freeze(createEntry());

	test.each<[string, Settings, string | undefined]>([
		['by default', {}, undefined],
		['on n8n 1', { isN8n1: true }, undefined],
		['in the mode manual', { mode: 'manual' }, undefined],
		['in the mode webhook', { mode: 'webhook' }, undefined],
		['not as a tool', { type: 'n8n-nodes-videogen.videoGenVideoTool' }, agent],
		['not in the mode cli', { mode: 'cli' }, end],
		['not in the mode evaluation', { mode: 'evaluation' }, end],
		['with the first format of executions', { internals: { version: 1 } }, undefined],
		['not with another format of executions', { internals: { version: 2 } }, unknown],
		['not without execution data', { internals: { executionData: undefined } }, unknown],
		['not without a stack', { internals: { executionData: {} } }, unknown],
		[
			'not with a stack that is no list',
			{ internals: { executionData: { nodeExecutionStack: {} } } },
			unknown,
		],
		[
			'not with a frozen stack',
			{ internals: { executionData: { nodeExecutionStack: Object.freeze([]) } } },
			unknown,
		],
		[
			'not if the stack contains the entry of the node',
			{ entry: frozen, internals: { executionData: { nodeExecutionStack: [frozen] } } },
			unknown,
		],
		['not without an entry', { entry: null }, unknown],
		['not with a frozen entry', { entry: frozen }, unknown],
		['not with an entry without input', { entry: createEntry({ data: {} }) }, unknown],
		['not with an entry without node', { entry: createEntry({ node: undefined }) }, unknown],
		['not with several inputs', { entry: createEntry({ data: { main: [[], []] } }) }, inputs],
		['not without an input', { entry: createEntry({ data: { main: [] } }) }, inputs],
		['not in the order v0', { workflow: { executionOrder: 'v0' } }, order],
		['not in the default order', { workflow: {} }, order],
		[
			'not if a webhook responds with the last node',
			{ parents: [{ ...webhook, parameters: last }], ran: { Webhook: 1 } },
			response,
		],
		[
			'if a webhook that has not run would respond with the last node',
			{ parents: [{ ...webhook, parameters: last }], ran: { Schedule: 1 } },
			undefined,
		],
		[
			'if a webhook has responded',
			{
				parents: [{ ...webhook, parameters: { responseMode: 'onReceived' } }],
				ran: { Webhook: 1 },
			},
			undefined,
		],
		['if a webhook has its default', { parents: [webhook], ran: { Webhook: 1 } }, undefined],
		[
			'if a node responds to a webhook',
			{
				parents: [{ ...webhook, parameters: { responseMode: 'responseNode' } }],
				ran: { Webhook: 1 },
			},
			undefined,
		],
		[
			'not if a form responds with the last node',
			{ parents: [{ ...form, parameters: last }], ran: { Form: 1 } },
			response,
		],
		['if a form has its default', { parents: [form], ran: { Form: 1 } }, undefined],
		['not if a chat has its default', { parents: [chat], ran: { Chat: 1 } }, response],
		[
			'not if a chat responds with the last node, by its options',
			{ parents: [{ ...chat, parameters: { options: last } }], ran: { Chat: 1 } },
			response,
		],
		[
			'if nodes respond to a chat',
			{
				parents: [{ ...chat, parameters: { options: { responseMode: 'responseNodes' } } }],
				ran: { Chat: 1 },
			},
			undefined,
		],
		['if a chat has not run', { parents: [chat], ran: {} }, undefined],
		[
			'if another node has such a parameter',
			{ parents: [{ name: 'Set', type: 'n8n-nodes-base.set', parameters: last }], ran: { Set: 1 } },
			undefined,
		],
		['in a sub-workflow with several items', { parentExecution: {}, ran: { Start: 2 } }, undefined],
		['not in a sub-workflow with one item', { parentExecution: {}, ran: { Start: 1 } }, call],
		['not in a sub-workflow without items', { parentExecution: {}, ran: {} }, call],
		[
			'not in a sub-workflow on n8n 1',
			{ parentExecution: {}, ran: { Start: 2 }, isN8n1: true },
			call,
		],
		[
			'in a sub-workflow that nobody waits for',
			{ parentExecution: { shouldResume: false }, ran: { Start: 1 }, isN8n1: true },
			undefined,
		],
	])('%s', (_, settings, reason) => {
		expect(reasonFor(settings)).toBe(reason);
	});

	test.each([
		{ Start: [] },
		{ Start: [{}] },
		{ Start: [{ data: {} }] },
		{ Start: [{ data: { main: [] } }] },
		{ Start: [{ data: { main: [null] } }] },
	])('not in a sub-workflow whose items n8n does not show: %j', (runData) => {
		const internals = { resultData: { runData } };
		expect(reasonFor({ parentExecution: {}, internals })).toBe(call);
	});

	test('by the nodes before it, with their parameters', () => {
		const { n8n, getParentNodes } = createN8n();
		findReasonNotToSuspend(n8n);
		expect(getParentNodes.mock.calls).toStrictEqual([['Node', { includeNodeParameters: true }]]);
	});
});

const guardName = 'Node: use Retry with original workflow';

describe('a suspended execution', () => {
	const suspend = async (entry = createEntry()) => {
		const { node } = entry;
		const { n8n, stack, putExecutionToWait } = createN8n({ entry });
		const until = new Date(1_000);
		await suspendAndRunAgain(n8n, until);
		expect(putExecutionToWait.mock.calls).toStrictEqual([[until]]);
		return { n8n, entry, node, stack };
	};

	test('has a copy of the entry of the node in front, which keeps the number of the run', async () => {
		const { stack, node } = await suspend();
		const [again] = stack;
		expect(again).toStrictEqual({ ...createEntry(), runIndex: 2 });
		expect(again?.node).not.toBe(node);
		expect(again?.data.main[0]).toBe(input);
	});

	test('has a guard behind it, whose name no node has, and then the nodes that run later', async () => {
		const { stack } = await suspend();
		const [, guard, ...later] = stack;
		expect(guard).toStrictEqual({
			node: { ...createEntry().node, id: 'id-guard', name: guardName },
			data: { main: [[{ json: {} }]] },
			source: null,
		});
		expect(later).toStrictEqual([laterEntry]);
	});

	test('has an own entry that n8n skips, without changing the node of the workflow', async () => {
		const { entry, node } = await suspend();
		expect(entry.data).toStrictEqual({ main: [null] });
		expect(entry.node).toStrictEqual({ ...createEntry().node, alwaysOutputData: false });
		expect(entry.node).not.toBe(node);
		expect(node.alwaysOutputData).toBe(true);
	});

	test('shares no object between its entries that n8n changes on resume', async () => {
		const { entry, stack } = await suspend(createEntry({ metadata: { a: 1 } }));
		const [again, guard] = stack as Array<Entry & { metadata?: object }>;
		const nodes = [entry, again, guard].map((one) => one?.node);
		expect(new Set(nodes).size).toBe(3);
		expect(again?.metadata).toStrictEqual({ a: 1 });
		expect(again?.metadata).not.toBe((entry as Entry & { metadata?: object }).metadata);
	});

	test('loses the guard when the node runs again, and nothing else', async () => {
		const { n8n, stack } = await suspend();
		// n8n has taken the first entry from the stack.
		stack.shift();
		removeGuardFromStack(n8n);
		expect(stack).toStrictEqual([laterEntry]);
		removeGuardFromStack(n8n);
		expect(stack).toStrictEqual([laterEntry]);
	});

	test('can be suspended again after it has resumed', async () => {
		const { n8n, stack } = await suspend();
		const again = stack.shift();
		removeGuardFromStack(n8n);
		expect(
			findReasonNotToSuspend({ ...n8n, getExecuteData: () => again } as never),
		).toBeUndefined();
	});
});

test('the guard of another node remains', () => {
	const { n8n, stack } = createN8n();
	stack.unshift(createEntry({ node: { name: 'Other: use Retry with original workflow' } }));
	removeGuardFromStack(n8n);
	expect(stack).toHaveLength(2);
});

test.each([{ executionData: undefined }, { executionData: {} }])(
	'without a stack, there is no guard: %j',
	(internals) => {
		expect(() => removeGuardFromStack(createN8n({ internals }).n8n)).not.toThrow();
	},
);

test('without data of the execution, there is no guard, and a reason to stay', () => {
	const { n8n } = createN8n();
	const without = { ...n8n, runExecutionData: undefined } as unknown as IExecuteFunctions;
	expect(() => removeGuardFromStack(without)).not.toThrow();
	expect(findReasonNotToSuspend(without)).toBe('this package does not know this version of n8n');
});
