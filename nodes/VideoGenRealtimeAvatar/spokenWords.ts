import type { IDataObject, NodeOperationError } from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import { clock } from '../core/clock';
import { createOperationError } from '../core/errors/nodeErrors';
import { readServerSentEvents } from '../core/files/serverSentEvents';
import type { Client } from '../core/http/client';
import { readObjects } from '../core/json';
import { realtimeStreamJob } from '../jobs/catalog';

/** A stream that waits for its first words may be silent for a while (milliseconds). */
const firstWordsTimeout = 300_000;

export interface SpokenWords {
	words: IDataObject[];
	/** Why the stream ended, in the service's words. */
	reason: string;
}

/** The words as one text. */
export const joinSpokenWords = (words: IDataObject[]) =>
	words
		.map(({ word }) => String(word ?? '').trim())
		.filter(Boolean)
		.join(' ');

/**
 * Listens to the words of a stream until it ends.
 *
 * @throws with all words that came, when the connection breaks, the time is over, or the stream
 * ends in an error: where a second listening would begin is not known, so there is none
 */
export async function collectSpokenWords(
	client: Client,
	id: string,
	minutes: number,
): Promise<SpokenWords> {
	const words: IDataObject[] = [];
	const failed = (message: string, then: string, code: string): NodeOperationError =>
		createOperationError(
			client.node,
			message,
			`${then} ${words.length} words came before that; with On Error set to continue, they are in the details of the error.`,
			{ code, job: { kind: realtimeStreamJob.name, id }, words, text: joinSpokenWords(words) },
		);

	const stream = await client.openStream({
		line: 'GET /v3/avatar-realtime/{stream_id}/words',
		path: { stream_id: id },
		headers: { Accept: 'text/event-stream' },
		timeout: firstWordsTimeout,
	});
	const over = new AbortController();
	let late = false;
	const stopped = clock.sleep(minutes * 60_000, AbortSignal.any([client.signal, over.signal])).then(
		() => void (late = true),
		() => undefined,
	);
	const events = readServerSentEvents(stream);
	let reason: string | undefined;
	try {
		while (reason === undefined) {
			// A stream that is silent does not notice that it is destroyed: the time runs beside it.
			const next = await Promise.race([events.next(), stopped]);
			if (!next || next.done) break;
			const { event, data, ended } = next.value;
			const frame = jsonParse<IDataObject | null>(data, { fallbackValue: null });
			words.push(...readObjects(frame?.words));
			// An end that is itself cut short is none.
			if (event !== 'end' || (!ended && frame === null)) continue;
			reason = typeof frame?.reason === 'string' ? frame.reason : 'unknown';
		}
	} catch {
		// The connection broke: told below, by the end that is missing.
	} finally {
		over.abort();
		stream.destroy();
	}
	if (reason === 'error') {
		throw failed(
			'The stream ended with an error',
			`Read stream ${id} with the operation Get to see why.`,
			'stream_error',
		);
	}
	if (reason !== undefined) return { words, reason };
	if (client.signal.aborted) {
		throw failed('The execution was stopped', `Stream ${id} goes on at the service.`, 'stopped');
	}
	if (late) {
		throw failed(
			`The stream had not ended after ${minutes} minutes`,
			`Stream ${id} goes on at the service. Raise Listen at Most in the options.`,
			'wait_timeout',
		);
	}
	throw failed(
		'The words broke off before the stream ended',
		`Read stream ${id} with the operation Get: it may go on at the service.`,
		'stream_cut',
	);
}
