/** The bytes of a file over as many connections as it takes: each goes on where the last one broke. */
import type { IDataObject, IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';
import { asNodeError } from '../errors/words';
import type { Client } from '../http/client';
import { closed, codeOf, type FileStream } from '../http/reply';
import { isMarked, isRest, markOf, rangeFrom, type Mark } from './ranges';
import {
	fileFailed,
	mostMoves,
	pauseAfter,
	requestPlainly,
	shortened,
	storageRefused,
	type Failed,
} from './streams';

/** A file on its way. */
export interface Coming {
	host: IExecuteFunctions;
	client: Client;
	/** Reads its address, which expires, and whether it could be another the next time. */
	source: () => Promise<{ url: string; fixed?: boolean }>;
	/** Its first answer, of the whole file, and where that came from. */
	response: IN8nHttpFullResponse;
	url: string;
}

export const streamOf = (response: IN8nHttpFullResponse) => response.body as unknown as FileStream;

/** Asks for a file, or for the rest of one. Its place is free when the answer is read or closed. */
export const askForFile = async (
	host: IExecuteFunctions,
	client: Client,
	url: string,
	headers: IDataObject = {},
) =>
	await client.slot(
		async () =>
			await requestPlainly(host, client, {
				method: 'GET',
				url,
				encoding: 'stream',
				// What is packed would arrive unpacked, and not with the length that was announced.
				headers: { 'Accept-Encoding': 'identity', ...headers },
			}),
		(result) => ('response' in result ? closed(streamOf(result.response)) : undefined),
	);

/** So many bytes make up for a connection that broke. */
const worthwhile = 1024 * 1024;

/** The rest of a file from that byte on. Nothing where it has to be read from its beginning. */
async function restOf(
	{ host, client, source }: Coming,
	at: number,
	mark: Mark,
): Promise<{ stream?: FileStream } | Failed> {
	const { url, fixed } = await source();
	const result = await askForFile(host, client, url, rangeFrom(at, mark));
	if ('error' in result) return result;
	const { statusCode, headers } = result.response;
	const stream = streamOf(result.response);
	if (isRest(statusCode, headers, at, mark)) return { stream };
	stream.destroy();
	// A storage that gives no parts, or another file by now.
	return [200, 206, 416].includes(statusCode) ? {} : storageRefused(client, statusCode, fixed);
}

/** The connection with the rest of a file that broke off, and how many tries it took; or the end. */
async function goOn(
	coming: Coming,
	at: number,
	mark: Mark,
	broken: Failed,
	triesBefore: number,
): Promise<{ stream: FileStream; tries: number } | Failed> {
	const { client } = coming;
	let failed = broken;
	for (let tries = triesBefore; ; tries++) {
		if (tries >= mostMoves || !failed.again || client.signal.aborted) {
			return { ...failed, again: false };
		}
		await pauseAfter(tries, client.signal);
		try {
			const rest = await restOf(coming, at, mark);
			if ('error' in rest) failed = rest;
			else if (rest.stream) return { stream: rest.stream, tries: tries + 1 };
			else return broken;
		} catch (error) {
			// The file does not exist any more.
			return { error: asNodeError(client.node, error), again: false };
		}
	}
}

/** Whether the bytes that came are not those that the storage counts: some pack all the same. */
const isUnpacked = (cut: unknown, at: number, { bytes = Infinity }: Mark) =>
	at > bytes || codeOf(cut)?.startsWith('Z_') === true;

/** Hands on what a stream gives, and returns what broke it. */
async function* handOn(stream: FileStream): AsyncGenerator<Buffer, unknown> {
	const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
	for (;;) {
		let next: IteratorResult<Buffer>;
		try {
			next = await pieces.next();
		} catch (error) {
			return error;
		}
		if (next.done) return undefined;
		// Not tried: what is thrown here comes from who takes the piece.
		yield next.value;
	}
}

async function* bytesOf(coming: Coming, mark: Mark, told: (failed: Failed) => void) {
	const { client, url } = coming;
	let stream = streamOf(coming.response);
	let at = 0;
	let tries = 1;
	try {
		for (;;) {
			const before = at;
			const pieces = handOn(stream);
			let piece = await pieces.next();
			for (; !piece.done; piece = await pieces.next()) {
				at += piece.value.length;
				yield piece.value;
			}
			const whole = mark.bytes ?? at;
			if (piece.value === undefined && at >= whole) return;
			const broken =
				piece.value === undefined
					? { error: shortened(client, at, whole), again: true }
					: fileFailed(client, url, piece.value, 'ECONNRESET');
			const enough = at - before >= worthwhile;
			const fromTheBeginning = at === 0 || isUnpacked(piece.value, at, mark);
			const next = fromTheBeginning
				? broken
				: await goOn(coming, at, mark, broken, enough ? 1 : tries);
			if ('error' in next) {
				told(next);
				throw next.error;
			}
			({ stream, tries } = next);
		}
	} finally {
		stream.destroy();
	}
}

/**
 * The content of a file as one stream. Where a connection breaks, the rest comes over the next one,
 * from an address that is read anew; where the storage gives no parts, the stream fails.
 *
 * @param told why the stream fails, and whether it may help to begin anew
 */
export function wholeFile(coming: Coming, told: (failed: Failed) => void): FileStream {
	const stream = streamOf(coming.response);
	const { headers } = coming.response;
	const mark = markOf(headers);
	if (!isMarked(mark) || headers['accept-ranges'] === 'none') return stream;
	// Made by the class of the stream at hand: n8n lets nodes import none.
	const { from } = stream.constructor as unknown as {
		from(pieces: AsyncIterable<Buffer>): FileStream;
	};
	return from(bytesOf(coming, mark, told));
}
