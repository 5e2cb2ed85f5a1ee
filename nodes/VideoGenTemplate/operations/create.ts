import { operation } from '../../core/operation';
import { video } from '../../fields/video';

export const create = operation({
	value: 'create',
	name: 'Create From Video',
	action: 'Create a template from a video',
	description: 'Turn a finished video into a template for other videos',
	request: 'POST /v3/templates',
	fields: [
		{
			// A guess, because the body is not specified (docs/service.md, Guesses): all other requests
			// call it `video_id`. Users can send another key with Additional Body Fields.
			...video,
			required: true,
			description: 'The finished video to turn into a template; it must consist of scenes',
		},
	],
	options: [
		{
			// A guess too: responses contain templates with a `name`.
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			description: 'Name of the template. If empty, the service chooses one.',
		},
	],
	uncertainOutcomeHint:
		'The template may have been created anyway. The request was not repeated, because the service offers no way to repeat it safely. Before you run again, check the templates in the web app, or you may get a second one. Get Many lists only templates that have variables.',
});
