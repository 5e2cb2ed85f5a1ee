import { defineOperation } from '../../core/operation';
import { voiceField } from '../../fields/voice';

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get voice',
	description: 'Get a voice and, if it is cloned, its status: processing, complete or failed',
	request: 'GET /v3/voices/{voice_id}',
	returns: ['name', 'language', 'status', 'preview_audio_url'],
	fields: [{ ...voiceField, required: true, description: 'The voice to get' }],
});
