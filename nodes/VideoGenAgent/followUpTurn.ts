import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Job } from '../core/jobs/types';
import { readObject, readText } from '../core/json';
import { agentFiles } from '../fields/asset';
import { brandKit } from '../fields/brandKit';
import { look } from '../fields/look';
import { voice } from '../fields/voice';
import { videoFiles } from '../jobs/files';
import { chatSessionJob, videoJob } from '../jobs/catalog';

/**
 * What a follow-up turn starts: its new working draft, where the reply names one, else the
 * session goes on by itself (docs/service.md, Resources). The video that the session had before
 * is no result of the turn.
 */
function findStartedJob(
	{ session_id, video_id }: IDataObject,
	_: unknown,
	before: IDataObject,
): Job[] {
	const draft = readText(video_id);
	if (draft !== undefined) return [{ kind: videoJob, id: draft }];
	const session = readText(session_id);
	return session === undefined ? [] : [{ kind: chatSessionJob, id: session, before }];
}

/**
 * The item with its finished draft under `video`, where a new session has its film too. What has not
 * been awaited holds no reading of it, which would have an `id`.
 */
function addFinishedDraft(item: INodeExecutionData): INodeExecutionData {
	const { session_id, run_id, video_id, job, ...video } = item.json;
	if (readObject(job).kind !== videoJob.name || video.id === undefined) return item;
	const { status, title, video_url } = video;
	return { ...item, json: { session_id, run_id, status, title, video_id, video_url, video, job } };
}

/** Options of every follow-up turn. */
export const followUpOptions = [
	{ ...brandKit, description: 'Another brand kit, from this turn on' },
	agentFiles,
	{ ...look, description: 'The avatar look for this turn' },
	{ ...voice, description: 'The voice for this turn' },
] as const;

/** What all follow-up turns share. The service takes no idempotency key for them. */
export const followUpTurn = {
	readFirst: 'GET /v3/video-agents/{session_id}',
	durationHint: videoJob.durationHint,
	starts: findStartedJob,
	files: videoFiles,
	reshapeItems: (items: INodeExecutionData[]) => items.map(addFinishedDraft),
	uncertainOutcomeHint:
		'The turn may have been taken all the same, so it was not repeated. Read the session with the operation Get and look at its messages and video ID before you run again.',
} as const;
