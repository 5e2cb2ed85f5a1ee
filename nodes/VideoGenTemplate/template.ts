import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { Field } from '../core/form/field';
import { createListItem } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';
import { readObject } from '../core/json';
import { createPartItem, createPartSearch, fetchSelected } from '../fields/dependentLists';

/** Template, by list or ID; listed are those that have variables (docs/service.md, Resources). */
export const template = {
	displayName: 'Template',
	name: 'template_id',
	description:
		'The template to use. The list shows the templates that have variables; use the ID for any other.',
	...resourceLocator('searchTemplates', 'template_id', {
		line: 'GET /v3/templates',
		entry: (row) => createListItem(row.id, row.name, [row.aspect_ratio], row.thumbnail_url),
	}),
} as const satisfies Field;

/** The template that the form chooses. */
const selectedTemplate = { field: 'template_id', line: 'GET /v3/templates/{template_id}' };

/** It as the service reads it; nothing while none is chosen. */
export const fetchSelectedTemplate = async (form: ILoadOptionsFunctions) =>
	await fetchSelected(form, selectedTemplate);

const searchTemplateScenes = createPartSearch(
	selectedTemplate,
	'scenes',
	({ scene_id, script }, i) => createPartItem(`Scene ${i + 1}`, script, scene_id),
);

/** Elements are null for an account that may not author templates (docs/service.md, Resources). */
const searchTemplateElements = createPartSearch(selectedTemplate, 'elements', (element) => {
	const current = readObject(element.current);
	const shown = current.text ?? current.voice_id ?? current.avatar_look_id ?? current.url;
	const type = String(element.element_type).replace(/_/g, ' ');
	return createPartItem(type, shown, element.element_id);
});

/** A scene of the template, by list or ID. */
export const templateScene = {
	displayName: 'Scene',
	name: 'scene_id',
	description: 'A scene of the template',
	...resourceLocator('searchTemplateScenes', 'scenes[0].scene_id', searchTemplateScenes),
} as const satisfies Field;

/** An element of the template (a text, a picture, an avatar …), by list or ID. */
export const templateElement = {
	displayName: 'Element',
	name: 'element_id',
	description: 'An element of the template, such as a text, a picture or an avatar',
	...resourceLocator('searchTemplateElements', 'elements[0].element_id', searchTemplateElements),
} as const satisfies Field;
