/**
 * AI agents without a model: they call their tools as n8n's agents do.
 *
 * Agent 3 asks the engine to run its tools, which then are nodes of the workflow like others. Agent
 * 2 and older call them as functions.
 */
import type {
	EngineRequest,
	IDataObject,
	IExecuteFunctions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import {
	addType,
	linkTo,
	nodeOf,
	runNodes,
	signedIn,
	type RunOptions,
	type Service,
} from './engine';

const description = (name: string): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: 'Calls its tools',
	defaults: { name },
	inputs: [{ type: 'main' }, { type: 'ai_tool' }],
	outputs: ['main'],
	properties: [],
});

/** What the model asks for: one round after the other, the calls of a round at the same time. */
export type Rounds = IDataObject[][];

/** They come in with the item, as a chat message would. */
const roundsOf = (agent: IExecuteFunctions) =>
	agent.getInputData()[0]?.json.rounds as unknown as Rounds;

/** How far the agents of an execution have come. */
const done = new Map<string, { rounds: number; said: unknown[] }>();

const newAgent: INodeType = {
	description: description('newAgent'),
	async execute(response): Promise<never> {
		const rounds = roundsOf(this);
		const state = done.get(this.getExecutionId()) ?? { rounds: 0, said: [] };
		done.set(this.getExecutionId(), state);
		state.said.push(...(response?.actionResponses ?? []).map(({ data }) => data));
		const calls = rounds[state.rounds++];
		if (!calls) return [[{ json: { said: state.said } }]] as never;
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
		const said: unknown[] = [];
		for (const calls of roundsOf(this)) {
			// What fails is told to the model, which goes on.
			const answers = calls.map(
				async (input) => await tool?.invoke(input).catch((error: Error) => error.message),
			);
			said.push(...(await Promise.all(answers)));
		}
		return [[{ json: { said: said as never } }]];
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
			nodeOf('Agent', agent, {}),
			nodeOf('Tool', `${tool.type}Tool`, tool.parameters as never, { ...signedIn, ...retry }),
		],
		{
			Items: linkTo('Agent'),
			Tool: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		{ ...options, items: [{ json: { rounds: rounds as never } }] },
	);
}
