import { operation } from '../../core/operation';
import { modelVoice } from '../../fields/modelVoice';
import { audioOutput, makeSpeech, paidSpeech, speechFileName } from '../makeSpeech';
import { language, speechModelOptions } from '../speechModel';
import { paidSpeechText, pricePerMinute } from '../speechText';

export const synthesize = operation({
	value: 'synthesize',
	name: 'Synthesize',
	action: 'Speak a text with your own voice',
	description:
		'Turn text into speech with a professional voice of your own, for 0.6 credits a minute',
	request: 'POST /v3/models/audio/tts',
	fields: [modelVoice, paidSpeechText, language, ...audioOutput],
	options: [speechFileName, ...speechModelOptions],
	...paidSpeech,
	price: pricePerMinute,
	execute: makeSpeech,
});
