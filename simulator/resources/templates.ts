import { createInvalidParameterError, createError } from '../errors';
import { respond } from '../http/responses';
import { respondWithPage } from '../http/pagination';
import type { Route } from '../http/route';
import { buildPublicUrl } from '../media';
import {
	requireAsset,
	requireFolder,
	requireBrandGlossary,
	requireLook,
	requireVoice,
} from '../references';
import type { Composition, Template } from '../rows';
import type { Requests, Schemas } from '../requestTypes';
import type { Service } from '../service';
import { addRow, findRow, createId } from '../store';
import { addVideo, findVideo, renderVideo, viewVideo } from './videos/render';

export function registerTemplates(route: Route, service: Service) {
	const findTemplate = (id: string | undefined) =>
		findRow(service.state.templates, id, 'Template', 'template_not_found');

	const viewSummary = (template: Template) => ({
		id: template.id,
		name: template.name,
		thumbnail_url: buildPublicUrl(service.baseUrl, template.id, 'thumbnail.jpg'),
		aspect_ratio: template.ratio,
		created_at: Math.floor(template.created),
		updated_at: Math.floor(template.updated),
	});

	const viewTemplate = (template: Template) => ({
		...viewSummary(template),
		edit_version: template.editVersion,
		variables: template.variables,
		scene_ids: template.scenes.map(({ scene_id }) => scene_id),
		scenes: template.scenes,
		elements: template.elements,
		source_video_id: template.sourceVideoId,
	});

	route('GET /v3/templates', ({ query }) => {
		// The list contains only templates with variables.
		const rows = [...service.state.templates.values()].filter(
			({ variables }) => Object.keys(variables).length > 0,
		);
		return respondWithPage(service, 'templates', rows, query, viewSummary);
	});

	route('GET /v3/templates/{template_id}', ({ params }) =>
		respond(viewTemplate(findTemplate(params.template_id))),
	);

	route(
		'POST /v3/templates',
		// The body is undocumented (service.md, G5). It needs a source video, so both likely names are accepted.
		({ body, now }) => {
			const id = body.video_id ?? body.source_video_id;
			if (!id) throw createInvalidParameterError('video_id', 'video_id: Required');
			const video = findVideo(service, id, 'video_not_found');
			if (!video.composition || video.status !== 'completed') {
				throw createError(
					400,
					'template_source_unsupported',
					'This video cannot be turned into a template',
				);
			}
			const { templateLimit } = service.state.workspace;
			if (service.state.templates.size >= templateLimit) {
				throw createError(
					400,
					'template_limit_reached',
					`A workspace has at most ${templateLimit} templates`,
				);
			}
			const template = addRow<Template>(service.state, service.state.templates, {
				id: createId('template_'),
				name: body.name ?? video.title ?? 'Template',
				ratio: String(video.composition.video.aspect_ratio ?? '16:9'),
				created: now,
				updated: now,
				editVersion: 1,
				updating: false,
				sourceVideoId: video.id,
				variables: {},
				...readComposition(video.composition),
			});
			return respond(viewTemplate(template));
		},
	);

	route(
		'PUT /v3/templates/{template_id}/variables',
		// Only the version is documented. The shape of `variables` is a guess; other fields pass.
		({ params, body, now }) => {
			const template = findTemplate(params.template_id);
			if (template.updating) {
				throw createError(409, 'template_update_in_progress', 'Another update is in progress');
			}
			if (body.expected_edit_version !== template.editVersion) {
				throw createError(
					409,
					'stale_edit_version',
					'The template has changed since it was read',
					'expected_edit_version',
				);
			}
			const edited = structuredClone(template);
			(body.variables ?? []).forEach((variable, index) => {
				const candidates = edited.elements.filter(
					(createElement) =>
						!variable.element_id || createElement.element_id === variable.element_id,
				);
				const { name, text } = variable;
				const target = candidates.find(({ current }) =>
					text === undefined ? variable.element_id : String(current.text ?? '').includes(text),
				);
				const isInStyledText = candidates.some(
					({ current }) => text && stripTags(current.text).includes(text),
				);
				if (!target && isInStyledText) {
					throw createError(
						400,
						'variable_match_spans_styles',
						`The text of ${name} spans several styles`,
						`variables[${index}]`,
					);
				}
				if (!target) {
					throw createError(
						400,
						'variable_match_not_found',
						`Nothing in the template matches ${name}`,
						`variables[${index}]`,
					);
				}
				if (text === undefined) {
					target.variable = name;
					const [kind = 'text'] = target.bindable_as;
					edited.variables[name] = { type: kind };
					return;
				}
				target.current.text = String(target.current.text).replace(text, `{{${name}}}`);
				target.text_variables.push(name);
				edited.variables[name] = { type: 'text', content: text };
			});
			edited.editVersion += 1;
			edited.updated = now;
			service.state.templates.set(edited.id, edited);
			return respond(viewTemplate(edited));
		},
	);

	route(
		'POST /v3/templates/{template_id}',
		{ needs: 'generation', occupies: 'jobs' },
		({ params, body }) => {
			const template = findTemplate(params.template_id);
			for (const [name, value] of Object.entries(body.variables)) {
				checkVariable(service, template, name, value);
			}
			const sceneIds = template.scenes.map(({ scene_id }) => scene_id);
			body.scene_ids?.forEach((id, index) => {
				if (!sceneIds.includes(id)) {
					throw createInvalidParameterError(
						`scene_ids[${index}]`,
						`Scene ${id} is not in the template`,
					);
				}
			});
			requireBrandGlossary(service, body);
			const video = addVideo(service, {
				title: body.title ?? template.name,
				folder: requireFolder(service, body.folder_id),
				captions: body.caption ? 'burned' : 'none',
				gif: body.include_gif ? 'asked' : 'usual',
				callbackUrl: body.callback_url ?? null,
				callbackId: body.callback_id ?? null,
				composition: createComposition(template, body),
			});
			renderVideo(service, video);
			return respond(viewVideo(service, video));
		},
	);
}

const stripTags = (text: unknown) => String(text ?? '').replace(/<[^>]*>/g, '');

function checkVariable(
	service: Service,
	template: Template,
	name: string,
	value: Schemas['TemplateVariable'],
) {
	const declared = template.variables[name];
	if (!declared)
		throw createInvalidParameterError(`variables.${name}`, `The template has no variable ${name}`);
	if (declared.type !== value.type) {
		throw createInvalidParameterError(
			`variables.${name}.type`,
			`${name} is a variable of the type ${declared.type}`,
		);
	}
	if ('asset' in value) requireAsset(service, value.asset, `variables.${name}.asset`);
	if (value.type === 'voice') requireVoice(service, value.voice_id, `variables.${name}.voice_id`);
	if (value.type === 'character' && value.character_type !== 'talking_photo') {
		requireLook(service, value.character_id, `variables.${name}.character_id`);
	}
}

function readComposition({ scenes }: Composition): Pick<Template, 'scenes' | 'elements'> {
	return {
		scenes: scenes.map(({ id, script }) => ({
			scene_id: id,
			script: (script as { text?: string } | null)?.text ?? null,
			variables: [],
		})),
		elements: scenes.flatMap(({ id, script, elements }) => {
			const spoken = script as { id: string; text?: string; voice_id?: string } | null;
			const createElement = (
				elementId: string,
				type: string,
				bindable: string[],
				current: object,
			) => ({
				element_id: elementId,
				element_type: type,
				scene_id: id,
				bindable_as: bindable,
				current: current as Record<string, unknown>,
				text_variables: [],
				variable: null,
			});
			return [
				...(spoken?.text
					? [
							createElement(spoken.id, 'tts', ['text', 'voice'], {
								text: spoken.text,
								voice_id: spoken.voice_id,
							}),
						]
					: []),
				...(elements as Array<{ id: string; type: string; url?: string; avatar_id?: string }>)
					.filter(({ type }) => ['avatar', 'image', 'video'].includes(type))
					.map(({ id: elementId, type, url, avatar_id }) =>
						createElement(elementId, type, [type === 'avatar' ? 'character' : type], {
							...(url ? { url } : {}),
							...(avatar_id ? { avatar_look_id: avatar_id } : {}),
						}),
					),
			];
		}),
	};
}

/** Creates the scenes of a video from a template. Placeholders without a value stay in the script. */
function createComposition(
	template: Template,
	body: Requests['POST /v3/templates/{template_id}']['body'],
): Composition {
	const fillVariables = (text: string) =>
		text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
			const value = body.variables[name];
			return value?.type === 'text' ? value.content : placeholder;
		});
	const selectedSceneIds = body.scene_ids ?? template.scenes.map(({ scene_id }) => scene_id);
	return {
		edit_version: createId('ev_'),
		video: {
			title: body.title ?? template.name,
			aspect_ratio: template.ratio,
			resolution: '1080p',
			caption: { enabled: body.caption ?? false },
			brand_glossary_id: body.brand_glossary_id ?? body.brand_voice_id ?? null,
		},
		scenes: selectedSceneIds.map((id) => {
			const scene = template.scenes.find(({ scene_id }) => scene_id === id);
			return {
				id: createId('scene_'),
				background: null,
				elements: [],
				script: scene?.script
					? {
							type: 'text',
							id: createId('script_'),
							text: fillVariables(scene.script),
							voice_id: 'voice_001',
							voice_settings: null,
							trim_to_speech: false,
						}
					: null,
			};
		}),
	};
}
