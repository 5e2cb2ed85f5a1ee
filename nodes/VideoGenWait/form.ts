/** Defines the form of the wait node: its fields, its options and the webhook that resumes it. */
import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';
import { z } from 'zod';
import { downloadRuleText, fileNameField } from '../core/form/commonFields';
import type { Field } from '../core/form/field';
import { toNodeProperty } from '../core/describe/properties';
import { callbackPathSegment } from '../core/plan/resumeCallback';
import type { JobKind } from '../core/jobs/types';
import * as jobKinds from '../jobs/catalog';

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
				'The items of create nodes with Wait for Completion off: jobs of any kind, single or in batches',
		},
		{ name: 'By ID', value: 'id', description: 'One job for each item, by kind and ID' },
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
	description: 'The ID that the create node returned',
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
	description: `Files to put into binary fields of the finished items. ${downloadRuleText} Each item gets those that its kind of job makes: the first in the field "data", the others in fields of their own names.`,
	schema: z.array(z.enum(allResultFiles.map(({ value }) => value) as [string, ...string[]])),
} as const satisfies Field;

const waitNodeTimeout = {
	displayName: 'Wait Timeout (Minutes)',
	name: 'waitTimeout',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1440,
	description:
		'How long to wait for all jobs together; 1440 minutes are a day. After that, jobs that have not finished are returned as errors with their IDs. They keep running at the service.',
	schema: z.number().positive().max(43_200),
} as const satisfies Field;

const waitBinaryField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field for the first file of Download',
} as const satisfies Field;

const includeConflictingFields = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: false,
	description:
		'Whether to also keep the fields of the input item that have the name of a field of this node: they move under "input". All other fields and files of the input are always kept.',
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
		'Connect <b>Still Running</b> back to the input of this node, and <b>Finished</b> to the next node. Then, after 30 seconds, the execution is suspended while jobs run, and uses no memory. It checks again after a minute, later every 5 minutes, and at once when the service calls: switch on <b>Call Back This Execution</b> in the options of the node that creates the jobs. Connected in any other way, the node waits without suspending the execution. Call a sub-workflow with the mode <b>Run once with all items</b> only.',
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
