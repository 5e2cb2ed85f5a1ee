import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import type { Field, ListSearch } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';
import { createClient } from '../core/http/client';

/** Templates of the workspace; the service lists only those that have variables (api.md, 4). */
const templates: ListSource = {
	line: 'GET /v3/templates',
	pageSize: 100,
	entry: (row) => entry(row.id, row.name, [row.aspect_ratio], row.thumbnail_url),
};

/** Template, by list or ID. */
export const template = {
	displayName: 'Template',
	name: 'template_id',
	description:
		'The template to use. The list shows the templates that have variables; use the ID for any other.',
	...locator('searchTemplates', templates, 'template_id'),
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
	description: 'A scene of the template',
	...locator('searchTemplateScenes', searchTemplateScenes, 'scenes[0].scene_id'),
} as const satisfies Field;

/** An element of the template (a text, a picture, an avatar …), by list or ID. */
export const templateElement = {
	displayName: 'Element',
	name: 'element_id',
	description: 'An element of the template, such as a text, a picture or an avatar',
	...locator('searchTemplateElements', searchTemplateElements, 'elements[0].element_id'),
} as const satisfies Field;
