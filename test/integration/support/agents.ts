/**
 * AI agents without a model: they call their tools as n8n's agents do.
 *
 * Agent 3 asks the engine to run its tools, which then are nodes of the workflow like others. Agent
 * 2 and older call them as functions.
 */
import type {
	EngineRequest,
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INodeType,
	IRun,
} from 'n8n-workflow';
import {
	addType,
	connectTo,
	createNode,
	describeType,
	retryRun,
	runNodes,
	signedIn,
	type RunOptions,
	type Service,
} from './engine';

const description = (name: string) => describeType(name, [{ type: 'main' }, { type: 'ai_tool' }]);

/** The tool calls of the model: rounds in sequence, the calls of one round at the same time. */
export type Rounds = IDataObject[][];

/** The rounds are in the input item, as a chat message would be. */
const readRounds = (agent: IExecuteFunctions) =>
	agent.getInputData()[0]?.json.rounds as unknown as Rounds;

/** Rounds and tool responses so far, by execution. */
const progress = new Map<string, { rounds: number; responses: unknown[] }>();

let failuresLeft = 0;

/** Makes the next agent fail after all of its calls, as if its model were down. */
export const failNextAgent = () => void (failuresLeft = 1);

function failIfArranged(): void {
	if (failuresLeft-- > 0) throw new Error('The model is down');
}

const newAgent: INodeType = {
	description: description('newAgent'),
	async execute(response): Promise<never> {
		const rounds = readRounds(this);
		const state = progress.get(this.getExecutionId()) ?? { rounds: 0, responses: [] };
		progress.set(this.getExecutionId(), state);
		state.responses.push(...(response?.actionResponses ?? []).map(({ data }) => data));
		const calls = rounds[state.rounds++];
		if (!calls) {
			failIfArranged();
			return [[{ json: { responses: state.responses } }]] as never;
		}
		const request: EngineRequest = {
			actions: calls.map((input, i) => ({
				actionType: 'ExecutionNodeAction',
				nodeName: 'Tool',
				input,
				type: 'ai_tool',
				id: `call_${state.rounds}_${i}`,
				metadata: { itemIndex: 0 },
			})),
			metadata: {},
		};
		return request as never;
	},
};

/** A tool as a function. */
interface Callable {
	invoke(input: IDataObject): Promise<string>;
}

const oldAgent: INodeType = {
	description: description('oldAgent'),
	async execute() {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as Callable[];
		const responses: unknown[] = [];
		for (const calls of readRounds(this)) {
			// A failed call returns its error to the model, which continues.
			const answers = calls.map(
				async (input) => await tool?.invoke(input).catch((error: Error) => error.message),
			);
			responses.push(...(await Promise.all(answers)));
		}
		failIfArranged();
		return [[{ json: { responses: responses as never } }]];
	},
};

addType('newAgent', newAgent);
addType('oldAgent', oldAgent);

/** A tool, which is one of our nodes with these parameters. */
interface Tool {
	type: string;
	parameters: IDataObject;
	retryOnFail?: boolean;
}

function buildAgentWorkflow(agent: 'newAgent' | 'oldAgent', tool: Tool) {
	const retry = tool.retryOnFail ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {};
	const nodes = [
		createNode('Agent', agent, {}),
		createNode('Tool', `${tool.type}Tool`, tool.parameters as never, { ...signedIn, ...retry }),
	];
	const connections: IConnections = {
		Items: connectTo('Agent'),
		Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
	};
	return { nodes, connections };
}

const toOptions = (rounds: Rounds, options: RunOptions = {}): RunOptions => ({
	...options,
	items: [{ json: { rounds: rounds as never } }],
});

/** Lets an agent call a tool. */
export async function callTool(
	service: Service,
	agent: 'newAgent' | 'oldAgent',
	tool: Tool,
	rounds: Rounds,
	options: RunOptions = {},
) {
	const { nodes, connections } = buildAgentWorkflow(agent, tool);
	return await runNodes(service, nodes, connections, toOptions(rounds, options));
}

/** Presses Retry after an agent has failed: it begins its conversation again. */
export async function retryCalls(
	service: Service,
	failed: IRun,
	agent: 'newAgent' | 'oldAgent',
	tool: Tool,
	rounds: Rounds,
) {
	const { nodes, connections } = buildAgentWorkflow(agent, tool);
	return await retryRun(service, failed, nodes, connections, toOptions(rounds));
}
