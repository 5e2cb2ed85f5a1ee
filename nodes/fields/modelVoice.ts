import type { Field } from '../core/form/field';
import { createListItem } from '../core/form/listSearch';
import { resourceLocator } from '../core/form/resourceLocator';

/** Why a voice cannot speak: only ACTIVE ones can. */
function explainInactive(status: unknown): string | undefined {
	const word = String(status).toLowerCase();
	if (word === 'failed') return 'cannot speak: training failed';
	return word === 'pending' ? 'in training' : undefined;
}

/** Professional voice, by list or ID. */
export const modelVoice = {
	displayName: 'Professional Voice',
	name: 'voice_id',
	required: true,
	description: 'A professional voice of the account; to speak it must have the status ACTIVE',
	...resourceLocator('searchModelVoices', 'voice_id', {
		line: 'GET /v3/models/audio/voices',
		entry: (row) =>
			createListItem(row.voice_id, row.name, [row.language, explainInactive(row.status)]),
	}),
} as const satisfies Field;
