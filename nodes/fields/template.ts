import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, ListSearch } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';
import { createClient } from '../core/http/client';

/** Templates of the workspace; the service lists only those that have variables (api.md, 4). */
const searchTemplates = listSearch({
	line: 'GET /v3/templates',
	pageSize: 100,
	entry: (row) => entry(row.id, row.name, [row.aspect_ratio], row.thumbnail_url),
});

/** Template, by list or ID. */
export const template = {
	displayName: 'Template',
	name: 'template_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The template to use. The list shows the templates that have variables; use the ID for any other.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. template_3c9a' },
	],
	schema: z.string().min(1),
	search: { searchTemplates },
} as const satisfies Field;

/** The template chosen in the form, read from the service; nothing where none is chosen yet. */
export async function chosenTemplate(
	form: ILoadOptionsFunctions,
): Promise<IDataObject | undefined> {
	const id = form.getCurrentNodeParameter('template_id', { extractValue: true });
	// An expression that depends on an item has no value in the editor.
	if (typeof id !== 'string' || id === '' || id.startsWith('=')) return undefined;
	const client = await createClient(form);
	return await client.data({ line: 'GET /v3/templates/{template_id}', path: { template_id: id } });
}

const short = (value: unknown) => {
	const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
	return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** A list search over parts of the chosen template. */
function partsOf(
	key: 'scenes' | 'elements',
	label: (part: IDataObject, i: number) => string,
): ListSearch {
	const id = key === 'scenes' ? 'scene_id' : 'element_id';
	return async function search(this: ILoadOptionsFunctions, filter) {
		const parts = (await chosenTemplate(this))?.[key];
		const wanted = filter?.trim().toLowerCase() ?? '';
		return {
			// Elements are null for an account that may not author templates (api.md, 4).
			results: (Array.isArray(parts) ? (parts as IDataObject[]) : [])
				.map((part, i) => ({ name: label(part, i), value: String(part[id]) }))
				.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
		};
	};
}

const searchTemplateScenes = partsOf('scenes', ({ script }, i) =>
	[`Scene ${i + 1}`, short(script)].filter(Boolean).join(': '),
);

const searchTemplateElements = partsOf('elements', (element) => {
	const current = (element.current ?? {}) as IDataObject;
	const shown = current.text ?? current.voice_id ?? current.avatar_look_id ?? current.url;
	const type = String(element.element_type).replace(/_/g, ' ');
	return [type, short(shown)].filter(Boolean).join(': ');
});

/** A scene of the template, by list or ID. */
export const templateScene = {
	displayName: 'Scene',
	name: 'scene_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'A scene of the template',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTemplateScenes', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. scene_3' },
	],
	schema: z.string().min(1),
	search: { searchTemplateScenes },
} as const satisfies Field;

/** An element of the template (a text, a picture, an avatar …), by list or ID. */
export const templateElement = {
	displayName: 'Element',
	name: 'element_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'An element of the template, such as a text, a picture or an avatar',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchTemplateElements', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. element_12' },
	],
	schema: z.string().min(1),
	search: { searchTemplateElements },
} as const satisfies Field;
