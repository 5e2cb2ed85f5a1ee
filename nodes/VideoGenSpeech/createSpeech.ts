import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails } from '../core/errors/errorDetails';
import { createOperationError } from '../core/errors/nodeErrors';
import { downloadFile } from '../core/files/download';
import type { FileNameInputs } from '../core/files/fileNames';
import type { FileType } from '../core/files/fileType';
import type { Field } from '../core/form/field';
import { fileNameField } from '../core/form/commonFields';
import type { ExecuteContext, SampleReply } from '../core/operation';
import { outputBinaryField } from '../fields/download';
import { toText } from '../core/json';
import { speechSampleResult } from '../jobKinds/samples';

/**
 * Form fields for choosing whether to download the audio file and which binary field to store it
 * in.
 */
export const audioDownloadFields = [
	{
		displayName: 'Download Audio',
		name: 'downloadAudio',
		type: 'boolean',
		default: true,
		description:
			'Whether to download the audio file (WAV) into a binary field. Unlike the "Download" field in other nodes, this field is on by default, because the URL in the item expires and the service cannot return the speech again.',
		in: 'local',
	},
	{ ...outputBinaryField, displayOptions: { show: { downloadAudio: [true] } } },
] as const satisfies readonly Field[];

export const speechFileNameField = {
	...fileNameField,
	description:
		'Name of the audio file. Use an expression to name each file individually. The extension is added automatically. If not set, the name is "speech". If another file in the same run already has that name, the item number is appended.',
} as const satisfies Field;

/**
 * Settings shared by all operations that create speech. The node does not retry a request that may
 * have succeeded: speech costs money, and the service cannot return speech created earlier.
 */
export const speechOperationBase = {
	/**
	 * Rate limit shared by all speech requests from the same workspace member
	 * (service.md, Rate limits and retries).
	 */
	perMinuteLimit: { name: 'speech', perMinute: 30 },
	/**
	 * Request timeout in milliseconds. The timeout is long because the service responds only after
	 * creating the speech.
	 */
	timeout: 900_000,
	paid: true,
	uncertainOutcomeHint:
		'The speech may have been created anyway, and you may have been charged for it. This request cannot be repeated safely, and the service cannot list speech, so the node did not retry it. Run the workflow again only if you accept that you may be charged twice.',
} as const;

/** Media type and extension of speech files, which are always WAV. */
export const speechFileType: FileType = { mimeType: 'audio/wav', extension: 'wav' };

/**
 * Returns the parts of a speech file's name. Speech has neither a title nor an ID, so the item
 * number (counted from 1) distinguishes the files of a run.
 */
export const getSpeechFileNameParts = (
	itemIndex: number,
	fileName: string | undefined,
): FileNameInputs => ({
	id: String(itemIndex + 1),
	kind: 'speech',
	title: 'speech',
	fileName,
	isFirst: true,
});

export interface SpeechDownloadValues {
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
	itemIndex,
}: ExecuteContext & { values: SpeechDownloadValues; input: INodeExecutionData }): Promise<
	INodeExecutionData[]
> {
	const json: IDataObject = await send();
	if (values.downloadAudio !== true) return [{ json }];
	const url = toText(json.audio_url ?? '');
	try {
		const binary = await downloadFile(n8n, client, async () => {
			if (url === '') throw createOperationError(client.node, 'The service returned no URL');
			return {
				...speechFileType,
				url,
				name: getSpeechFileNameParts(itemIndex, values.fileName),
				fixed: true,
			};
		});
		return [{ json, binary: { ...input.binary, [values.binaryPropertyName ?? 'data']: binary } }];
	} catch (error) {
		throw createOperationError(
			client.node,
			`The speech was created, but its file could not be downloaded: ${(error as Error).message}`,
			`You were charged for the speech. Before you create it again, try its URL, which works for a limited time: ${url || 'none was returned'}`,
			{ ...getErrorDetails(error), ...json },
		);
	}
}

/**
 * Describes the sample audio file that the Check Only option outputs: its binary field, name and
 * type.
 */
const createSampleSpeechFile = ({
	binaryPropertyName = 'data',
	fileName,
}: SpeechDownloadValues) => ({
	field: binaryPropertyName,
	name: { ...getSpeechFileNameParts(0, fileName), id: '{n}' },
	type: speechFileType,
});

/**
 * Creates a function that builds the sample response of a speech operation. With the Check Only
 * option, the node creates its output from this sample response.
 *
 * @param more additional properties of the sample response
 */
export const createSampleReplyBuilder =
	(more: IDataObject = {}) =>
	(values: SpeechDownloadValues): SampleReply => ({
		reply: { ...speechSampleResult, ...more },
		...(values.downloadAudio === true ? { file: createSampleSpeechFile(values) } : {}),
	});

/**
 * Builds the sample response of an operation that streams speech, for use with the Check Only
 * option. The response includes word timings if the user requests them.
 */
export const buildStreamedSpeechSample = (
	values: SpeechDownloadValues & { with_timestamps?: boolean },
): SampleReply => ({
	reply: {
		parts: 1,
		duration: 1,
		...(values.with_timestamps === true ? { word_alignments: sampleWordAlignments } : {}),
	},
	file: createSampleSpeechFile(values),
});

const sampleWordAlignments = [{ text: 'sample', start_time: 0, end_time: 1, confidence: 1 }];
