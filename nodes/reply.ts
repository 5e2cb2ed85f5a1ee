import type { IDataObject } from 'n8n-workflow';
import { objectsOf, textOf } from './core/json';

/** What the agent has said last: the newest message stands first (docs/service.md, Resources). */
export function replyOf({ messages }: IDataObject): { reply?: string } {
	const said = objectsOf(messages).find(({ role, content }) => role !== 'user' && textOf(content));
	return said ? { reply: String(said.content) } : {};
}
