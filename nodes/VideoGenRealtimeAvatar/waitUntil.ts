import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../core/errors/words';
import type { Client } from '../core/http/client';
import { textOf } from '../core/json';
import { jobRef, stateOf } from '../core/jobs/job';
import { waitFor } from '../core/jobs/wait';
import { realtimeStreamJob } from '../jobs';

/** Streams begin within seconds: the first look comes soon (seconds). */
const firstLook = 1;
/** A stream may be short, and is there to be watched only while it runs (seconds). */
const betweenLooks = 2;

/** Waits until a stream can be watched, or until it has ended, and gives its last reading. */
export async function waitUntil(
	client: Client,
	id: string,
	ended: boolean,
	minutes: number,
): Promise<IDataObject> {
	const job = ended
		? realtimeStreamJob
		: { ...realtimeStreamJob, completed: ['streaming', ...realtimeStreamJob.completed] };
	const ending = await waitFor(
		client,
		{ job, id },
		{ timeout: minutes * 60, interval: firstLook, ...(ended ? {} : { longest: betweenLooks }) },
	);
	const reference = jobRef({ job, id });
	switch (ending.outcome) {
		case 'failed': {
			const reason = textOf(ending.data.error_message) ?? ending.reason;
			throw operationError(
				client.node,
				`The stream failed: ${reason}`,
				`Stream ${id} has ended. Change the input and create a new one.`,
				{ code: ending.code, job: reference, status: String(ending.data.status) },
			);
		}
		case 'timeout': {
			const { status } = ending;
			const state = status === undefined ? 'tells no status' : `has the status "${status}"`;
			throw operationError(
				client.node,
				`The stream ${ended ? 'had not ended' : 'could not be watched'} after ${minutes} minutes`,
				`Stream ${id} ${state} and goes on at the service: do not create it again. Read it later with the operation Get, end it with Cancel, or raise Wait Timeout in the options.`,
				{ code: 'wait_timeout', job: reference, status: status ?? 'unknown' },
			);
		}
		default:
			if (!ended && stateOf(realtimeStreamJob, ending.data) === 'completed') {
				throw operationError(
					client.node,
					'The stream was over before it could be watched',
					`Stream ${id} has come and gone. Use longer words, or create it without waiting and look at it with the operation Get at once. With Wait Until: It Has Ended, such streams are no error.`,
					{ code: 'stream_over', job: reference, status: String(ending.data.status) },
				);
			}
			return ending.data;
	}
}
