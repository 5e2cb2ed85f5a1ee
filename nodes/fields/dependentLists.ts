/**
 * Loads dropdown lists that depend on what is selected in another form field, such as the scenes of
 * the selected video.
 */
import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems } from 'n8n-workflow';
import type { ListSearchMethod } from '../core/form/field';
import { disambiguateEntries, filterBySearchText } from './listSearch';
import { createClient } from '../core/http/client';
import { readObjects, readText, toText } from '../core/json';

/**
 * Returns the ID that is selected in another form field. Returns `undefined` if nothing is selected
 * or if the field contains an expression.
 */
export function readSelectedId(form: ILoadOptionsFunctions, field: string): string | undefined {
	const id = readText(form.getCurrentNodeParameter(field, { extractValue: true }));
	// The editor cannot evaluate an expression that depends on an item.
	return id?.startsWith('=') ? undefined : id;
}

/**
 * Resource whose parts a dropdown lists, such as a video with scenes. Consists of the name of the
 * form field where users select the resource, and the endpoint that returns the resource.
 */
interface ParentSelection {
	field: string;
	line: string;
	/**
	 * Name of the placeholder for the ID in the endpoint's path, if it differs from the name of the
	 * form field.
	 */
	placeholder?: string;
}

/** Fetches the resource selected in a form field. Returns `undefined` if none is selected. */
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
 * Creates the function that fills a dropdown with the parts of the resource selected in another
 * field, such as the scenes of a video.
 *
 * @param key key of the list that contains the parts, such as `scenes`
 * @param entry converts a part to a dropdown option
 */
export const createDependentListSearch = (
	parent: ParentSelection,
	key: string,
	entry: (part: IDataObject, i: number) => INodeListSearchItems,
): ListSearchMethod =>
	async function (this: ILoadOptionsFunctions, filter) {
		const parts = readObjects((await fetchSelectedResource(this, parent))?.[key]);
		return { results: filterBySearchText(disambiguateEntries(parts.map(entry)), filter) };
	};

/**
 * Creates a dropdown option for one part of a resource. The label consists of the part's name or
 * type and the beginning of its text, such as `Scene 2: Welcome`.
 */
export const createPartListItem = (
	what: string,
	text: unknown,
	id: unknown,
): INodeListSearchItems => ({
	name: [what, shortenText(text)].filter(Boolean).join(': '),
	value: toText(id),
});

/**
 * Shortens text to a single line of at most 60 characters, for use in a label. Returns an empty
 * string for values that are not text.
 */
export function shortenText(value: unknown): string {
	const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
