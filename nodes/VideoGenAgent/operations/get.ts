import type { IDataObject } from 'n8n-workflow';
import { readJobOutcome } from '../../core/jobs/readJobs';
import { insertAfterKey, readText } from '../../core/json';
import { defineOperation } from '../../core/operation';
import type { Client } from '../../core/http/client';
import { sessionField } from '../session';
import { agentSessionJob } from '../../jobKinds/catalog';

/**
 * Returns details that the status response of an agent session lacks: the video's URL, or the
 * reason if the session failed. With the URL in the output, users do not need a second node or
 * tool. If the video cannot be read, the URL is omitted, because the session itself is still
 * useful.
 */
async function readOutcome(client: Client, session: IDataObject): Promise<IDataObject> {
	const id = readText(session.session_id) ?? '';
	const { next, outcome } = await readJobOutcome(client, { kind: agentSessionJob, id }, session);
	const video_url = outcome?.outcome === 'completed' ? readText(next?.video_url) : undefined;
	return {
		...(video_url !== undefined && { video_url }),
		...(outcome?.outcome === 'failed' && { failure_reason: outcome.reason }),
	};
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
		const outcome = await readOutcome(client, session);
		const json = {
			...insertAfterKey(session, 'video_id', outcome),
			...agentSessionJob.extract?.(session),
		};
		return [{ json }];
	},
});
