import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { breakConnection } from './http/responses';
import { renderVideo } from './renderVideo';
import type { Service } from './service';
import { findVideoContent } from './videoContent';

/** By file name: two seconds of a test image. `renderVideos` replaces the MP4 files. */
const servedFiles: Record<string, { file: string; type: string }> = {
	'video.mp4': { file: 'video.mp4', type: 'video/mp4' },
	'video.webm': { file: 'video.webm', type: 'video/webm' },
	'captioned.mp4': { file: 'captioned.mp4', type: 'video/mp4' },
	'preview.gif': { file: 'preview.gif', type: 'image/gif' },
	'thumbnail.jpg': { file: 'thumbnail.jpg', type: 'image/jpeg' },
	'captions.srt': { file: 'captions.srt', type: 'application/x-subrip' },
	'captions.vtt': { file: 'captions.vtt', type: 'text/vtt' },
	'speech.wav': { file: 'speech.wav', type: 'audio/wav' },
};

let cachedSpeech: Buffer | undefined;

/** Returns a short tone as a WAV file: mono, 16 bits, 44.1 kHz. */
export const readSpeechFile = () =>
	(cachedSpeech ??= readFileSync(join(__dirname, 'media', 'speech.wav')));

const signPath = (service: Service, path: string, expires: string, nonce: string) =>
	createHmac('sha256', service.linkSecret).update(`${path} ${expires} ${nonce}`).digest('hex');

/** Creates a signed URL that expires after `linkSeconds`. Every call returns a different URL. */
export function createSignedUrl(service: Service, path: string): string {
	const expires = String(Math.floor(service.clock.now() + service.settings.linkSeconds));
	const nonce = randomBytes(8).toString('hex');
	const query = new URLSearchParams({
		expires,
		nonce,
		signature: signPath(service, path, expires, nonce),
	});
	return `${service.baseUrl}${path}?${query}`;
}

export function findSignatureError(service: Service, request: FastifyRequest): string | null {
	const { pathname, searchParams } = new URL(request.url, service.baseUrl);
	const expires = searchParams.get('expires') ?? '';
	const nonce = searchParams.get('nonce') ?? '';
	if (searchParams.get('signature') !== signPath(service, pathname, expires, nonce)) {
		return 'SignatureDoesNotMatch';
	}
	return Number(expires) <= service.clock.now() ? 'AccessDenied' : null;
}

export const createMediaUrl = (service: Service, owner: string, file: string) =>
	createSignedUrl(service, `/media/${owner}/${file}`);

/** Returns a URL that does not expire, for previews and catalog files. */
export const buildPublicUrl = (baseUrl: string, owner: string, file: string) =>
	`${baseUrl}/public/${owner}/${file}`;

/** Sends an error as XML, because the storage does not use the error body of the API. */
export const sendStorageError = (reply: FastifyReply, status: number, code: string) =>
	reply
		.status(status)
		.type('application/xml')
		.send(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code></Error>`);

const syntheticChunk = Buffer.alloc(64 * 1024, 'synthetic video bytes ');

function* generateSyntheticBytes(from: number, to: number) {
	for (let at = from; at < to;) {
		const start = at % syntheticChunk.length;
		const piece = syntheticChunk.subarray(start, Math.min(syntheticChunk.length, start + to - at));
		at += piece.length;
		yield piece;
	}
}

/** Creates an ETag that is equal only for equal bytes. */
const createEtag = (bytes: Buffer | number) =>
	typeof bytes === 'number'
		? `"synthetic-${bytes}"`
		: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;

export function registerMedia(app: FastifyInstance, service: Service) {
	const fixtures = new Map(
		Object.entries(servedFiles).map(([name, { file, type }]) => [
			name,
			{ type, bytes: readFileSync(join(__dirname, 'media', file)) },
		]),
	);

	const serveFile = (
		request: FastifyRequest,
		reply: FastifyReply,
		content: { type: string; bytes: Buffer | number },
	) => {
		const { bytes, type } = content;
		const size = typeof bytes === 'number' ? bytes : bytes.length;
		const etag = createEtag(bytes);
		const isSameVersion = (request.headers['if-range'] ?? etag) === etag;
		const range = isSameVersion ? /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') : null;
		const from = range ? Number(range[1]) : 0;
		const to = range?.[2] ? Math.min(size, Number(range[2]) + 1) : size;
		if (range && from >= to) return sendStorageError(reply, 416, 'InvalidRange');
		const status = range ? 206 : 200;
		const headers: Record<string, string> = {
			'content-type': type,
			'accept-ranges': 'bytes',
			etag,
			...(range ? { 'content-range': `bytes ${from}-${to - 1}/${size}` } : {}),
		};
		const readUpTo = (end: number) =>
			typeof bytes === 'number'
				? generateSyntheticBytes(from, from + end)
				: [bytes.subarray(from, from + end)];
		const cutPoint = service.media.truncate ? 'midway' : request.fault?.cut;
		if (cutPoint)
			return breakConnection(
				request,
				reply,
				{ status, headers, size: to - from },
				cutPoint,
				readUpTo,
			);
		return reply
			.status(status)
			.headers({ ...headers, 'content-length': to - from })
			.send(Readable.from(readUpTo(to - from), { objectMode: false }));
	};

	const findContent = async (
		owner: string,
		file: string,
	): Promise<{ type: string; bytes: Buffer | number } | undefined> => {
		const asset = service.state.assets.get(owner);
		if (asset && asset.status !== 'pending_upload') {
			return { type: asset.mimeType, bytes: asset.bytes ?? asset.size };
		}
		const fixture = fixtures.get(file);
		if (!fixture) return undefined;
		const { type } = fixture;
		if (type.startsWith('video/') && service.media.bytes !== null) {
			return { type, bytes: service.media.bytes };
		}
		const video =
			service.settings.renderVideos && type === 'video/mp4'
				? findVideoContent(service, owner)
				: undefined;
		return video ? { type, bytes: await renderVideo(video) } : fixture;
	};

	for (const folder of ['media', 'public'] as const) {
		app.get(`/${folder}/:owner/:file`, async (request, reply) => {
			service.clock.runDueActions();
			const { owner = '', file = '' } = request.params as Record<string, string>;
			const errorCode = folder === 'media' ? findSignatureError(service, request) : null;
			if (errorCode) return sendStorageError(reply, 403, errorCode);
			const content = await findContent(owner, file);
			return content
				? serveFile(request, reply, content)
				: sendStorageError(reply, 404, 'NoSuchKey');
		});
	}
}
