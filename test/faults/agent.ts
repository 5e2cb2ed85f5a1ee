/** An AI agent of n8n's with a model that says what the test wants: it calls its tool, in rounds. */
import type { IDataObject, INode } from 'n8n-workflow';
import { packageName, withCredential, type Stage } from '../../tools/stage';
import { startChatModel } from '../e2e/chatModel';
import type { Execution, Reference } from '../e2e/n8n';
import { chain, start } from '../e2e/workflows';

/** What the model asks for: one round after the other, the calls of a round at the same time. */
export type Rounds = IDataObject[][];

/** Lets an agent of this version call one of our nodes as its tool. */
export async function runAgent(
	stage: Stage,
	typeVersion: number,
	tool: Pick<INode, 'parameters'> & { type: string; more?: Partial<INode> },
	rounds: Rounds,
): Promise<Execution> {
	const { n8n, credential } = stage;
	const model = await startChatModel();
	model.says(rounds.map((calls) => () => calls.map((args) => ({ name: 'Tool', args }))));
	try {
		const key: Reference = await n8n.createCredential('openAiApi', 'Model', {
			apiKey: 'scripted-model',
			url: model.baseUrl,
		});
		const draft = chain('Agent', [
			start,
			{
				name: 'Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				parameters: { promptType: 'define', text: 'Make what is asked for', options: {} },
				more: { typeVersion },
			},
		]);
		const beside = (name: string, type: string, more: Partial<INode>): INode => ({
			...{ id: name, name, type, typeVersion: 1, position: [0, 200], parameters: {} },
			...more,
		});
		draft.nodes.push(
			beside('Model', '@n8n/n8n-nodes-langchain.lmChatOpenAi', {
				parameters: { model: 'scripted', options: {} },
				credentials: { openAiApi: key },
			}),
			beside('Tool', `${packageName}.${tool.type}Tool`, {
				parameters: { authentication: 'apiKey', ...tool.parameters },
				...tool.more,
			}),
		);
		const toAgent = (type: 'ai_languageModel' | 'ai_tool') => ({
			[type]: [[{ node: 'Agent', type, index: 0 }]],
		});
		Object.assign(draft.connections, {
			Model: toAgent('ai_languageModel'),
			Tool: toAgent('ai_tool'),
		});
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));
		return await n8n.run(id);
	} finally {
		await model.close();
	}
}
