/** A chat model on loopback that says what a test tells it to, in the common form of chat completions. */
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

/** One turn after the other: the calls that the model asks for, with what its tools have said so far. */
export type Turns = Array<(said: string[]) => ToolCall[]>;

/** Nobody needs it for longer, in milliseconds. */
const longestLife = 10 * 60_000;

/** What the tools have answered, in order. */
const saidIn = ({ messages }: ChatRequest) =>
	messages.filter(({ role }) => role === 'tool').map(({ content }) => content ?? '');

/** Starts a chat model; it ends with `close()`, or by itself after ten minutes. */
export async function startChatModel() {
	const server = fastify({ forceCloseConnections: true });
	const requests: ChatRequest[] = [];
	let turns: Turns = [];
	let calls = 0;

	server.post('/v1/chat/completions', async ({ body }) => {
		const request = body as ChatRequest;
		requests.push(request);
		const turn = turns.shift();
		const message = turn
			? {
					role: 'assistant',
					content: null,
					tool_calls: turn(saidIn(request)).map(({ name, args }) => ({
						id: `call_${++calls}`,
						type: 'function',
						function: { name, arguments: JSON.stringify(args) },
					})),
				}
			: { role: 'assistant', content: 'That is all.' };
		return {
			id: `chat_${requests.length}`,
			object: 'chat.completion',
			created: 1_790_000_000,
			model: 'test',
			choices: [{ index: 0, message, finish_reason: turn ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});

	const address = await server.listen({ port: 0, host: '127.0.0.1' });
	const close = async () => {
		clearTimeout(life);
		await server.close();
	};
	const life = setTimeout(() => void close(), longestLife);
	life.unref();
	return {
		/** For the credential. */
		baseUrl: `${address}/v1`,
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
