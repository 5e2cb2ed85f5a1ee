import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { apiLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { callbackIdField } from '../../fields/callback';
import {
	addRowOperation,
	batchCallbackUrlField,
	buildBatchTitleAndCallbackUrl,
	batchTitleField,
	batchRowSourceField,
	showFieldForBatchRowFormats,
} from '../../fields/batch';
import { dubbingModeField } from '../../fields/dubbing';
import { jsonObjectSchema, createOpenObjectSchema } from '../../fields/jsonSchemas';
import { outputLanguagesField, buildStockVoiceConfig, translationVideoField } from '../translation';
import { translationResultFiles } from '../../jobKinds/files';
import { translationBatchJob, translationJob } from '../../jobKinds/catalog';
import { createJobPerLanguageOperationBase, createSampleJobIds } from '../jobPerLanguage';
import { findTranslationOptionErrors, videoTranslationOptions } from '../translationOptions';

/**
 * Maximum number of translations in a batch. A video that is translated into three languages counts
 * as three translations.
 */
const { max: maxTranslationsPerBatch } =
	apiLimits['POST /v3/video-translations/batches'].video_translations;

const translationSchema = createOpenObjectSchema({
	video: jsonObjectSchema,
	output_languages: z.array(z.string().min(1)).min(1),
});

/** Returns the number of translations that an input item requests: one for each output language. */
const countTranslations = (values: {
	output_languages?: string[];
	translation_json?: z.output<typeof translationSchema>;
}) => (values.translation_json?.output_languages ?? values.output_languages ?? []).length;

const createTranslationBatch = defineOperation({
	value: 'createBatch',
	name: 'Create Batch',
	action: 'Translate many videos',
	description: `Translate the videos in all incoming items in batches of up to ${maxTranslationsPerBatch} translations`,
	request: 'POST /v3/video-translations/batches',
	returns: ['video_translation_id', 'status', 'output_language', 'video_url'],
	fields: [
		batchRowSourceField,
		showFieldForBatchRowFormats(translationVideoField),
		showFieldForBatchRowFormats({
			...outputLanguagesField,
			description: `The languages to translate into. Each language counts toward the limit of ${maxTranslationsPerBatch} translations per batch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
		}),
		showFieldForBatchRowFormats(dubbingModeField),
		{
			displayName: 'Translation (JSON)',
			name: 'translation_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '={{ $json }}',
			required: true,
			displayOptions: { show: { itemIs: ['json'] } },
			description: 'One translation, as an object with video and output_languages properties',
			schema: translationSchema,
			in: 'local',
		},
	],
	options: [...videoTranslationOptions, batchTitleField, callbackIdField, batchCallbackUrlField],
	check: (values) => [
		...findTranslationOptionErrors({ ...values, ...values.translation_json }),
		countTranslations(values) > maxTranslationsPerBatch &&
			`"Output Language Names or IDs" must have at most ${maxTranslationsPerBatch} entries for a batch, but has ${countTranslations(values)}`,
	],
	combine: {
		list: 'video_translations',
		rows: translationJob,
		maxSize: maxTranslationsPerBatch,
		getSize: countTranslations,
		sharedBy: ['callback_url'],
		body: (all) => ({
			...buildBatchTitleAndCallbackUrl(all),
			video_translations: all.map(({ values, payload }): IDataObject => ({
				...payload,
				...buildStockVoiceConfig(values),
				...values.translation_json,
			})),
		}),
	},
	idempotent: true,
	starts: translationBatchJob,
	countJobs: countTranslations,
});

const { starts, capacityLimit } = createJobPerLanguageOperationBase(translationJob);

export const createBatch = addRowOperation(createTranslationBatch, {
	request: 'POST /v3/video-translations',
	starts,
	capacityLimit,
	files: translationResultFiles,
	sample: (values) => ({
		reply: createSampleJobIds(translationJob, createTranslationBatch.countJobs?.(values) ?? 1),
	}),
});
