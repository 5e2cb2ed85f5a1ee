import { defineOperation } from '../../core/operation';
import { professionalVoiceField } from '../../fields/modelVoice';

export const deleteProfessional = defineOperation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete professional voice',
	description: 'Permanently delete a professional voice that is not being trained',
	request: 'DELETE /v3/models/audio/voices/{voice_id}',
	fields: [{ ...professionalVoiceField, description: 'The professional voice to delete' }],
});
