import type { Field } from '../core/form/field';
import { createListItem, type ListEndpoint } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';

/** The private voices of the account, then those of the public catalog. */
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

const ownVoiceList: ListEndpoint = { ...voiceLists, queries: [{ type: 'private' }] };

/** A voice, from the list or by ID. */
export const voice = {
	displayName: 'Voice',
	name: 'voice_id',
	collection: 'lookAndSound',
	description: 'The voice that speaks',
	...resourceLocator('searchVoices', 'voice_id', voiceLists),
} as const satisfies Field;

/** A private voice of the account, from the list or by ID. */
export const ownVoice = {
	...voice,
	...resourceLocator('searchOwnVoices', 'voice_id', ownVoiceList),
	description: 'One of your own voices; those of the public catalog cannot be selected',
} as const satisfies Field;
