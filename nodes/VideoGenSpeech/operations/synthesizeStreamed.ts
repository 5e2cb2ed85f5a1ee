import type { IDataObject } from 'n8n-workflow';
import { createOperationError, createExecutionStoppedError } from '../../core/errors/nodeErrors';
import type { ByteStream } from '../../core/http/receivedDataLimits';
import { defineOperation } from '../../core/operation';
import { formatItemSuffix } from '../../core/collect/collectItems';
import { outputBinaryField } from '../../fields/download';
import { professionalVoiceField } from '../../fields/modelVoice';
import { storeUniquelyNamedFile } from '../../core/files/fileNames';
import { createStreamFromChunks } from '../../core/files/download';
import {
	buildStreamedSpeechSample,
	getSpeechFileNameParts,
	speechFileNameField,
	speechOperationBase,
	speechFileType,
} from '../createSpeech';
import { synthesisLanguageField, professionalVoiceOptions } from '../synthesisFields';
import { collectStreamedSpeech, joinSpeechParts } from '../streamedSpeech';
import { professionalVoiceTextField, professionalSpeechPriceText } from '../speechText';

export const synthesizeStreamed = defineOperation({
	value: 'synthesizeStreamed',
	name: 'Synthesize Streamed',
	action: 'Speak text with professional voice and get word timestamps',
	description:
		'Turn text into streamed speech, saved as one audio file with optional word timestamps, for 0.6 credits per minute',
	request: 'POST /v3/models/audio/tts/stream',
	returns: ['parts', 'duration'],
	fields: [
		professionalVoiceField,
		professionalVoiceTextField,
		synthesisLanguageField,
		{
			displayName: 'Word Timestamps',
			name: 'with_timestamps',
			type: 'boolean',
			default: false,
			description: 'Whether to return each word with its timestamps',
		},
		outputBinaryField,
	],
	options: [speechFileNameField, ...professionalVoiceOptions],
	...speechOperationBase,
	price: professionalSpeechPriceText,
	sample: buildStreamedSpeechSample,
	async execute({ n8n, client, input, itemIndex, stream, values }) {
		const { binaryPropertyName } = values;
		const name = getSpeechFileNameParts(itemIndex, values.fileName);
		// Not the client's signal, which also aborts if another item fails. This speech is paid
		// for.
		const stopped = n8n.getExecutionCancelSignal();
		const readSpeech = async (source: ByteStream) => {
			const speech = await collectStreamedSpeech(source, client.removeEchoedSecrets, stopped);
			if (stopped?.aborted) throw createExecutionStoppedError(client.node);
			const { failure, words, parts } = speech;
			const joined = joinSpeechParts(speech);
			// A thrown error outputs no file, so do not store a long file in n8n's memory for it.
			const isOutput = joined !== undefined && (failure === undefined || n8n.continueOnFail());
			const file = isOutput ? createStreamFromChunks(source, joined.file) : undefined;
			const audio = file && (await storeUniquelyNamedFile(n8n, file, name, speechFileType));
			const json: IDataObject = {
				parts: parts.size,
				duration: joined?.duration ?? 0,
				...(words.length > 0 || values.with_timestamps === true ? { word_alignments: words } : {}),
			};
			const binary = audio && { ...input.binary, [binaryPropertyName]: audio };
			return { failure, json, binary };
		};
		const { failure, json, binary } = await stream(readSpeech, { Accept: 'text/event-stream' });
		if (failure === undefined && binary) return [{ json, binary }];

		const received = `${String(json.parts)} ${json.parts === 1 ? 'part' : 'parts'} of audio arrived`;
		const message = `The speech is incomplete: ${received}, then ${failure ?? 'the stream ended'}`;
		const code = 'incomplete_speech';
		if (binary) {
			const description = `The received audio is in the binary field "${binaryPropertyName}". You may have been charged for it, so run the workflow again only if you need the rest.`;
			const error = `${message}${formatItemSuffix(itemIndex, n8n.getInputData().length)}`;
			// n8n recognizes an error item by these keys.
			return [{ json: { error, details: { code, ...json, description } }, binary }];
		}
		const advice =
			json.parts !== 0
				? 'You may have been charged for the audio that arrived. To keep incomplete audio in future runs, set On Error in the node settings to Continue.'
				: 'Try again later.';
		throw createOperationError(client.node, message, advice, { code, ...json });
	},
});
