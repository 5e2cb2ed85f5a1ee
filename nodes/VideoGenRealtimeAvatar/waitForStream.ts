import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import type { Client } from '../core/http/client';
import { readText } from '../core/json';
import { toJobReference, readState } from '../core/jobs/state';
import { waitForJob } from '../core/jobs/waitForJob';
import { realtimeStreamJob } from '../jobs/catalog';

/** Streams begin within seconds: the first look comes soon (seconds). */
const firstPollAfter = 1;
/** A stream may be short, and is there to be watched only while it runs (seconds). */
const maxPollInterval = 2;

/** Waits until a stream can be watched, or until it has ended, and gives its last reading. */
export async function waitForStream(
	client: Client,
	id: string,
	ended: boolean,
	minutes: number,
): Promise<IDataObject> {
	const job = ended
		? realtimeStreamJob
		: { ...realtimeStreamJob, completed: ['streaming', ...realtimeStreamJob.completed] };
	const ending = await waitForJob(
		client,
		{ kind: job, id },
		{
			timeout: minutes * 60,
			interval: firstPollAfter,
			...(ended ? {} : { maxInterval: maxPollInterval }),
		},
	);
	const reference = toJobReference({ kind: job, id });
	switch (ending.outcome) {
		case 'failed': {
			const reason = readText(ending.data.error_message) ?? ending.reason;
			throw createOperationError(
				client.node,
				`The stream failed: ${reason}`,
				`Stream ${id} has ended. Change the input and create a new one.`,
				{ code: ending.code, job: reference, status: String(ending.data.status) },
			);
		}
		case 'timeout': {
			const { status } = ending;
			const state = status === undefined ? 'tells no status' : `has the status "${status}"`;
			throw createOperationError(
				client.node,
				`The stream ${ended ? 'had not ended' : 'could not be watched'} after ${minutes} minutes`,
				`Stream ${id} ${state} and goes on at the service: do not create it again. Read it later with the operation Get, end it with Cancel, or raise Wait Timeout in the options.`,
				{ code: 'wait_timeout', job: reference, status: status ?? 'unknown' },
			);
		}
		default:
			if (!ended && readState(realtimeStreamJob, ending.data) === 'completed') {
				throw createOperationError(
					client.node,
					'The stream was over before it could be watched',
					`Stream ${id} has come and gone. Use longer words, or create it without waiting and look at it with the operation Get at once. With Wait Until: It Has Ended, such streams are no error.`,
					{ code: 'stream_over', job: reference, status: String(ending.data.status) },
				);
			}
			return ending.data;
	}
}
