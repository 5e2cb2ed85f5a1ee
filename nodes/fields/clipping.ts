/** Clipping jobs and their clips. */
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { Field, ListSearch } from '../core/form/field';
import { entry, type ListSource } from '../core/form/list';
import { locator } from '../core/form/locator';
import { createClient } from '../core/http/client';

/** Clipping jobs of the account, newest first. */
const clippings: ListSource = {
	line: 'GET /v3/ai-clipping',
	pageSize: 100,
	entry: (row) => entry(row.id, row.title, [row.status, row.callback_id]),
};

/** Clipping Job, by list or ID. */
export const clipping = {
	displayName: 'Clipping Job',
	name: 'job_id',
	required: true,
	description: 'The job that cuts a video into clips',
	...locator('searchClippings', clippings, 'job_id'),
} as const satisfies Field;

/** The clips of the job chosen in the form. */
const searchClips: ListSearch = async function (this: ILoadOptionsFunctions, filter) {
	const job = this.getCurrentNodeParameter('job_id', { extractValue: true });
	if (typeof job !== 'string' || job === '') return { results: [] };
	const client = await createClient(this);
	const data = await client.data({ line: 'GET /v3/ai-clipping/{job_id}', path: { job_id: job } });
	const clips = Array.isArray(data.clips) ? (data.clips as IDataObject[]) : [];
	const wanted = filter?.trim().toLowerCase() ?? '';
	return {
		results: clips
			.map((clip) => {
				const seconds = Number(clip.duration_seconds ?? NaN);
				const length = Number.isFinite(seconds) ? `${Math.round(seconds)} s` : undefined;
				const status = clip.status === 'completed' ? undefined : clip.status;
				return entry(clip.id, clip.title, [length, status], clip.video_url);
			})
			.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted)),
	};
};

/** A clip of the chosen job, by list or ID. */
export const clip = {
	displayName: 'Clip',
	name: 'clip_id',
	required: true,
	description: 'One of the clips of the job',
	...locator('searchClips', searchClips, 'clip_id'),
	in: 'local',
} as const satisfies Field;

/** One item per clip instead of one per job. */
export const splitIntoClips = {
	displayName: 'Split Into Clips',
	name: 'splitIntoClips',
	type: 'boolean',
	default: false,
	description:
		'Whether to return one item per clip, each with the facts of its job, instead of one item with all clips',
	schema: z.boolean(),
	in: 'local',
} as const satisfies Field;
