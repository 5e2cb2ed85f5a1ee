import type { ILoadOptionsFunctions } from 'n8n-workflow';
import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from '../fields/listSearch';
import { readObject, toText } from '../core/json';
import {
	createPartListItem,
	createDependentListSearch,
	fetchSelectedResource,
} from '../fields/dependentLists';

/**
 * Form field for selecting a template from a list or by ID. The list contains only templates with
 * variables, because the service lists no others (service.md, Resources).
 */
export const templateField = {
	displayName: 'Template',
	name: 'template_id',
	description:
		'The template to use. The list shows the templates that have variables; use the ID for any other template.',
	...buildResourceLocator(
		'searchTemplates',
		'template_id',
		{
			line: 'GET /v3/templates',
			entry: (row) => createListItem(row.id, row.name, [row.aspect_ratio], row.thumbnail_url),
		},
		{ line: 'GET /v3/templates/{template_id}' },
	),
} as const satisfies Field;

const selectedTemplate = { field: 'template_id', line: 'GET /v3/templates/{template_id}' };

/** Fetches the template selected in the form. Returns undefined if none is selected. */
export const fetchSelectedTemplate = async (form: ILoadOptionsFunctions) =>
	await fetchSelectedResource(form, selectedTemplate);

const searchTemplateScenes = createDependentListSearch(
	selectedTemplate,
	'scenes',
	({ scene_id, script }, i) => createPartListItem(`Scene ${i + 1}`, script, scene_id),
);

/**
 * Fills the Element dropdown with the selected template's elements. The list is empty if the
 * account is not allowed to author templates (service.md, Resources).
 */
const searchTemplateElements = createDependentListSearch(
	selectedTemplate,
	'elements',
	(element) => {
		const current = readObject(element.current);
		const content = current.text ?? current.voice_id ?? current.avatar_look_id ?? current.url;
		const type = toText(element.element_type).replace(/_/g, ' ');
		return createPartListItem(type, content, element.element_id);
	},
);

/** Form field for selecting one of the template's scenes, from a list or by ID. */
export const templateSceneField = {
	displayName: 'Scene',
	name: 'scene_id',
	description: 'A scene from the template',
	...buildResourceLocator('searchTemplateScenes', 'scenes[0].scene_id', searchTemplateScenes),
} as const satisfies Field;

/** Form field for selecting one of the template's elements, such as a text or an image. */
export const templateElementField = {
	displayName: 'Element',
	name: 'element_id',
	description: 'An element of the template, such as text, an image or an avatar',
	...buildResourceLocator(
		'searchTemplateElements',
		'elements[0].element_id',
		searchTemplateElements,
	),
} as const satisfies Field;
