import type { IDataObject } from 'n8n-workflow';
import { operation } from '../../core/operation';
import { callbackId } from '../../fields/callback';
import { batchCallbackUrl, batchHead, batchTitle, itemIs, ofForm } from '../../fields/batch';
import { checkPart, mode } from '../../fields/dubbing';
import { jsonObject, openObject } from '../../fields/json';
import { lipsyncAudio, lipsyncVideo } from '../../fields/lipsync';
import { lipsyncFiles } from '../../files';
import { lipsyncBatchJob, lipsyncJob } from '../../jobs';
import { lipsyncOptions } from '../lipsyncForm';

const lipsyncBody = openObject({ video: jsonObject, audio: jsonObject });

export const createBatch = operation({
	value: 'createBatch',
	name: 'Create Batch',
	action: 'Lipsync many videos to new speech',
	description: 'Make one lipsync for each incoming item, up to 100 items in one request',
	request: 'POST /v3/lipsyncs/batches',
	fields: [
		itemIs,
		ofForm(lipsyncVideo),
		ofForm(lipsyncAudio),
		ofForm(mode),
		{
			displayName: 'Lipsync (JSON)',
			name: 'lipsync_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '={{ $json }}',
			required: true,
			displayOptions: { show: { itemIs: ['json'] } },
			description: 'One lipsync with its video and audio',
			schema: lipsyncBody,
			in: 'local',
		},
	],
	options: [...lipsyncOptions, batchTitle, callbackId, batchCallbackUrl],
	check: (values) => [checkPart(values)],
	gather: {
		rows: lipsyncJob,
		most: 100,
		sharedBy: ['callback_url'],
		body: (all) => ({
			...batchHead(all),
			lipsyncs: all.map(({ values, payload }): IDataObject => ({
				...payload,
				...values.lipsync_json,
			})),
		}),
	},
	idempotent: true,
	starts: lipsyncBatchJob,
	files: lipsyncFiles,
});
