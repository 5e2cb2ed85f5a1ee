import { operation } from '../../core/operation';
import { resultTitle } from '../../fields/dubbing';
import { translation } from '../../fields/translation';

export const update = operation({
	value: 'update',
	name: 'Update',
	action: 'Rename a translation',
	description: 'Change the title of a translation',
	request: 'PATCH /v3/video-translations/{video_translation_id}',
	fields: [
		{ ...translation, required: true },
		{ ...resultTitle, required: true, description: 'The new title' },
	],
});
