import type { IDataObject } from 'n8n-workflow';
import { createOperationError, createStoppedError } from '../../core/errors/nodeErrors';
import type { FileStream } from '../../core/http/reply';
import { operation } from '../../core/operation';
import { describeItem } from '../../core/collect/errorItems';
import { outputBinaryField } from '../../fields/download';
import { modelVoice } from '../../fields/modelVoice';
import { speechDefaults, speechFileName } from '../createSpeech';
import { synthesisLanguage, synthesisOptions } from '../synthesisFields';
import { collectStreamedSpeech, joinSpeechParts } from '../streamedSpeech';
import { professionalSpeechText, professionalSpeechPrice } from '../speechText';

export const synthesizeStreamed = operation({
	value: 'synthesizeStreamed',
	name: 'Synthesize Streamed',
	action: 'Speak a text with your own voice and word times',
	description:
		'Turn text into speech that comes part by part, joined into one sound file, with word times if you like, for 0.6 credits a minute',
	request: 'POST /v3/models/audio/tts/stream',
	fields: [
		modelVoice,
		professionalSpeechText,
		synthesisLanguage,
		{
			displayName: 'Word Timestamps',
			name: 'with_timestamps',
			type: 'boolean',
			default: false,
			description: 'Whether to give each word with the time at which it is spoken',
		},
		outputBinaryField,
	],
	options: [speechFileName, ...synthesisOptions],
	...speechDefaults,
	price: professionalSpeechPrice,
	async execute({ n8n, client, input, itemIndex, stream, values }) {
		const { binaryPropertyName, fileName: name = 'speech.wav' } = values;
		const read = async (source: FileStream) => {
			const speech = await collectStreamedSpeech(source, client.signal);
			if (client.signal.aborted) throw createStoppedError(client.node);
			const { trouble, words, parts } = speech;
			const whole = joinSpeechParts(speech);
			const sound = whole && (await n8n.helpers.prepareBinaryData(whole.file, name, 'audio/wav'));
			const facts: IDataObject = {
				parts: parts.size,
				duration: whole?.duration ?? 0,
				...(words.length > 0 || values.with_timestamps === true ? { word_alignments: words } : {}),
			};
			return { trouble, facts, binary: sound && { ...input.binary, [binaryPropertyName]: sound } };
		};
		const { trouble, facts, binary } = await stream(read, { Accept: 'text/event-stream' });
		if (trouble === undefined && binary) return [{ json: facts, binary }];

		const came = `${String(facts.parts)} ${facts.parts === 1 ? 'part' : 'parts'} of audio came`;
		const message = `The speech is not complete: ${came}, then ${trouble ?? 'the stream ended'}`;
		const kept = `The audio that came is kept in the binary field "${binaryPropertyName}". It may have been charged: run again only if it is not enough.`;
		const lost =
			'To keep the audio that came, set On Error in the settings of the node to Continue. It may have been charged.';
		if (binary && n8n.continueOnFail()) {
			// The keys by which n8n knows the item of an error.
			const details = { code: 'incomplete_speech', ...facts, description: kept };
			return [
				{
					json: {
						error: `${message}${describeItem(itemIndex, n8n.getInputData().length)}`,
						details,
					},
					binary,
				},
			];
		}
		throw createOperationError(client.node, message, binary ? lost : 'Run again later.', {
			code: 'incomplete_speech',
			...facts,
		});
	},
});
