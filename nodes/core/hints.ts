/** Shows hints above the output of a node. */
import type { IExecuteFunctions } from 'n8n-workflow';

/** Escapes text for a hint, which n8n shows as HTML. */
export const escapeHtml = (text: string) =>
	text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Shows HTML messages above the output of a node. Undefined messages are omitted. */
export function showHints(n8n: IExecuteFunctions, ...messages: Array<string | undefined>): void {
	const shown = messages.filter((message) => message !== undefined);
	if (shown.length === 0) return;
	n8n.addExecutionHints(...shown.map((message) => ({ message, location: 'outputPane' }) as const));
}
