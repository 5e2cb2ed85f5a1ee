/**
 * Defines the wait node's form fields and options, and the webhook that resumes a suspended
 * execution.
 */
import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';
import { z } from 'zod';
import { downloadSelectionText, fileNameField } from '../core/form/commonFields';
import type { Field } from '../core/form/field';
import { toNodeProperty } from '../core/describe/properties';
import { callbackPathSegment } from '../core/plan/resumeCallback';
import type { JobKind } from '../core/jobs/types';
import * as jobKinds from '../jobKinds/catalog';

/** Kinds of job that the wait node supports, sorted by label. */
export const awaitableJobKinds: readonly JobKind[] = Object.values<JobKind>(jobKinds)
	.filter(({ label }) => label !== undefined)
	.sort((a, b) => String(a.label).localeCompare(String(b.label)));

const jobsField = {
	displayName: 'Jobs',
	name: 'jobs',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Of the Incoming Items',
			value: 'items',
			description:
				'Items from nodes with "Wait for Completion" turned off: jobs of any kind, single or in batches',
		},
		{ name: 'By ID', value: 'id', description: 'One job per item, identified by kind and ID' },
	],
	default: 'items',
	description: 'The jobs to wait for',
	schema: z.enum(['items', 'id']),
} as const satisfies Field;

const kindField = {
	displayName: 'Kind of Job',
	name: 'kind',
	type: 'options',
	noDataExpression: true,
	options: awaitableJobKinds.map(({ label = '', name }) => ({ name: label, value: name })),
	default: 'video',
	displayOptions: { show: { jobs: ['id'] } },
	description: 'The kind of job that the ID belongs to',
	schema: z.string(),
} as const satisfies Field;

const jobIdField = {
	displayName: 'Job ID',
	name: 'job_id',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. {{ $json.video_id }}',
	displayOptions: { show: { jobs: ['id'] } },
	description: 'The ID returned by the node that created the job',
	schema: z.string(),
} as const satisfies Field;

/** All files that the supported kinds of job offer for download, without duplicates. */
const allResultFiles = [
	...new Map(
		awaitableJobKinds.flatMap(({ files = [] }) => files).map((file) => [file.value, file] as const),
	).values(),
].sort((a, b) => a.name.localeCompare(b.name));

const waitDownloadField = {
	displayName: 'Download',
	name: 'download',
	type: 'multiOptions',
	options: allResultFiles.map(({ name, value, description }) => ({ name, value, description })),
	default: [],
	description: `Files to put into binary fields of the finished items. ${downloadSelectionText} Each item gets the files that its kind of job creates: the first in the "data" field, and any others in their own fields.`,
	schema: z.array(z.enum(allResultFiles.map(({ value }) => value) as [string, ...string[]])),
} as const satisfies Field;

const waitNodeTimeout = {
	displayName: 'Wait Timeout (Minutes)',
	name: 'waitTimeout',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1440,
	description:
		'How long to wait for all jobs together; 1440 minutes is one day. After that time, unfinished jobs are returned as errors with their IDs, but they keep running in the service.',
	schema: z.number().positive().max(43_200),
} as const satisfies Field;

const waitBinaryField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field for the first downloaded file',
} as const satisfies Field;

const includeConflictingFields = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep input fields that have the same name as one of this node\'s output fields, by moving them to "input". All other input fields and files are always kept.',
} as const satisfies Field;

export const waitFields: readonly Field[] = [jobsField, kindField, jobIdField, waitDownloadField];
export const waitOptions: readonly Field[] = [
	fileNameField,
	includeConflictingFields,
	waitBinaryField,
	waitNodeTimeout,
];

const wiringNotice: INodeProperties = {
	displayName:
		'Connect <b>Still Running</b> back to the input of this node, and <b>Finished</b> to the next node. If jobs are still running after 30 seconds, the execution is suspended and uses no memory. The node checks again after a minute, and later every 5 minutes. To continue as soon as the service calls back, turn on <b>Call Back This Execution</b> in the options of the node that creates the jobs. If the outputs are connected in any other way, the node waits without suspending the execution. Call sub-workflows only in <b>Run once with all items</b> mode.',
	name: 'wiringNotice',
	type: 'notice',
	default: '',
};

/** Complete form of the wait node, except for the credential. */
export const waitProperties: INodeProperties[] = [
	wiringNotice,
	...waitFields.map(toNodeProperty),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: waitOptions.map(toNodeProperty),
	},
];

/**
 * Webhook of the wait node. The service calls it to resume a suspended execution. n8n accepts a
 * call only while the execution is suspended.
 */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: callbackPathSegment,
		restartWebhook: true,
	},
];
