/**
 * AI agents without a model: they call their tools as n8n's agents do.
 *
 * Agent 3 asks the engine to run its tools, which then are nodes of the workflow like others. Agent
 * 2 and older call them as functions.
 */
import type { EngineRequest, IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';
import {
	addType,
	connectTo,
	createNode,
	describeType,
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

const newAgent: INodeType = {
	description: description('newAgent'),
	async execute(response): Promise<never> {
		const rounds = readRounds(this);
		const state = progress.get(this.getExecutionId()) ?? { rounds: 0, responses: [] };
		progress.set(this.getExecutionId(), state);
		state.responses.push(...(response?.actionResponses ?? []).map(({ data }) => data));
		const calls = rounds[state.rounds++];
		if (!calls) return [[{ json: { responses: state.responses } }]] as never;
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
		return [[{ json: { responses: responses as never } }]];
	},
};

addType('newAgent', newAgent);
addType('oldAgent', oldAgent);

/** Lets an agent call a tool, which is one of our nodes with these parameters. */
export async function callTool(
	service: Service,
	agent: 'newAgent' | 'oldAgent',
	tool: { type: string; parameters: IDataObject; retryOnFail?: boolean },
	rounds: Rounds,
	options: RunOptions = {},
) {
	const retry = tool.retryOnFail ? { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } : {};
	return await runNodes(
		service,
		[
			createNode('Agent', agent, {}),
			createNode('Tool', `${tool.type}Tool`, tool.parameters as never, { ...signedIn, ...retry }),
		],
		{
			Items: connectTo('Agent'),
			Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		{ ...options, items: [{ json: { rounds: rounds as never } }] },
	);
}
