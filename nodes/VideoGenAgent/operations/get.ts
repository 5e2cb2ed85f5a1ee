import type { IDataObject } from 'n8n-workflow';
import { decideJobState } from '../../core/jobs/jobState';
import { fetchJobStatus } from '../../core/jobs/readJobs';
import { readText } from '../../core/json';
import { defineOperation } from '../../core/operation';
import type { Client } from '../../core/http/client';
import { sessionField } from '../session';
import { agentSessionJob, videoJob } from '../../jobKinds/catalog';

/**
 * Returns an object with the URL of a completed session's video, so that users do not need a second
 * node or tool to get it. If the video cannot be read, returns an empty object instead of throwing,
 * because the session itself is still useful.
 */
async function fetchVideoUrl(client: Client, session: IDataObject): Promise<IDataObject> {
	const video_id = readText(session.video_id);
	if (video_id === undefined || decideJobState(agentSessionJob, session) !== 'completed') return {};
	const { video_url }: IDataObject = await fetchJobStatus(client, {
		kind: videoJob,
		id: video_id,
	}).catch(() => ({}));
	return readText(video_url) === undefined ? {} : { video_url };
}

export const get = defineOperation({
	value: 'get',
	name: 'Get',
	action: 'Get session and its video',
	description: "Get a session's status, progress and messages, and the URL of its finished video",
	request: 'GET /v3/video-agents/{session_id}',
	returns: ['status', 'progress', 'video_id', 'video_url', 'reply'],
	fields: [{ ...sessionField, required: true }],
	execute: async ({ send, client }) => {
		const session = await send();
		const more = {
			...agentSessionJob.extract?.(session),
			...(await fetchVideoUrl(client, session)),
		};
		return [{ json: { ...session, ...more } }];
	},
});
