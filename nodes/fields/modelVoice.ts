import type { Field } from '../core/form/field';
import { createListItem, buildResourceLocator } from './listSearch';
import { toText } from '../core/json';

/**
 * Returns the reason why a professional voice with this status cannot speak, or `undefined` if it
 * can. Only voices with the status ACTIVE can speak.
 */
function explainInactive(status: unknown): string | undefined {
	const lowercaseStatus = toText(status).toLowerCase();
	if (lowercaseStatus === 'failed') return 'cannot speak: training failed';
	return lowercaseStatus === 'pending' ? 'in training' : undefined;
}

/** Form field for selecting a professional voice from a list or by ID. */
export const professionalVoiceField = {
	displayName: 'Professional Voice',
	name: 'voice_id',
	required: true,
	description:
		'A professional voice in the account; only voices with the status ACTIVE can be used',
	...buildResourceLocator(
		'searchModelVoices',
		'voice_id',
		{
			line: 'GET /v3/models/audio/voices',
			entry: (row) =>
				createListItem(row.voice_id, row.name, [row.language, explainInactive(row.status)]),
		},
		{
			line: 'GET /v3/models/audio/voices/{voice_id}',
			explainUnusable: ({ status }) => explainInactive(status),
		},
	),
} as const satisfies Field;
