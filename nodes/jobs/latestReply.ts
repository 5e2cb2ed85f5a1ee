import type { IDataObject } from 'n8n-workflow';
import { readObjects, readText } from '../core/json';

/** What the agent has said last: the newest message stands first (docs/service.md, Resources). */
export function readLatestReply({ messages }: IDataObject): { reply?: string } {
	const said = readObjects(messages).find(
		({ role, content }) => role !== 'user' && readText(content),
	);
	return said ? { reply: String(said.content) } : {};
}
