/** The form of the node, and what it holds. */
import type { INodeProperties, IWebhookDescription } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { toNodeProperty } from '../core/describe/properties';
import { callbackPath } from '../core/plan/resumeCallback';
import { jobCatalog } from '../jobs/kinds';

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
				'What the create nodes give out with Wait for Completion off, of any kinds, single or in batches',
		},
		{ name: 'By ID', value: 'id', description: 'One job for each item: its kind and its ID' },
	],
	default: 'items',
	description: 'Which jobs to wait for',
	schema: z.enum(['items', 'id']),
} as const satisfies Field;

const kindField = {
	displayName: 'Kind of Job',
	name: 'kind',
	type: 'options',
	noDataExpression: true,
	options: jobCatalog.map(({ name, job }) => ({ name, value: job.name })),
	default: 'video',
	displayOptions: { show: { jobs: ['id'] } },
	description: 'What the ID belongs to',
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
	description: 'The ID that the create gave',
	schema: z.string(),
} as const satisfies Field;

/** Files of all kinds, each by its name once. */
const allResultFiles = [
	...new Map(
		jobCatalog.flatMap(({ files = [] }) => files).map((file) => [file.value, file] as const),
	).values(),
].sort((a, b) => a.name.localeCompare(b.name));

const waitDownloadField = {
	displayName: 'Download',
	name: 'download',
	type: 'multiOptions',
	options: allResultFiles.map(({ name, value, description }) => ({ name, value, description })),
	default: [],
	description:
		'Files to put into binary fields of the finished items. Of these an item gets what its kind of job makes: the first in the field "data", each other in a field of its own name.',
	schema: z.array(z.enum(allResultFiles.map(({ value }) => value) as [string, ...string[]])),
} as const satisfies Field;

const waitNodeTimeout = {
	displayName: 'Wait Timeout (Minutes)',
	name: 'waitTimeout',
	type: 'number',
	typeOptions: { minValue: 0, numberPrecision: 2 },
	default: 1440,
	description:
		'How long to wait for all jobs together; 1440 minutes are a day. When the time is over, jobs that are not done yet come out as errors with their IDs, and go on at the service.',
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

export const waitFields: readonly Field[] = [jobsField, kindField, jobIdField, waitDownloadField];
export const waitOptions: readonly Field[] = [waitBinaryField, waitNodeTimeout];

const wiringNotice: INodeProperties = {
	displayName:
		'Connect <b>Still Running</b> back to the input of this node, and <b>Finished</b> to what comes next. While jobs run, the execution is put aside and holds no memory. It looks again after one minute at first, later every 5 minutes, and at once when the service calls: switch on <b>Call Back This Execution</b> in the options of the node that creates the jobs.',
	name: 'wiringNotice',
	type: 'notice',
	default: '',
};

/** The properties of the node, without the choice of credentials. */
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

/** Where the service calls. n8n takes such calls only while the node has put its execution aside. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		responseMode: 'onReceived',
		path: callbackPath,
		restartWebhook: true,
	},
];
