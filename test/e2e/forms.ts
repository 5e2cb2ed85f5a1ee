/** Pages of n8n's forms, filled in as a browser does. */
import assert from 'node:assert/strict';
import type { RealN8n, WorkflowDraft } from './n8n';

export interface FormPage {
	address: string;
	text: string;
}

/** The URL on this machine for a URL of n8n's public origin. */
export function toLocalUrl({ baseUrl }: RealN8n, address: string): string {
	const { pathname, search } = new URL(address);
	return baseUrl + pathname + search;
}

/** The first page of a published workflow that begins with a form. */
export async function openFormOf(n8n: RealN8n, { nodes }: WorkflowDraft): Promise<FormPage> {
	const { webhookId } = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger') ?? {};
	return await openForm(`${n8n.baseUrl}/form/${webhookId}`);
}

export async function openForm(address: string): Promise<FormPage> {
	const response = await fetch(address, { headers: { accept: 'text/html' } });
	const text = await response.text();
	assert.equal(response.status, 200, `${address}: ${text}`);
	return { address, text };
}

/** Fills in the fields with these labels and submits the page. Returns the text of the response. */
export async function submitForm(
	page: FormPage,
	answers: Record<string, string | File[]>,
): Promise<string> {
	const body = new FormData();
	for (const [label, answer] of Object.entries(answers)) {
		const name = fieldOf(page, label);
		for (const value of Array.isArray(answer) ? answer : [answer]) body.append(name, value);
	}
	const response = await fetch(page.address, {
		method: 'POST',
		body,
		// The page is sandboxed.
		headers: { origin: 'null' },
	});
	const text = await response.text();
	assert.equal(response.status, 200, text);
	return text;
}

/** The name under which a page sends the field with this label. */
export function fieldOf({ address, text }: FormPage, label: string): string {
	const labels = text.matchAll(/<label[^>]*\sfor='([^']+)'[^>]*>([^<]*)<\/label>/g);
	const [, name] = [...labels].find(([, , words]) => words === label) ?? [];
	assert.ok(name, `${address} does not ask for ${label}`);
	return name;
}
