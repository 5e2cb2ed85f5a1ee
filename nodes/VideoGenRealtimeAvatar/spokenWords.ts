import type { IDataObject, NodeOperationError } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import { readJsonEvents } from '../shared/serverSentEvents';
import type { Client } from '../core/http/client';
import {
	closeOnAbort,
	getReceiveErrorCode,
	receivedDataLimits,
} from '../core/http/receivedDataLimits';
import { readObjects, toText } from '../core/json';
import { realtimeStreamJob } from '../jobKinds/catalog';

/** Maximum time to wait for the first words of a live stream, in milliseconds. */
const firstWordsTimeout = 300_000;

export const joinSpokenWords = (words: IDataObject[]) =>
	words
		.map(({ word }) => toText(word ?? '').trim())
		.filter(Boolean)
		.join(' ');

/**
 * Collects the words that an avatar speaks in a live stream, until the stream ends. Does not
 * reconnect, because a new connection might repeat or skip words.
 *
 * @returns the words, and the reason that the service gives for ending the stream
 * @throws if the connection breaks, the time limit is reached or the stream fails. The error
 * contains the words received so far
 */
export async function collectSpokenWords(
	client: Client,
	id: string,
	minutes: number,
): Promise<{ words: IDataObject[]; reason: string }> {
	const words: IDataObject[] = [];
	const createError = (message: string, advice: string, code: string): NodeOperationError =>
		createOperationError(
			client.node,
			message,
			`${advice} ${words.length} words arrived before the error. If On Error is set to continue, the words are in the error details.`,
			{ code, job: { kind: realtimeStreamJob.name, id }, words, text: joinSpokenWords(words) },
		);

	const stream = await client.openStream({
		line: 'GET /v3/avatar-realtime/{stream_id}/words',
		path: { stream_id: id },
		headers: { Accept: 'text/event-stream' },
		timeout: firstWordsTimeout,
	});
	const ignoreAbort = closeOnAbort(stream, client.signal);
	// An avatar may be silent until the time limit.
	const limits = { ...receivedDataLimits.liveWords, silence: Infinity, seconds: minutes * 60 };
	let failure: unknown;
	let reason: string | undefined;
	try {
		const events = readJsonEvents(stream, client.removeEchoedSecrets, limits);
		for await (const { event, json: frame, ended } of events) {
			for (const word of readObjects(frame?.words)) words.push(word);
			// A truncated end event does not count.
			if (event !== 'end' || (!ended && frame === null)) continue;
			reason = typeof frame?.reason === 'string' ? frame.reason : 'unknown';
			break;
		}
	} catch (error) {
		// Without an end event, an error is thrown below.
		failure = error;
	} finally {
		ignoreAbort();
	}
	if (reason === 'error') {
		throw createError(
			'The stream ended with an error',
			`Use the Get operation to see why stream ${id} failed.`,
			'stream_error',
		);
	}
	if (reason !== undefined) return { words, reason };
	if (client.signal.aborted) {
		throw createError(
			'The execution was stopped',
			`Stream ${id} keeps running in the service.`,
			'stopped',
		);
	}
	const limit = getReceiveErrorCode(failure);
	if (limit === 'TOO_SLOW') {
		throw createError(
			`The stream had not ended after ${minutes} minutes`,
			`Stream ${id} keeps running in the service. To listen longer, increase "Listen Timeout" in the options.`,
			'wait_timeout',
		);
	}
	throw createError(
		`The spoken words stopped arriving before the stream ended${limit ? `: ${(failure as Error).message}` : ''}`,
		`Check stream ${id} with the Get operation: it may still be running in the service.`,
		'stream_cut',
	);
}
