/** An AI agent of n8n's with a model that says what the test wants: it calls its tool, in rounds. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INode } from 'n8n-workflow';
import { packageName, withCredential, type Stage } from '../../tools/stage';
import type { Execution, Reference } from '../e2e/n8n';
import { chain, start } from '../e2e/workflows';

/** What the model asks for: one round after the other, the calls of a round at the same time. */
export type Rounds = IDataObject[][];

interface Message {
	role: string;
	tool_calls?: unknown[];
}

/** A chat model on loopback. */
async function startModel(rounds: Rounds) {
	const server = createServer((request, response) => {
		let text = '';
		request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
		request.on('end', () => {
			const { messages, tools, stream } = JSON.parse(text || '{}') as {
				messages: Message[];
				tools?: Array<{ function: { name: string } }>;
				stream?: boolean;
			};
			const done = messages.filter(({ tool_calls: calls }) => (calls ?? []).length > 0).length;
			const calls = rounds[done] ?? [];
			const name = tools?.[0]?.function.name ?? '';
			const said = calls.map((input, index) => ({
				...(stream ? { index } : {}),
				id: `call_${done}_${index}`,
				type: 'function',
				function: { name, arguments: JSON.stringify(input) },
			}));
			const message = {
				role: 'assistant',
				content: said.length > 0 ? null : 'Done.',
				...(said.length > 0 ? { tool_calls: said } : {}),
			};
			const whole = (choice: object, object: string) => ({
				...{ id: 'chat_1', object, created: 0, model: 'scripted' },
				choices: [{ index: 0, finish_reason: said.length > 0 ? 'tool_calls' : 'stop', ...choice }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			});
			if (stream) {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				const chunk = whole({ delta: message }, 'chat.completion.chunk');
				response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
				return;
			}
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(whole({ message }, 'chat.completion')));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const close = async () => await new Promise((resolve) => server.close(resolve));
	return { url: `http://127.0.0.1:${port}/v1`, close };
}

/** Lets an agent of this version call one of our nodes as its tool. */
export async function runAgent(
	stage: Stage,
	typeVersion: number,
	tool: Pick<INode, 'parameters'> & { type: string; more?: Partial<INode> },
	rounds: Rounds,
): Promise<Execution> {
	const { n8n, credential } = stage;
	const model = await startModel(rounds);
	try {
		const key: Reference = await n8n.createCredential('openAiApi', 'Model', {
			apiKey: 'scripted-model',
			url: model.url,
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
