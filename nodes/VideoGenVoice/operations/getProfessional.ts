import { defineOperation } from '../../core/operation';
import { professionalVoiceField } from '../../fields/modelVoice';

export const getProfessional = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get professional voice',
	description: 'Get the status of a professional voice: PENDING, ACTIVE or FAILED',
	request: 'GET /v3/models/audio/voices/{voice_id}',
	returns: ['name', 'language', 'status', 'failure_reason'],
	fields: [{ ...professionalVoiceField, description: 'The professional voice to get' }],
});
