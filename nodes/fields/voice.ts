import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** The account's own voices, then those of the public catalog (api.md, 5). */
const searchVoices = listSearch({
	line: 'GET /v3/voices',
	queries: [{ type: 'private' }, { type: 'public' }],
	pageSize: 100,
	entry: (row) => entry(row.voice_id, row.name, [row.language, row.gender], row.preview_audio_url),
});

/** Voice, by list or ID. */
export const voice = {
	displayName: 'Voice',
	name: 'voice_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The voice that speaks',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchVoices', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. voice_4f2a' },
	],
	schema: z.string().min(1),
	search: { searchVoices },
} as const satisfies Field;
