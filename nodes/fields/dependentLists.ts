/** Lists that depend on another field of the form, such as the scenes of the selected video. */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import type { ListSearch } from '../core/form/field';
import { filterEntries } from '../core/form/listSearch';
import { createClient } from '../core/http/client';
import { readObjects, readText } from '../core/json';

/** Returns the ID that is selected in a form field; undefined if none is selected. */
export function readSelectedId(form: ILoadOptionsFunctions, field: string): string | undefined {
	const id = readText(form.getCurrentNodeParameter(field, { extractValue: true }));
	// The editor cannot evaluate an expression that depends on an item.
	return id?.startsWith('=') ? undefined : id;
}

/**
 * A form field that selects a resource, such as a video, and the endpoint that returns the
 * resource.
 */
interface ParentSelection {
	field: string;
	line: string;
	/** Name of the ID in the request line, if it differs from the name of the field. */
	placeholder?: string;
}

/** Fetches the resource that is selected in a form field; undefined if none is selected. */
export async function fetchSelectedResource(
	form: ILoadOptionsFunctions,
	{ field, line, placeholder = field }: ParentSelection,
): Promise<IDataObject | undefined> {
	const id = readSelectedId(form, field);
	if (id === undefined) return undefined;
	const client = await createClient(form);
	return await client.fetchData({ line, path: { [placeholder]: id } });
}

/**
 * Creates a list search for the parts of a resource that another field selects, such as the scenes
 * of a video.
 *
 * @param key key of the list of parts in the resource
 * @param entry converts a part to a list entry
 */
export const createPartSearch = (
	parent: ParentSelection,
	key: string,
	entry: (part: IDataObject, i: number) => INodeListSearchItems,
): ListSearch =>
	async function (this: ILoadOptionsFunctions, filter) {
		const parts = readObjects((await fetchSelectedResource(this, parent))?.[key]);
		return { results: filterEntries(parts.map(entry), filter) };
	};

/** Creates the list entry of a part: its kind, such as `Scene 2`, and the beginning of its text. */
export const createPartItem = (what: string, text: unknown, id: unknown): INodeListSearchItems => ({
	name: [what, shortenText(text)].filter(Boolean).join(': '),
	value: String(id),
});

/**
 * Returns the first 60 characters of a text on one line, for use in a label; empty for other
 * values.
 */
export function shortenText(value: unknown): string {
	const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
