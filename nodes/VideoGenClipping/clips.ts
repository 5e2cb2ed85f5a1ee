import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { readState } from '../core/jobs/state';
import { readObjects } from '../core/json';
import { clippingJob } from '../jobs/catalog';

/** A clip as an item of its own: its fields, both ids, and the facts of its job. */
export function createClipItem(job: IDataObject, clip: IDataObject): IDataObject {
	const { clips, job: reference, ...clipping } = job;
	return {
		...clip,
		clip_id: clip.id,
		job_id: clipping.id ?? clipping.job_id,
		clipping,
		...(reference === undefined ? {} : { job: reference }),
	};
}

/** One item per clip; a job that has none yet stays the item that tells its status. */
export function splitIntoClipItems(
	items: INodeExecutionData[],
	values: { splitIntoClips?: boolean },
): INodeExecutionData[] {
	if (values.splitIntoClips !== true) return items;
	return items.flatMap((item) => {
		const { clips } = item.json;
		if (!Array.isArray(clips)) return [item];
		if (clips.length === 0 && readState(clippingJob, item.json) !== 'completed') return [item];
		return readObjects(clips).map((clip) => ({ json: createClipItem(item.json, clip) }));
	});
}
