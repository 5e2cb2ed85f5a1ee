import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails } from '../core/errors/errorDetails';
import { createOperationError } from '../core/errors/nodeErrors';
import { downloadFile } from '../core/files/download';
import type { Field } from '../core/form/field';
import type { ExecuteContext } from '../core/operation';
import { createFileNameField, outputBinaryField } from '../fields/download';

/** Form fields that determine whether to download the audio file, and to which binary field. */
export const audioDownloadFields = [
	{
		displayName: 'Download Audio',
		name: 'downloadAudio',
		type: 'boolean',
		default: true,
		description:
			'Whether to download the audio file (WAV) into a binary field. Its URL, which expires, is always in the output.',
		in: 'local',
	},
	{ ...outputBinaryField, displayOptions: { show: { downloadAudio: [true] } } },
] as const satisfies readonly Field[];

export const speechFileNameField = {
	...createFileNameField('welcome.wav'),
	description: 'Name of the audio file. If not set, speech.wav.',
} as const satisfies Field;

/**
 * Request settings shared by all operations that create speech. The node does not retry a request
 * that may have succeeded: speech costs money, and the service cannot return earlier speech.
 */
export const speechRequestSettings = {
	/**
	 * Rate limit that all speech requests of one workspace member share
	 * (docs/service.md, Rate limits and retries).
	 */
	perMinuteLimit: { name: 'speech', perMinute: 30 },
	/**
	 * Request timeout in milliseconds. It is long because the service responds only after it has
	 * created the speech.
	 */
	timeout: 900_000,
	paid: true,
	uncertainOutcomeHint:
		'The speech may have been created and charged anyway. The service has no safe way to repeat this request or to find the speech, so the node did not retry it. Run again if you accept that you may pay twice.',
} as const;

interface SpeechValues {
	downloadAudio?: boolean;
	binaryPropertyName?: string;
	fileName?: string;
}

/**
 * Creates speech and returns it as an output item. The item includes the audio file if Download
 * Audio is on.
 */
export async function createSpeech({
	n8n,
	client,
	send,
	values,
	input,
}: ExecuteContext & { values: SpeechValues; input: INodeExecutionData }): Promise<
	INodeExecutionData[]
> {
	const json: IDataObject = await send();
	if (values.downloadAudio !== true) return [{ json }];
	const url = String(json.audio_url ?? '');
	try {
		const binary = await downloadFile(n8n, client, async () => {
			if (url === '') throw createOperationError(client.node, 'The service returned no URL');
			return { url, fileName: values.fileName ?? 'speech.wav', mimeType: 'audio/wav', fixed: true };
		});
		return [{ json, binary: { ...input.binary, [values.binaryPropertyName ?? 'data']: binary } }];
	} catch (error) {
		throw createOperationError(
			client.node,
			`The speech was created, but its file could not be downloaded: ${(error as Error).message}`,
			`You have paid for the speech. Before you create it again, try its URL, which works for a while: ${url || 'none was returned'}`,
			{ ...getErrorDetails(error), ...json },
		);
	}
}
