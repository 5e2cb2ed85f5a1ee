/** Lists that depend on what the form has chosen before, such as the scenes of the chosen video. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import type { ListSearch } from '../core/form/field';
import { filterEntries } from '../core/form/listSearch';
import { createClient } from '../core/http/client';
import { readObjects, readText } from '../core/json';

/** The id in a field of the form; nothing while none is chosen. */
export function readSelectedId(form: ILoadOptionsFunctions, field: string): string | undefined {
	const id = readText(form.getCurrentNodeParameter(field, { extractValue: true }));
	// An expression that depends on an item has no value in the editor.
	return id?.startsWith('=') ? undefined : id;
}

/** Something that a field of the form chooses, and where it is read. */
interface ParentSelection {
	field: string;
	line: string;
	/** The name of the id in the line, if not that of the field. */
	placeholder?: string;
}

/** What the form has chosen, read from the service; nothing while none is chosen. */
export async function fetchSelected(
	form: ILoadOptionsFunctions,
	{ field, line, placeholder = field }: ParentSelection,
): Promise<IDataObject | undefined> {
	const id = readSelectedId(form, field);
	if (id === undefined) return undefined;
	const client = await createClient(form);
	return await client.fetchData({ line, path: { [placeholder]: id } });
}

/** A list search over parts of what the form has chosen. */
export const createPartSearch = (
	whole: ParentSelection,
	key: string,
	entry: (part: IDataObject, i: number) => INodeListSearchItems,
): ListSearch =>
	async function (this: ILoadOptionsFunctions, filter) {
		const parts = readObjects((await fetchSelected(this, whole))?.[key]);
		return { results: filterEntries(parts.map(entry), filter) };
	};

/** The entry of a part: what it is, and the beginning of what is in it. */
export const createPartItem = (what: string, text: unknown, id: unknown): INodeListSearchItems => ({
	name: [what, shortenText(text)].filter(Boolean).join(': '),
	value: String(id),
});

/** The beginning of a text, enough to tell one part from the others; empty where it is no text. */
export function shortenText(value: unknown): string {
	const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
