import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { readState } from '../core/jobs/state';
import { omitKeys, readObjects } from '../core/json';
import { clippingJob } from '../jobs/catalog';

/**
 * Returns the JSON of an output item for one clip: the fields of the clip, `clip_id`, `job_id`, and
 * the details of the job under `clipping`.
 */
export function createClipItem(job: IDataObject, clip: IDataObject): IDataObject {
	const { job: reference } = job;
	const clipping = omitKeys(job, 'clips', 'job');
	return {
		...clip,
		clip_id: clip.id,
		job_id: clipping.id ?? clipping.job_id,
		clipping,
		...(reference === undefined ? {} : { job: reference }),
	};
}

/**
 * Replaces the item of a clipping job with one item per clip if Split Into Clips is on, or if files
 * are downloaded, because each clip has its own files. A running or failed job without clips keeps
 * its item. A completed job without clips outputs no item.
 */
export function splitIntoClipItems(
	items: INodeExecutionData[],
	{ splitIntoClips, download = [] }: { splitIntoClips?: boolean; download?: readonly string[] },
): INodeExecutionData[] {
	if (splitIntoClips !== true && download.length === 0) return items;
	return items.flatMap((item) => {
		const { clips } = item.json;
		if (!Array.isArray(clips)) return [item];
		if (clips.length === 0 && readState(clippingJob, item.json) !== 'completed') return [item];
		return readObjects(clips).map((clip) => ({ json: createClipItem(item.json, clip) }));
	});
}
