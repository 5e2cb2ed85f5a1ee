import { operation } from '../../core/operation';
import { resultTitle } from '../../fields/dubbing';
import { lipsync } from '../../fields/lipsync';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Rename a lipsync',
	description: 'Change the title of a lipsync',
	request: 'PATCH /v3/lipsyncs/{lipsync_id}',
	fields: [
		{ ...lipsync, required: true },
		{ ...resultTitle, required: true, description: 'The new title' },
	],
});
