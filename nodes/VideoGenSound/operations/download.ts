import type { INode } from 'n8n-workflow';
import { z } from 'zod';
import { getErrorDetails } from '../../core/errors/errorDetails';
import { createOperationError } from '../../core/errors/nodeErrors';
import { downloadFile } from '../../core/files/download';
import { operation } from '../../core/operation';
import { createFileNameField, outputBinaryField } from '../../fields/download';

/** What a storage answers for an address that is no longer good. */
const expiredUrlStatuses = [400, 401, 403, 404, 410];

/** A name for the file: that of the sound, with the ending of its address. */
function buildSoundFileName(url: string, name: unknown): string {
	const path = new URL(url).pathname;
	const ending = /\.[a-z0-9]{2,5}$/i.exec(path)?.[0] ?? '';
	// Signs that some systems do not take in the name of a file.
	const title = typeof name === 'string' ? name.replace(/[\\/:*?"<>|\s]+/g, ' ').trim() : '';
	return title === '' ? path.split('/').pop() || 'sound' : `${title}${ending.toLowerCase()}`;
}

/** The same error, or what it means where the address is the reason. */
function explainExpiredUrl(node: INode, error: unknown) {
	const facts = getErrorDetails(error);
	if (!expiredUrlStatuses.includes(Number(facts.status))) return error;
	return createOperationError(
		node,
		`The address of the sound is no longer good (HTTP status ${String(facts.status)})`,
		'Addresses from a search expire after a while. Search again, and let Download follow in the same run.',
		{ ...facts, code: 'address_expired' },
	);
}

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a sound',
	description: 'Put a sound that a search has found into a binary field',
	// The address from the search is called without the credential: there is no endpoint for one sound.
	request: 'GET /v3/audio/sounds',
	fields: [
		{
			displayName: 'Audio URL',
			name: 'audio_url',
			type: 'string',
			default: '={{ $json.audio_url }}',
			required: true,
			description: 'The audio_url that Search gave. It expires: download soon after the search.',
			schema: z
				.string()
				.url()
				.regex(/^https?:/i, 'must begin with https://'),
			in: 'local',
		},
		outputBinaryField,
	],
	options: [createFileNameField('background.wav', 'the name of the sound')],
	async execute({ n8n, client, input, values }) {
		const { audio_url: url, binaryPropertyName } = values;
		const { json } = input;
		const name = values.fileName ?? buildSoundFileName(url, json.name);
		try {
			const binary = await downloadFile(n8n, client, async () => ({
				url,
				fileName: name,
				mimeType: 'audio/mpeg',
				fixed: true,
			}));
			return [{ json, binary: { ...input.binary, [binaryPropertyName]: binary } }];
		} catch (error) {
			throw explainExpiredUrl(client.node, error);
		}
	},
});
