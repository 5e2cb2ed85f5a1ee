/** Rendered files into n8n, as streams. */
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { operationError } from '../errors/words';
import type { Client } from '../http/client';
import { announcedOf } from './ranges';
import { askForFile, streamOf, wholeFile, type Coming } from './resume';
import {
	fileFailed,
	repeat,
	shortened,
	storageRefused,
	storedBytes,
	type Failed,
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
 * a result. Where the connection breaks, it goes on at the byte where it stopped, if the storage
 * gives parts of files; else it begins anew.
 *
 * @param source read before every try; may throw when the file does not exist
 */
export async function download(
	host: IExecuteFunctions,
	client: Client,
	source: () => Promise<Source>,
): Promise<IBinaryData> {
	return await repeat<IBinaryData>(client, async () => {
		const found = await source();
		const result = await askForFile(host, client, found.url);
		if ('error' in result) return result;
		const { response } = result;
		const coming = { host, client, source, url: found.url, response };
		const other = noFile(coming, found);
		try {
			return other ?? (await store(coming, found));
		} finally {
			streamOf(response).destroy();
		}
	});
}

/** The media type of an answer, without parameters. */
const mediaTypeOf = ({ response: { headers } }: Coming) =>
	String(headers['content-type'] ?? '')
		.split(';')[0]
		?.trim();

/** Why an answer is not the file. */
function noFile(coming: Coming, { fixed, mimeType }: Source): Failed | undefined {
	const { client, response } = coming;
	if (response.statusCode !== 200) return storageRefused(client, response.statusCode, fixed);
	const type = mediaTypeOf(coming);
	if (type !== 'text/html' || mimeType === type) return undefined;
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

async function store(coming: Coming, { fileName, mimeType }: Source): Promise<Moved<IBinaryData>> {
	const { host, client, response, url } = coming;
	const type = mediaTypeOf(coming);
	const announced = announcedOf(response.headers);
	let failed: Failed | undefined;
	try {
		const binary = await host.helpers.prepareBinaryData(
			wholeFile(coming, (why) => (failed = why)),
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
		return failed ?? fileFailed(client, url, error, 'ECONNRESET');
	}
}
