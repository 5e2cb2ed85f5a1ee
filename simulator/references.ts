import { createInvalidParameterError, createNotFoundError, createError } from './errors';
import type { Schemas } from './requestTypes';
import type { Service } from './service';
import { findRow, type State } from './store';
import { plans, type Plan } from './workspace';

type OptionalText = string | null | undefined;

/** Estimates how many seconds a text takes to speak. Below 1 it is `script_too_short`. */
export const estimateSpeechSeconds = (script: string) =>
	script.replace(/<[^>]*>/g, '').replace(/[^\p{L}\p{N}]/gu, '').length / 10;

/**
 * Returns the id of a folder that exists and may hold files made from `sources`. A folder tree with
 * its own encryption key exchanges no files with other trees (service.md, Errors).
 */
export function requireFolder(
	{ state }: Service,
	id: OptionalText,
	sources: Array<Schemas['FileInput'] | null | undefined> = [],
) {
	// An empty string is the root of the workspace.
	const folder = id ? state.folders.get(id) : undefined;
	if (id && (!folder || folder.trashed)) {
		throw createNotFoundError('resource_not_found', `Folder ${id}`, 'folder_id');
	}
	for (const source of sources) {
		if (source?.type !== 'asset_id') continue;
		const home = state.folders.get(state.assets.get(source.asset_id)?.folderId ?? '');
		if ((home?.customerKey ?? false) !== (folder?.customerKey ?? false)) {
			throw createError(
				409,
				'encryption_cross_tree_transfer',
				'Files cannot move between folder trees with different encryption keys',
				'folder_id',
			);
		}
	}
	return id || null;
}

export function requireVoice({ state }: Service, id: OptionalText, param = 'voice_id') {
	if (!id) return null;
	const voice = findRow(state.voices, id, 'Voice', 'voice_not_found', param);
	if (voice.status === 'processing') {
		throw createError(409, 'voice_not_ready', `Voice ${id} is not ready yet`, param);
	}
	if (voice.status === 'failed') {
		throw createError(400, 'voice_unavailable', `Voice ${id} could not be created`, param);
	}
	if (voice.expired) throw createError(400, 'voice_expired', `Voice ${id} has expired`, param);
	return voice;
}

export function requireLook({ state }: Service, id: OptionalText, param = 'avatar_id') {
	if (!id) return null;
	const look = findRow(state.looks, id, 'Avatar look', 'avatar_not_found', param);
	if (look.status === 'pending_consent') {
		throw createError(400, 'avatar_consent_required', `Look ${id} waits for consent`, param);
	}
	if (look.status && look.status !== 'completed') {
		throw createError(400, 'avatar_not_usable', `Look ${id} is ${look.status}`, param);
	}
	if (look.expired) throw createError(400, 'avatar_expired', `Look ${id} has expired`, param);
	return look;
}

export function requireBrandGlossary(
	{ state }: Service,
	body: { brand_glossary_id?: OptionalText; brand_voice_id?: OptionalText },
) {
	const param = body.brand_glossary_id ? 'brand_glossary_id' : 'brand_voice_id';
	const id = body.brand_glossary_id ?? body.brand_voice_id;
	if (!id) return null;
	return findRow(state.glossaries, id, 'Brand glossary', 'resource_not_found', param).id;
}

export function requireBrandKit({ state }: Service, id: OptionalText) {
	if (!id) return null;
	const kit = findRow(state.kits, id, 'Brand kit', 'resource_not_found', 'brand_kit_id');
	if (kit.status !== 'completed') {
		throw createError(
			409,
			'brand_kit_not_ready',
			`Brand kit ${id} is ${kit.status}`,
			'brand_kit_id',
		);
	}
	const { lockedBrandKit: locked } = state.workspace;
	if (locked !== null && locked !== id) {
		throw createError(
			403,
			'brand_kit_locked',
			`The brand policy requires ${locked}`,
			'brand_kit_id',
		);
	}
	return id;
}

/** Throws 402 if the plan of the workspace does not include a feature. */
export function requirePlan({ state }: Service, minPlan: Plan, what: string, param: string) {
	if (plans.indexOf(state.workspace.plan) >= plans.indexOf(minPlan)) return;
	throw createError(402, 'plan_upgrade_required', `${what} needs the plan ${minPlan}`, param);
}

/** Throws if the text violates the simulated content policy: it contains the word BANNED. */
export function requireAllowedText(text: OptionalText, param: string) {
	if (text?.includes('BANNED')) {
		throw createError(
			400,
			'content_policy_violation',
			'The text violates the content policy',
			param,
		);
	}
}

/**
 * Throws if the URL counts as unreachable. The simulator downloads no files: hosts under `.invalid`,
 * which never resolve (RFC 2606), fail to download, and those that begin with `slow.` time out.
 */
export function requireReachable(url: OptionalText, param: string) {
	const { hostname } = new URL(url ?? 'https://nothing.example');
	if (!hostname.endsWith('.invalid')) return;
	if (hostname.startsWith('slow.')) {
		throw createError(504, 'gateway_timeout', `The download of ${url} took too long`, param);
	}
	throw createError(400, 'download_failed', `${url} could not be downloaded`, param);
}

export function requireAsset(
	{ state }: Service,
	input: Schemas['FileInput'] | null | undefined,
	param: string,
) {
	if (input?.type === 'asset_id') requireAssetId(state, input.asset_id, `${param}.asset_id`);
	if (input?.type === 'url') requireReachable(input.url, `${param}.url`);
	if (input?.type === 'base64' && !state.workspace.inlineFiles) {
		throw createError(400, 'ephemeral_upload_disabled', 'Upload the file as an asset first', param);
	}
}

export function requireAssetId(state: State, id: OptionalText, param: string) {
	if (!id) return;
	const asset = findRow(state.assets, id, 'Asset', 'asset_not_found', param);
	if (asset.status !== 'ready') {
		throw createError(409, 'resource_not_ready', `Asset ${id} is not complete yet`, param);
	}
}

/** Requires exactly one of script, audio_url and audio_asset_id, and returns its length in seconds. */
export function requireSpeech(
	service: Service,
	source: {
		script?: OptionalText;
		audio_url?: OptionalText;
		audio_asset_id?: OptionalText;
		voice_id?: OptionalText;
		voice_settings?: { locale?: OptionalText } | null | undefined;
	},
	options: { path?: string; voiceRequired: boolean; optional?: boolean },
): number {
	const path = options.path ? `${options.path}.` : '';
	const sources = (['script', 'audio_url', 'audio_asset_id'] as const).filter(
		(name) => source[name],
	);
	if (sources.length > 1) {
		throw createInvalidParameterError(
			`${path}${sources[1]}`,
			`Give one of ${sources.join(', ')}, not several`,
		);
	}
	if (sources.length === 0) {
		if (options.optional) return 0;
		throw createInvalidParameterError(
			`${path}script`,
			'Give a script, an audio_url or an audio_asset_id',
		);
	}
	requireAllowedText(source.script, `${path}script`);
	requireReachable(source.audio_url, `${path}audio_url`);
	const voice = requireVoice(service, source.voice_id, `${path}voice_id`);
	if (source.voice_settings?.locale && voice && !voice.supportLocale) {
		throw createError(
			400,
			'voice_settings_not_supported',
			`Voice ${voice.id} does not support a locale`,
			`${path}voice_settings.locale`,
		);
	}
	requireAssetId(service.state, source.audio_asset_id, `${path}audio_asset_id`);
	if (!source.script) return 12;
	if (options.voiceRequired && !source.voice_id) {
		throw createInvalidParameterError(
			`${path}voice_id`,
			`${path}voice_id: a script needs a voice_id here`,
		);
	}
	const seconds = estimateSpeechSeconds(source.script);
	if (seconds < 1) {
		throw createError(
			400,
			'script_too_short',
			'The script makes less than 1.0 second of speech',
			`${path}script`,
		);
	}
	return seconds;
}
