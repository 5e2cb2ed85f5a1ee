import { operation } from '../../core/operation';
import { ownVoice } from '../../fields/voice';

export const deleteVoice = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete a voice',
	description: 'Delete a voice of your own for good; not while a template uses it',
	request: 'DELETE /v3/voices/{voice_id}',
	fields: [{ ...ownVoice, required: true }],
	explanations: {
		resource_access_denied: {
			message: 'This voice cannot be deleted',
			advice:
				'The voice is of the public catalog or of another account, or a template still uses it: then remove it from the template first.',
		},
	},
});
