/** A scripted chat model for the example with an AI agent, so that the demo needs no model account. */
import { type ChatRequest, serveChatModel, type ToolCall } from '../test/e2e/chatModel';

const introduction =
	'I am a script that stands in for a language model. Ask me to make a video, or which videos there are.';

/** Reads the items that a tool has returned. */
function readItems(content: string): Array<Record<string, unknown>> {
	try {
		return [JSON.parse(content) as Record<string, unknown>].flat();
	} catch {
		return [];
	}
}

/** Calls the tool that the user asks for, then reports what it returned. */
function answer({ messages }: ChatRequest): ToolCall[] | string {
	const last = messages.at(-1);
	const content = last?.content ?? '';
	if (last?.role === 'tool') {
		const videos = readItems(content).map(({ title, video_id, video_url }) =>
			video_url ? `[${title ?? video_id}](${video_url})` : `${title ?? video_id}: not finished yet`,
		);
		return videos.length > 0 ? videos.join('\n') : content;
	}
	if (/\b(list|which|show)\b/i.test(content)) return [{ name: 'List_Videos', args: {} }];
	if (!/\b(video|film)\b/i.test(content)) return introduction;
	return [{ name: 'Make_Video', args: { prompt: content } }];
}

export const startDemoModel = async () => await serveChatModel(answer);
