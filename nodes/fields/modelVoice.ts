import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';

/** The account's professional voices, each with its status: only ACTIVE ones can speak. */
const searchModelVoices = listSearch({
	line: 'GET /v3/models/audio/voices',
	pageSize: 100,
	entry: (row) => entry(row.voice_id, row.name, [row.status, row.language]),
});

/** Professional voice, by list or ID. */
export const modelVoice = {
	displayName: 'Professional Voice',
	name: 'voice_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'A professional voice of the account; to speak it must have the status ACTIVE',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchModelVoices', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. {{ $json.voice_id }}' },
	],
	schema: z.string().min(1),
	search: { searchModelVoices },
} as const satisfies Field;
