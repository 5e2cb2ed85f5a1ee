import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operation } from '../../core/operation';
import { callbackId } from '../../fields/callback';
import { batchCallbackUrl, batchHead, batchTitle, itemIs, ofForm } from '../../fields/batch';
import { mode } from '../../fields/dubbing';
import { jsonObject, openObject } from '../../fields/json';
import { outputLanguages, stockVoices, translationVideo } from '../../fields/translation';
import { translationFiles } from '../../files';
import { translationBatchJob, translationJob } from '../../jobs';
import { checkTranslation, videoTranslationOptions } from '../translationForm';

/** Translations of one batch, each language of each video counted (docs/service.md, Limits). */
const most = 100;

const translationBody = openObject({
	video: jsonObject,
	output_languages: z.array(z.string().min(1)).min(1),
});

/** Translations that an item makes: one for each of its languages. */
const size = (values: {
	output_languages?: string[];
	translation_json?: z.output<typeof translationBody>;
}) => (values.translation_json?.output_languages ?? values.output_languages ?? []).length;

export const createBatch = operation({
	value: 'createBatch',
	name: 'Create Batch',
	action: 'Translate many videos',
	description:
		'Translate the videos of all incoming items together; further batches begin after every 100 translations',
	request: 'POST /v3/video-translations/batches',
	fields: [
		itemIs,
		ofForm(translationVideo),
		ofForm({
			...outputLanguages,
			description:
				'The languages to translate into; each counts towards the 100 translations of a batch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		}),
		ofForm(mode),
		{
			displayName: 'Translation (JSON)',
			name: 'translation_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '={{ $json }}',
			required: true,
			displayOptions: { show: { itemIs: ['json'] } },
			description: 'One translation with its video and output_languages',
			schema: translationBody,
			in: 'local',
		},
	],
	options: [...videoTranslationOptions, batchTitle, callbackId, batchCallbackUrl],
	check: (values) => [
		...checkTranslation(values),
		size(values) > most &&
			`"Output Language Names or IDs" must have at most ${most} entries for a batch, but has ${size(values)}`,
	],
	gather: {
		rows: translationJob,
		most,
		size,
		sharedBy: ['callback_url'],
		body: (all) => ({
			...batchHead(all),
			video_translations: all.map(({ values, payload }): IDataObject => ({
				...payload,
				...stockVoices(values),
				...values.translation_json,
			})),
		}),
	},
	idempotent: true,
	starts: translationBatchJob,
	files: translationFiles,
	makes: size,
});
