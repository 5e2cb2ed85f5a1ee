import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { readObject } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { createTextSchema } from '../../core/form/validation';
import { buildFileField } from '../../fields/asset';
import { callbackUrlField, createCallbackIdField } from '../../fields/callback';
import { oneItemPerClipField } from '../clipping';
import { clippingJob } from '../../jobKinds/catalog';
import { splitIntoClipItems } from '../../shared/clips';
import { clipSettingsField } from '../outputSettings';

const { callback_id: callbackId, title } = apiLimits['POST /v3/ai-clipping'];

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Cut long video into clips',
	description: 'Cut a long video into short clips with captions',
	request: 'POST /v3/ai-clipping',
	returns: ['status', 'clips'],
	fields: [
		{
			...buildFileField('podcast.mp4', 'The long video', 'searchVideos'),
			displayName: 'Video',
			name: 'video',
		},
		clipSettingsField,
		{
			...oneItemPerClipField,
			afterWait: true,
			displayOptions: { show: { waitForCompletion: [true] } },
			description: `${oneItemPerClipField.description} Choosing files in the "Download" field turns this setting on, because each clip has its own files.`,
		},
	],
	options: [
		callbackUrlField,
		createCallbackIdField('job', callbackId),
		{
			displayName: 'Input Language',
			name: 'input_language',
			type: 'string',
			default: '',
			placeholder: 'e.g. en',
			description: 'Two-letter code of the spoken language. If not set, the service detects it.',
			schema: z
				.string()
				.trim()
				.toLowerCase()
				.regex(/^[a-z]{2}$/, 'must be a two-letter language code such as en'),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			description: `Title of the job, at most ${title.max} characters. If not set, the service chooses one.`,
			schema: createTextSchema(title),
		},
	],
	check: ({ output_settings: settings = {} }) => [
		settings.captions === false &&
			settings.caption_style !== undefined &&
			'"Caption Style" has no effect while "Captions" is off: remove one of the two',
	],
	starts: clippingJob,
	// Only this response contains the job ID under the key `ai_clipping_id`.
	unwrap: (reply) => {
		const data = readObject(reply.data ?? reply);
		return { job_id: data.ai_clipping_id, ...data };
	},
	reshapeItems: splitIntoClipItems,
	idempotent: 'unconfirmed',
	uncertainOutcomeHint:
		'Look for the job with Get Many (newest first) before you run the workflow again.',
});
