import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';
import { voice } from './voice';

/** Voices that the account made itself. */
const searchOwnVoices = listSearch({
	line: 'GET /v3/voices',
	queries: [{ type: 'private' }],
	pageSize: 100,
	entry: (row) => entry(row.voice_id, row.name, [row.language, row.gender], row.preview_audio_url),
});

/** A voice of the account's own, by list or ID. */
export const ownVoice = {
	...voice,
	description: 'A voice of your own; those of the public catalog cannot be chosen',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchOwnVoices', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. {{ $json.voice_id }}' },
	],
	search: { searchOwnVoices },
} as const satisfies Field;
