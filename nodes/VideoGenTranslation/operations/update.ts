import { operation } from '../../core/operation';
import { dubbingTitle } from '../../fields/dubbing';
import { translation } from '../translation';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Rename a translation',
	description: 'Change the title of a translation',
	request: 'PATCH /v3/video-translations/{video_translation_id}',
	fields: [
		{ ...translation, required: true },
		{ ...dubbingTitle, required: true, description: 'The new title' },
	],
});
