import type { Field } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';

/** The account's professional voices, each with its status: only ACTIVE ones can speak. */
const modelVoices: ListSource = {
	line: 'GET /v3/models/audio/voices',
	pageSize: 100,
	entry: (row) => entry(row.voice_id, row.name, [row.status, row.language]),
};

/** Professional voice, by list or ID. */
export const modelVoice = {
	displayName: 'Professional Voice',
	name: 'voice_id',
	required: true,
	description: 'A professional voice of the account; to speak it must have the status ACTIVE',
	...locator('searchModelVoices', modelVoices, 'voice_id'),
} as const satisfies Field;
