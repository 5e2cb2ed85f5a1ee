import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Job } from '../core/jobs/state';
import { readObject, readText } from '../core/json';
import type { ExecuteContext } from '../core/operation';
import { agentFiles } from '../fields/asset';
import { brandKit } from '../fields/brandKit';
import { look } from '../fields/look';
import { voice } from '../fields/voice';
import { videoFiles } from '../jobs/files';
import { chatSessionJob, videoJob } from '../jobs/catalog';

/**
 * The job that a follow-up turn starts: a new draft if the reply names one, otherwise the session
 * continues (docs/service.md, Resources).
 *
 * @param before the session before the turn: the video that it had then is not a result of the turn
 */
function findStartedJob({ session_id, video_id }: IDataObject, before: IDataObject): Job[] {
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

/** Common parts of the follow-up turns. The service takes no idempotency key for them. */
export const followUpTurn = {
	durationHint: videoJob.durationHint,
	// `execute` names the job, because that depends on the session before the turn.
	starts: () => [],
	files: videoFiles,
	async execute({
		client,
		send,
		started,
		values: { session_id },
	}: ExecuteContext & { values: { session_id: string } }) {
		const before = await client.fetchData({
			line: 'GET /v3/video-agents/{session_id}',
			path: { session_id },
		});
		const reply = await send();
		started(findStartedJob(reply, before));
		return [{ json: reply }];
	},
	reshapeItems: (items: INodeExecutionData[]) => items.map(addFinishedDraft),
	uncertainOutcomeHint:
		'The turn may have been taken all the same, so it was not repeated. Read the session with the operation Get and look at its messages and video ID before you run again.',
} as const;
