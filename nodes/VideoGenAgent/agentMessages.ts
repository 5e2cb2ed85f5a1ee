import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { createJobSnapshot } from '../core/jobs/jobState';
import type { Job } from '../core/jobs/types';
import { readObject, readText } from '../core/json';
import type { ExecuteContext } from '../core/operation';
import { agentFilesField } from '../fields/asset';
import { brandKitField } from '../fields/brandKit';
import { lookField } from '../fields/look';
import { voiceField } from '../fields/voice';
import { videoResultFiles } from '../jobKinds/files';
import { agentChatSessionJob, videoJob } from '../jobKinds/catalog';

/**
 * Returns the job that a message to the video agent has started: the draft video if the response to
 * the message contains a video ID, otherwise the session itself (service.md, Resources).
 *
 * @param before status response of the session, fetched before the message was sent. A video in
 * this response is not the result of the message
 */
function findStartedJob({ session_id, video_id }: IDataObject, before: IDataObject): Job[] {
	const draftId = readText(video_id);
	const sessionId = readText(session_id);
	const session = sessionId === undefined ? [] : [{ kind: agentChatSessionJob, id: sessionId }];
	if (draftId !== undefined) return [{ kind: videoJob, id: draftId, partOf: session[0] }];
	const snapshot = createJobSnapshot(agentChatSessionJob, before);
	return session.map((job) => ({ ...job, before: snapshot }));
}

/**
 * Moves the details of a finished draft video to the key `video` of the output item, so that the
 * output has the same format as for a new session. Returns the item unchanged if the node did not
 * wait for the draft.
 */
function addFinishedDraft(item: INodeExecutionData): INodeExecutionData {
	const { session_id, run_id, video_id, job, ...video } = item.json;
	// Only the status response of an awaited video has an `id`.
	if (readObject(job).kind !== videoJob.name || video.id === undefined) return item;
	const { status, title, video_url } = video;
	return { ...item, json: { session_id, run_id, status, title, video_id, video_url, video, job } };
}

export const agentMessageOptions = [
	{
		...brandKitField,
		description:
			'Brand kit to use from this turn on. If not set, the session keeps its current brand kit.',
	},
	agentFilesField,
	{
		...lookField,
		description: 'Avatar look for this turn. If not set, the session keeps its current look.',
	},
	{
		...voiceField,
		description: 'Voice for this turn. If not set, the session keeps its current voice.',
	},
] as const;

/**
 * Settings shared by all operations that send a message to an existing session of the video agent.
 * The node does not retry a message that may have arrived, because the service accepts no
 * idempotency key for messages.
 */
export const agentMessageOperationBase = {
	durationHint: videoJob.durationHint,
	capacityLimit: videoJob.capacityLimit,
	stoppable: true,
	// `execute` records the job. Which job it is depends on the session before the message.
	starts: () => [],
	sample: ({ session_id }: { session_id: string }) => ({
		reply: { session_id, run_id: 'sample_run_{n}', video_id: 'sample_video_{n}' },
		starts: videoJob,
	}),
	files: videoResultFiles,
	async execute({
		client,
		sendAfter,
		recordJobs,
		values: { session_id },
	}: ExecuteContext & { values: { session_id: string } }) {
		const line = 'GET /v3/video-agents/{session_id}';
		const { prepared: before, reply } = await sendAfter(
			async () => await client.fetchData({ line, path: { session_id } }),
		);
		recordJobs(findStartedJob(reply, before));
		return [{ json: reply }];
	},
	reshapeItems: (items: INodeExecutionData[]) => items.map(addFinishedDraft),
	uncertainOutcomeHint:
		'The agent may have received the message anyway, so the node did not retry the request. Use Get to check the messages and video ID of the session before you run the workflow again.',
} as const;
