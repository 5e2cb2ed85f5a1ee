import { operation } from '../../core/operation';
import { voice } from '../../fields/voice';

export const get = operation({
	value: 'get',
	name: 'Get',
	action: 'Get a voice',
	description: 'Read a voice; a cloned one has a status: processing, complete or failed',
	request: 'GET /v3/voices/{voice_id}',
	fields: [{ ...voice, required: true, description: 'The voice to read' }],
});
