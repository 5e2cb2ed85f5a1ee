import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { decideJobState, readFailureWithDefaults } from '../core/jobs/jobState';
import { omitKeys, readObjects } from '../core/json';
import { clippingJob } from '../jobKinds/catalog';

/**
 * Returns an output item's JSON for one clip: the clip's own fields, `clip_id`, `job_id`, and the
 * details of the clipping job under `clipping`.
 */
export function createClipJson(job: IDataObject, clip: IDataObject): IDataObject {
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
 * Creates the JSON of the error item for a failed clip. The JSON has only the keys that n8n expects
 * in an error item.
 */
function createClipErrorJson(job: IDataObject, clip: IDataObject): IDataObject {
	const { code, reason } = readFailureWithDefaults(clip);
	const { clip_id, job_id, job: reference } = createClipJson(job, clip);
	const details = { code, outcome: 'failed', clip_id, job_id, job: reference };
	return {
		error: `The clip failed: ${reason}`,
		details: { ...details, description: 'The other clips of the job are separate items.' },
	};
}

/**
 * Replaces a clipping job's item with one item per clip if One Item per Clip is on. Also does so if
 * files are downloaded, because each clip has its own files. A failed clip becomes an error item.
 * If a completed job has no clips, its item is removed. If a job without clips is not completed,
 * its item is kept.
 */
export function splitIntoClipItems(
	items: INodeExecutionData[],
	{ splitIntoClips, download = [] }: { splitIntoClips?: boolean; download?: readonly string[] },
): INodeExecutionData[] {
	if (splitIntoClips !== true && download.length === 0) return items;
	return items.flatMap((item) => {
		const { clips } = item.json;
		if (!Array.isArray(clips)) return [item];
		if (clips.length === 0 && decideJobState(clippingJob, item.json) !== 'completed') return [item];
		return readObjects(clips).map((clip) => {
			const hasFailed = decideJobState(clippingJob, clip) === 'failed';
			return { json: (hasFailed ? createClipErrorJson : createClipJson)(item.json, clip) };
		});
	});
}
