import { operation } from '../../core/operation';
import { ownVoice } from '../../fields/ownVoice';
import { simple } from '../groups';

export const deleteVoice = operation({
	value: 'delete',
	group: simple,
	name: 'Delete',
	action: 'Delete a voice',
	description: 'Delete a voice of your own for good; not while a template uses it',
	request: 'DELETE /v3/voices/{voice_id}',
	fields: [{ ...ownVoice, required: true }],
});
