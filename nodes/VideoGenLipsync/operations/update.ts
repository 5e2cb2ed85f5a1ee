import { operation } from '../../core/operation';
import { dubbingTitle } from '../../fields/dubbing';
import { lipsync } from '../lipsync';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Rename a lipsync',
	description: 'Change the title of a lipsync',
	request: 'PATCH /v3/lipsyncs/{lipsync_id}',
	fields: [
		{ ...lipsync, required: true },
		{ ...dubbingTitle, required: true, description: 'The new title' },
	],
});
