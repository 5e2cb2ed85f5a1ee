/** Defines the form fields for selecting a job. */
import { z } from 'zod';
import type { Field } from '../core/form/field';
import type { JobKind } from '../core/jobs/types';
import * as jobKinds from '../jobKinds/catalog';

/** Kinds of job that a user can wait for, sorted by label. */
export const awaitableJobKinds: readonly JobKind[] = Object.values<JobKind>(jobKinds)
	.filter(({ label }) => label !== undefined)
	.sort((a, b) => String(a.label).localeCompare(String(b.label)));

export const jobFields = [
	{
		displayName: 'Jobs',
		name: 'jobs',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'From Input Items',
				value: 'items',
				description:
					'Jobs of any kind in the input items: the output of a node that creates something, or an ID such as video_id',
			},
			{ name: 'By ID', value: 'id', description: 'One job per item, identified by kind and ID' },
		],
		default: 'items',
		description: 'Which jobs to use',
		schema: z.enum(['items', 'id']),
		in: 'local',
	},
	{
		displayName: 'Job Type',
		name: 'kind',
		type: 'options',
		noDataExpression: true,
		options: awaitableJobKinds.map(({ label = '', name }) => ({ name: label, value: name })),
		default: 'video',
		displayOptions: { show: { jobs: ['id'] } },
		description: 'The kind of job that the ID belongs to',
		schema: z.string(),
		in: 'local',
	},
	{
		displayName: 'Job ID',
		name: 'job_id',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.video_id }}',
		displayOptions: { show: { jobs: ['id'] } },
		description: 'The ID returned by the node that created the job',
		schema: z.string(),
		in: 'local',
	},
] as const satisfies readonly Field[];

/** All files that the awaitable kinds of job offer for download, without duplicates. */
export const allResultFiles = [
	...new Map(
		awaitableJobKinds.flatMap(({ files = [] }) => files).map((file) => [file.value, file] as const),
	).values(),
].sort((a, b) => a.name.localeCompare(b.name));
