import { z } from 'zod';
import type { Field } from '../core/form/field';
import { entry, listSearch } from '../core/form/list';
import { film, recording } from './dubbing';

/** Lipsyncs of the account. */
const searchLipsyncs = listSearch({
	line: 'GET /v3/lipsyncs',
	pageSize: 100,
	entry: (row) => entry(row.id, row.title, [row.status]),
});

/** Lipsync, by list or ID. */
export const lipsync = {
	displayName: 'Lipsync',
	name: 'lipsync_id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The lipsync to use',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchLipsyncs', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. {{ $json.lipsync_id }}',
		},
	],
	schema: z.string().min(1),
	search: { searchLipsyncs },
} as const satisfies Field;

export const spokenFilm = {
	...film,
	description:
		'The video whose lips are to move: a public address, an asset of the service, or a file of the item',
} as const satisfies Field;

export const newSpeech = {
	...recording,
	description:
		'The recording to speak: a public address, an asset of the service, or a file of the item',
} as const satisfies Field;
