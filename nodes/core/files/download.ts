/** Rendered files into n8n, as streams. */
import type { IBinaryData } from 'n8n-workflow';
import { operationError } from '../errors/words';
import type { Client } from '../http/client';
import type { FileStream } from '../http/reply';
import {
	fileFailed,
	repeat,
	requestPlainly,
	storageFailed,
	storedBytes,
	type FileHost,
	type Moved,
} from './streams';

/** What is to be downloaded, read anew for every try because its address expires. */
export interface Source {
	url: string;
	fileName: string;
	/** Used when the answer does not tell the type. */
	mimeType: string;
	/** There is no way to read the address anew: what the storage refuses stays refused. */
	fixed?: boolean;
}

/**
 * Streams a rendered file into n8n. A file that arrives shorter than announced is an error, never
 * a result.
 *
 * @param source read before every try; may throw when the file does not exist
 */
export async function download(
	host: FileHost,
	client: Client,
	source: () => Promise<Source>,
): Promise<IBinaryData> {
	return await repeat<IBinaryData>(client, async () => {
		// Read outside the slot: it takes one of its own.
		const found = await source();
		return await client.slot(async () => await store(host, client, found));
	});
}

async function store(
	host: FileHost,
	client: Client,
	{ url, fileName, mimeType, fixed }: Source,
): Promise<Moved<IBinaryData>> {
	const result = await requestPlainly(host, client, {
		method: 'GET',
		url,
		encoding: 'stream',
		// What is packed would arrive unpacked, and not with the length that was announced.
		headers: { 'Accept-Encoding': 'identity' },
	});
	if ('error' in result) return result;
	const { statusCode, headers, body } = result.response;
	const stream = body as unknown as FileStream;
	if (statusCode !== 200) {
		stream.destroy();
		return {
			error: storageFailed(
				client,
				statusCode,
				'The file could not be downloaded',
				fixed
					? 'Addresses of files expire after a while. Check that it is still good.'
					: 'Addresses of rendered files expire; the node has read a fresh one for every try. Run again later.',
			),
			again: !fixed || statusCode === 429 || statusCode >= 500,
		};
	}
	const type = String(headers['content-type'] ?? '')
		.split(';')[0]
		?.trim();
	if (type === 'text/html' && mimeType !== type) {
		stream.destroy();
		return {
			error: operationError(
				client.node,
				'A web page came in place of the file',
				'Its address may have expired, or lead to a page that asks for a login. Check it, or read it anew.',
				{ code: 'not_a_file' },
			),
			again: !fixed,
		};
	}
	const announced =
		headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
	try {
		const binary = await host.helpers.prepareBinaryData(
			stream,
			fileName,
			type && type !== 'application/octet-stream' ? type : mimeType,
		);
		const bytes = await storedBytes(host, binary);
		if (bytes === 0) {
			const what = 'The file that came is empty';
			const error = operationError(client.node, what, 'Run again later.', { code: 'empty_file' });
			return { error, again: true };
		}
		// Some storages pack all the same: then more arrives than was announced.
		if (announced !== undefined && bytes < announced) {
			return { error: shortened(client, bytes, announced), again: true };
		}
		return { value: binary };
	} catch (error) {
		return fileFailed(client, url, error, 'ECONNRESET');
	}
}

const shortened = (client: Client, bytes: number, announced: number) =>
	operationError(
		client.node,
		`The file arrived incomplete: ${bytes} of ${announced} bytes`,
		'Run again later.',
		{ code: 'incomplete_file' },
	);
