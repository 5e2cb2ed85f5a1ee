import type { IDataObject } from 'n8n-workflow';
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
import { findTimeRangeError, dubbingModeField } from '../../fields/dubbing';
import { jsonObjectSchema, createOpenObjectSchema } from '../../fields/jsonSchemas';
import { lipsyncAudioField, lipsyncOptions, lipsyncVideoField } from '../lipsync';
import { lipsyncBatchJob, lipsyncJob } from '../../jobKinds/catalog';

const { max: maxLipsyncs } = apiLimits['POST /v3/lipsyncs/batches'].lipsyncs;

const lipsyncSchema = createOpenObjectSchema({ video: jsonObjectSchema, audio: jsonObjectSchema });

const createLipsyncBatch = defineOperation({
	value: 'createBatch',
	name: 'Create Batch',
	action: 'Lipsync many videos to new speech',
	description: `Create one lipsync for each incoming item, up to ${maxLipsyncs} items in one request`,
	request: 'POST /v3/lipsyncs/batches',
	returns: ['lipsync_id', 'status', 'video_url'],
	fields: [
		batchRowSourceField,
		showFieldForBatchRowFormats(lipsyncVideoField),
		showFieldForBatchRowFormats(lipsyncAudioField),
		showFieldForBatchRowFormats(dubbingModeField),
		{
			displayName: 'Lipsync (JSON)',
			name: 'lipsync_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '={{ $json }}',
			required: true,
			displayOptions: { show: { itemIs: ['json'] } },
			description: 'One lipsync, as an object with video and audio properties',
			schema: lipsyncSchema,
			in: 'local',
		},
	],
	options: [...lipsyncOptions, batchTitleField, callbackIdField, batchCallbackUrlField],
	check: (values) => [findTimeRangeError({ ...values, ...values.lipsync_json })],
	combine: {
		list: 'lipsyncs',
		rows: lipsyncJob,
		maxSize: maxLipsyncs,
		sharedBy: ['callback_url'],
		body: (all) => ({
			...buildBatchTitleAndCallbackUrl(all),
			lipsyncs: all.map(({ values, payload }): IDataObject => ({
				...payload,
				...values.lipsync_json,
			})),
		}),
	},
	idempotent: true,
	starts: lipsyncBatchJob,
});

export const createBatch = addRowOperation(createLipsyncBatch, {
	request: 'POST /v3/lipsyncs',
	starts: lipsyncJob,
});
