import type { Field, IdLookUp } from '../core/form/field';
import { createListItem, type ListEndpoint, buildResourceLocator } from './listSearch';

/**
 * Endpoint that provides the voices for a dropdown: the account's own voices first, then public
 * ones.
 */
const voiceLists: ListEndpoint = {
	line: 'GET /v3/voices',
	queries: [{ type: 'private' }, { type: 'public' }],
	entry: (row) => {
		const pauses = row.support_pause === true ? 'supports pauses' : undefined;
		return createListItem(
			row.voice_id,
			row.name,
			[row.language, row.gender, pauses],
			row.preview_audio_url,
		);
	},
};

const voiceLookUp: IdLookUp = { line: 'GET /v3/voices/{voice_id}' };

const ownVoiceList: ListEndpoint = { ...voiceLists, queries: [{ type: 'private' }] };

/** Form field for selecting a voice from a list or by ID. */
export const voiceField = {
	displayName: 'Voice',
	name: 'voice_id',
	collection: 'lookAndSound',
	description: 'The voice to use',
	...buildResourceLocator('searchVoices', 'voice_id', voiceLists, voiceLookUp),
} as const satisfies Field;

/** Form field for selecting one of the account's own voices, from a list or by ID. */
export const privateVoiceField = {
	...voiceField,
	...buildResourceLocator('searchOwnVoices', 'voice_id', ownVoiceList, voiceLookUp),
	description: 'One of your own voices; public voices cannot be selected',
} as const satisfies Field;
