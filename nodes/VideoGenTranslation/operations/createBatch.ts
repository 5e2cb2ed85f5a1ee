import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operation } from '../../core/operation';
import { callbackId } from '../../fields/callback';
import { batchCallbackUrl, batchHead, batchTitle } from '../../fields/batch';
import { itemIs, mode, ofForm } from '../../fields/dubbing';
import { outputLanguages, stockVoices, translatedFilm } from '../../fields/translation';
import { translationBatch } from '../../jobs';
import { checkTranslation, options } from '../translationForm';

/** Translations that one batch may make, each language of each video counted (api.md, 8). */
const most = 100;

const payload = z
	.object({ video: z.record(z.unknown()), output_languages: z.array(z.string().min(1)).min(1) })
	.passthrough();

/** Translations that an item makes: one for each of its languages. */
const size = (values: { output_languages?: string[]; payload?: z.output<typeof payload> }) =>
	(values.payload?.output_languages ?? values.output_languages ?? []).length;

export const createBatch = operation({
	value: 'createBatch',
	name: 'Create Batch',
	action: 'Create a batch of translations',
	description:
		'Translate the videos of all incoming items together; further batches begin after every 100 translations',
	request: 'POST /v3/video-translations/batches',
	fields: [
		itemIs,
		ofForm(translatedFilm),
		ofForm({
			...outputLanguages,
			description:
				'The languages to translate into; each counts towards the 100 translations of a batch. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		}),
		ofForm(mode),
		{
			displayName: 'Translation (JSON)',
			name: 'payload',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '={{ $json }}',
			required: true,
			displayOptions: { show: { itemIs: ['json'] } },
			description: 'One translation with its video and output_languages',
			schema: payload,
			in: 'local',
		},
	],
	options: [...options, batchTitle, callbackId, batchCallbackUrl],
	check: (values) => [
		...checkTranslation(values),
		size(values) > most &&
			`"Output Language Names or IDs" must have at most ${most} entries for a batch, but has ${size(values)}`,
	],
	gather: {
		most,
		size,
		sharedBy: ['callback_url'],
		body: (all) => ({
			...batchHead(all),
			video_translations: all.map(({ values, payload }): IDataObject => ({
				...payload,
				...stockVoices(values),
				...(values.payload as IDataObject | undefined),
			})),
		}),
	},
	idempotent: true,
	starts: translationBatch,
	makes: size,
});
