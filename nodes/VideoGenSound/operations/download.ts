import type { INode } from 'n8n-workflow';
import { z } from 'zod';
import { getErrorDetails } from '../../core/errors/errorDetails';
import { createOperationError } from '../../core/errors/nodeErrors';
import { downloadFile } from '../../core/files/download';
import { fileNameField } from '../../core/form/commonFields';
import { readText } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { outputBinaryField } from '../../fields/download';

/** HTTP status codes that file storage services return for an expired URL. */
const expiredUrlStatuses = [400, 401, 403, 404, 410];

const getLastPathSegment = (url: string) => new URL(url).pathname.split('/').pop() || 'sound';

/**
 * Returns a readable error if the HTTP status shows that the sound's URL has expired. Otherwise,
 * returns the original error unchanged.
 */
function explainExpiredUrl(node: INode, error: unknown) {
	const details = getErrorDetails(error);
	if (!expiredUrlStatuses.includes(Number(details.status))) return error;
	return createOperationError(
		node,
		`The sound's URL has expired (HTTP status ${String(details.status)})`,
		'URLs from a search expire after a while. Search again, and download the sound in the same execution.',
		{ ...details, code: 'address_expired' },
	);
}

export const download = defineOperation({
	value: 'download',
	name: 'Download',
	action: 'Download sound',
	description: 'Download a sound returned by the "Search" operation into a binary field',
	// No endpoint returns a single sound. `execute` downloads it without the credential.
	request: 'GET /v3/audio/sounds',
	fields: [
		{
			displayName: 'Audio URL',
			name: 'audio_url',
			type: 'string',
			default: '={{ $json.audio_url }}',
			required: true,
			description:
				'The audio_url returned by the "Search" operation. This URL expires, so download the sound soon after the search.',
			schema: z
				.string()
				.url()
				.regex(/^https?:/i, 'must begin with https://'),
			in: 'local',
		},
		outputBinaryField,
	],
	options: [fileNameField],
	async execute({ n8n, client, input, values }) {
		const { audio_url: url, binaryPropertyName } = values;
		const { json } = input;
		const name = {
			id: readText(json.id) ?? getLastPathSegment(url),
			kind: 'sound',
			title: readText(json.name),
			fileName: values.fileName,
			isFirst: true,
		};
		try {
			const binary = await downloadFile(n8n, client, async () => ({
				url,
				name,
				mimeType: 'audio/mpeg',
				extension: 'mp3',
				fixed: true,
			}));
			return [{ json, binary: { ...input.binary, [binaryPropertyName]: binary } }];
		} catch (error) {
			throw explainExpiredUrl(client.node, error);
		}
	},
});
