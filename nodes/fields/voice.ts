import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** The account's own voices, then those of the public catalog. */
const voices: ListSource = {
	line: 'GET /v3/voices',
	queries: [{ type: 'private' }, { type: 'public' }],
	entry: (row) => {
		const pauses = row.support_pause === true ? 'takes pauses' : undefined;
		return entry(row.voice_id, row.name, [row.language, row.gender, pauses], row.preview_audio_url);
	},
};

const ownVoices: ListSource = { ...voices, queries: [{ type: 'private' }] };

/** Voice, by list or ID. */
export const voice = {
	displayName: 'Voice',
	name: 'voice_id',
	collection: 'lookAndSound',
	description: 'The voice that speaks',
	...locator('searchVoices', 'voice_id', voices),
} as const satisfies Field;

/** A voice of the account's own, by list or ID. */
export const ownVoice = {
	...voice,
	...locator('searchOwnVoices', 'voice_id', ownVoices),
	description: 'A voice of your own; those of the public catalog cannot be chosen',
} as const satisfies Field;
