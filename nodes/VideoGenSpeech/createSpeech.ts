/** The sound file of a speech, put into a binary field of the item. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails } from '../core/errors/errorDetails';
import { createOperationError } from '../core/errors/nodeErrors';
import { downloadFile } from '../core/files/download';
import type { Field } from '../core/form/field';
import type { ExecuteContext } from '../core/operation';
import { createFileNameField, outputBinaryField } from '../fields/download';

/** Whether the file is downloaded, and where it is put. */
export const audioDownloadFields = [
	{
		displayName: 'Download Audio',
		name: 'downloadAudio',
		type: 'boolean',
		default: true,
		description:
			'Whether to put the sound file (WAV) into a binary field. Its address, which expires, is given in any case.',
		in: 'local',
	},
	{ ...outputBinaryField, displayOptions: { show: { downloadAudio: [true] } } },
] as const satisfies readonly Field[];

export const speechFileName = {
	...createFileNameField('welcome.wav'),
	description: 'The name of the sound file; without it speech.wav',
} as const satisfies Field;

/** What every speech has in common: none can be looked up later. */
export const speechDefaults = {
	/** Of all speech together, per member of the workspace (docs/service.md, Rate limits and retries). */
	perMinuteLimit: { name: 'speech', perMinute: 30 },
	/** How long a speech may take to be made (milliseconds); the request stays open until then. */
	timeout: 900_000,
	paid: true,
	uncertainOutcomeHint:
		'The speech may have been made and charged all the same: the service gives no way to repeat this request safely, or to look the speech up, so it was not repeated. Run again if you accept that it may be paid twice.',
} as const;

interface SpeechValues {
	downloadAudio?: boolean;
	binaryPropertyName?: string;
	fileName?: string;
}

/** Asks for the speech, and downloads it if that is wanted. */
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
			if (url === '') throw createOperationError(client.node, 'The service gave no address');
			return { url, fileName: values.fileName ?? 'speech.wav', mimeType: 'audio/wav', fixed: true };
		});
		return [{ json, binary: { ...input.binary, [values.binaryPropertyName ?? 'data']: binary } }];
	} catch (error) {
		throw createOperationError(
			client.node,
			`The speech was made, but its file could not be downloaded: ${(error as Error).message}`,
			`It is paid for: do not make it again before you have tried its address, which is good for a while: ${url || 'none was given'}`,
			{ ...getErrorDetails(error), ...json },
		);
	}
}
