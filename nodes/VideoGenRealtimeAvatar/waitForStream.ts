import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import type { Client } from '../core/http/client';
import { createJobError } from '../core/jobs/jobErrors';
import { decideJobState } from '../core/jobs/jobState';
import { toJobReference } from '../core/jobs/types';
import { waitForJob } from '../core/jobs/waitForJob';
import { realtimeStreamJob } from '../jobKinds/catalog';
import { toText } from '../core/json';

/**
 * Delay before the first status poll of a live stream, in seconds. The delay is short because
 * streams start within seconds.
 */
const firstStreamPoll = 1;

/**
 * Maximum interval between two status polls of a live stream, in seconds. A stream can be watched
 * only while it is running, so a longer interval could miss a short stream.
 */
const maxStreamPollInterval = 2;

/**
 * Longest time, in minutes, that users can set for waiting for a live stream or for collecting its
 * words: one day.
 */
export const maxStreamMinutes = 24 * 60;

const timeoutAdvice = 'end it with the Cancel operation, or raise Wait Timeout in the options';

/**
 * Waits until a live stream can be watched or, if `untilEnded` is true, until it has ended. Returns
 * the last status response.
 */
export async function waitForStream(
	client: Client,
	id: string,
	untilEnded: boolean,
	minutes: number,
): Promise<IDataObject> {
	// Only the URL shows that the stream can be watched.
	const watchable = { resultUrls: ['hls_url'], maxPollInterval: maxStreamPollInterval };
	const kind = untilEnded ? realtimeStreamJob : { ...realtimeStreamJob, ...watchable };
	const policy = { timeout: minutes * 60, interval: firstStreamPoll };
	const outcome = await waitForJob(client, { kind, id }, policy);
	if (outcome.outcome === 'failed' || outcome.outcome === 'timeout') {
		throw createJobError(client.node, outcome, {
			missed: untilEnded ? 'had not ended' : 'could not be watched',
			alternative: timeoutAdvice,
		});
	}
	const { data } = outcome;
	if (!untilEnded && decideJobState(realtimeStreamJob, data) === 'completed') {
		throw createOperationError(
			client.node,
			'The stream ended before it could be watched',
			`Stream ${id} has already ended. Use longer text, or create the stream without waiting and immediately check it with the Get operation. If "Wait Until" is set to "Stream Has Ended", short streams do not cause an error.`,
			{
				code: 'stream_over',
				job: toJobReference({ kind, id }),
				status: toText(data.status),
			},
		);
	}
	return data;
}
