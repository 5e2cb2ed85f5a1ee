/** A chat model on loopback that says what a test tells it to, in the common form of chat completions. */
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';

/** A call of a tool that the model asks for. */
export interface ToolCall {
	/** The tool's name, as the model was told it. */
	name: string;
	args: Record<string, unknown>;
}

interface Message {
	role: string;
	content?: string | null;
	tool_call_id?: string;
}

/** What n8n has sent. */
export interface ChatRequest {
	messages: Message[];
	tools?: Array<{
		function: { name: string; description: string; parameters: { properties?: object } };
	}>;
}

/**
 * One turn after the other: the calls that the model asks for, with what its tools have said so far.
 * `undefined` ends the chat.
 */
export type Turns = Array<(said: string[]) => ToolCall[] | undefined>;

/** Nobody needs it for longer, in milliseconds. */
const longestLife = 10 * 60_000;

/** What the tools have answered, in order. */
const saidIn = ({ messages }: ChatRequest) =>
	messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');

/** Serves a chat model. `answer` returns the calls that it asks for, or what it says. */
export async function serveChatModel(answer: (request: ChatRequest) => ToolCall[] | string) {
	const server = fastify({ forceCloseConnections: true });
	let calls = 0;
	server.post('/v1/chat/completions', async ({ body }) => {
		const said = answer(body as ChatRequest);
		const message =
			typeof said === 'string'
				? { role: 'assistant', content: said }
				: {
						role: 'assistant',
						content: null,
						tool_calls: said.map(({ name, args }) => ({
							id: `call_${++calls}`,
							type: 'function',
							function: { name, arguments: JSON.stringify(args) },
						})),
					};
		return {
			id: `chat_${randomUUID()}`,
			object: 'chat.completion',
			created: 1_790_000_000,
			model: 'test',
			choices: [
				{ index: 0, message, finish_reason: typeof said === 'string' ? 'stop' : 'tool_calls' },
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	// The editor lists the models in the form of the node.
	server.get('/v1/models', async () => ({
		object: 'list',
		data: [{ id: 'test', object: 'model' }],
	}));
	const address = await server.listen({ port: 0, host: '127.0.0.1' });
	return {
		/** For the credential. */
		baseUrl: `${address}/v1`,
		close: async () => await server.close(),
	};
}

/** Starts a chat model; it ends with `close()`, or by itself after ten minutes. */
export async function startChatModel() {
	const requests: ChatRequest[] = [];
	let turns: Turns = [];

	const server = await serveChatModel((request) => {
		requests.push(request);
		return turns.shift()?.(saidIn(request)) ?? 'That is all.';
	});
	const close = async () => {
		clearTimeout(life);
		await server.close();
	};
	const life = setTimeout(() => void close(), longestLife);
	life.unref();
	return {
		baseUrl: server.baseUrl,
		/** What the model says from now on, turn by turn; after that it ends the chat. */
		says: (next: Turns) => {
			turns = [...next];
			requests.length = 0;
		},
		/** All tools that it was told of last, by name. */
		toolsTold: () =>
			new Map((requests.at(-1)?.tools ?? []).map(({ function: one }) => [one.name, one])),
		/** What its tools have answered, in order. */
		heard: () => saidIn(requests.at(-1) ?? { messages: [] }),
		close,
	};
}

export type ChatModel = Awaited<ReturnType<typeof startChatModel>>;
