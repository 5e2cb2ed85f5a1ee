import { z } from 'zod';
import { readObject } from '../../core/json';
import { operation } from '../../core/operation';
import { buildFileField } from '../../fields/asset';
import { callbackUrl, createCallbackId } from '../../fields/callback';
import { splitIntoClips } from '../clipping';
import { clipFiles } from '../../jobs/files';
import { clippingJob } from '../../jobs/catalog';
import { splitIntoClipItems } from '../clips';
import { outputSettings } from '../outputSettings';

export const create = operation({
	value: 'create',
	name: 'Create',
	action: 'Cut a long video into clips',
	description: 'Cut a long video into short clips with captions',
	request: 'POST /v3/ai-clipping',
	fields: [
		{
			...buildFileField('podcast.mp4', 'The long video'),
			displayName: 'Video',
			name: 'video',
		},
		outputSettings,
		{ ...splitIntoClips, displayOptions: { show: { waitForCompletion: [true] } } },
	],
	options: [
		callbackUrl,
		createCallbackId('job', 128),
		{
			displayName: 'Input Language',
			name: 'input_language',
			type: 'string',
			default: '',
			placeholder: 'e.g. en',
			description:
				'The language that is spoken, as its code of two letters; without it the service finds out',
			schema: z
				.string()
				.trim()
				.toLowerCase()
				.regex(/^[a-z]{2}$/, 'must be a language code of two letters such as en'),
		},
		{
			displayName: 'Title',
			name: 'title',
			type: 'string',
			default: '',
			description: 'The title of the job, at most 255 characters',
			schema: z.string().min(1).max(255),
		},
	],
	starts: clippingJob,
	files: clipFiles,
	check: ({ download = [], splitIntoClips }) => [
		download.length > 0 &&
			splitIntoClips !== true &&
			'"Download" needs "Split Into Clips": each clip has a file of its own',
	],
	// The reply names the new job in a key of its own.
	unwrap: (reply) => {
		const data = readObject(reply.data ?? reply);
		return { job_id: data.ai_clipping_id, ...data };
	},
	reshapeItems: splitIntoClipItems,
	uncertainOutcomeHint:
		'The clips may be in the making all the same: the service gives no way to repeat this request safely, so it was not repeated. Look with the operation Get Many (newest first) before you run again, or you may pay twice.',
});
