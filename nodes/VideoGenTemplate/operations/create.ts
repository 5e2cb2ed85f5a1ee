import { defineOperation } from '../../core/operation';
import { videoField } from '../../fields/video';

export const create = defineOperation({
	value: 'create',
	name: 'Create From Video',
	action: 'Create template from video',
	description: 'Turn a finished video into a template for other videos',
	request: 'POST /v3/templates',
	returns: ['name', 'variables', 'edit_version'],
	fields: [
		{
			// A guess, because the request body is not documented (service.md, Guesses). Other
			// requests use the key `video_id`. Users can send another key with Additional Body
			// Fields.
			...videoField,
			required: true,
			description: 'The finished video to turn into a template. The video must consist of scenes.',
		},
	],
	options: [
		{
			// Also a guess, because templates in responses have a `name`.
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			description: 'Name of the template. If not set, the service chooses one.',
		},
	],
	uncertainOutcomeHint:
		'The template may have been created anyway. This request cannot be repeated safely, so the node did not retry it. Check the templates in the web app before you run the workflow again, or you may create a duplicate. Get Many lists only templates that have variables.',
});
