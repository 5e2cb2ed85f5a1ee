import { defineOperation } from '../../core/operation';
import { privateVoiceField } from '../../fields/voice';

export const deleteVoice = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete voice',
	description: 'Permanently delete one of your own voices if no template uses it',
	request: 'DELETE /v3/voices/{voice_id}',
	fields: [{ ...privateVoiceField, required: true }],
	explanations: {
		resource_access_denied: {
			message: 'This voice cannot be deleted',
			advice:
				'The voice belongs to the public catalog or to another account, or a template still uses it. If a template uses the voice, remove the voice from the template first.',
		},
	},
});
