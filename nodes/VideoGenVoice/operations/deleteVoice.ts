import type { NodeApiError } from 'n8n-workflow';
import { factsOf } from '../../core/errors';
import { operation } from '../../core/operation';
import { ownVoice } from '../../fields/ownVoice';
import { simple } from '../groups';

/** This code has a meaning of its own here (api.md, 5). */
function aboutVoice(error: unknown): unknown {
	if (factsOf(error).code !== 'resource_access_denied') return error;
	const denied = error as NodeApiError;
	const [, ...facts] = (denied.description ?? '').split('\n');
	denied.description = [
		'The voice is of the public catalog or of another account, or a template still uses it: then remove it from the template first.',
		...facts,
	].join('\n');
	denied.message = denied.message.replace(/^[^:]+/, 'This voice cannot be deleted');
	return denied;
}

export const deleteVoice = operation({
	value: 'delete',
	group: simple,
	name: 'Delete',
	action: 'Delete a voice',
	description: 'Delete a voice of your own for good; not while a template uses it',
	request: 'DELETE /v3/voices/{voice_id}',
	fields: [{ ...ownVoice, required: true }],
	async execute({ send }) {
		try {
			return [{ json: await send() }];
		} catch (error) {
			throw aboutVoice(error);
		}
	},
});
