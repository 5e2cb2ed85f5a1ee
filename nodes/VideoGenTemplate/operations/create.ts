import { operation } from '../../core/operation';
import { video } from '../../fields/video';

export const create = operation({
	value: 'create',
	name: 'Create From Video',
	action: 'Create a template from a video',
	description: 'Make a finished video the template of further ones',
	request: 'POST /v3/templates',
	fields: [
		{
			// The body is not specified (docs/service.md, Guesses). Everywhere else a video is named by
			// `video_id`; a service that wants another name takes it through Additional Body Fields.
			...video,
			required: true,
			description: 'The finished video to make a template of; it must be made of scenes',
		},
	],
	options: [
		{
			// A guess, too: templates are read with a `name`.
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			description: 'The name of the template; without it the service chooses one',
		},
	],
	uncertainOutcomeHint:
		'The template may have been created all the same: the service gives no way to repeat this request safely, so it was not repeated. Look for it among the templates in the web app before you run again, or you may get a second one (Get Many shows only templates that have variables).',
});
