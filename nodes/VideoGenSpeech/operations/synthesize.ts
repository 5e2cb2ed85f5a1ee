import { operation } from '../../core/operation';
import { modelVoice } from '../../fields/modelVoice';
import { audioDownloadFields, createSpeech, speechDefaults, speechFileName } from '../createSpeech';
import { synthesisLanguage, synthesisOptions } from '../synthesisFields';
import { professionalSpeechText, professionalSpeechPrice } from '../speechText';

export const synthesize = operation({
	value: 'synthesize',
	name: 'Synthesize',
	action: 'Speak a text with your own voice',
	description:
		'Turn text into speech with a professional voice of your own, for 0.6 credits a minute',
	request: 'POST /v3/models/audio/tts',
	fields: [modelVoice, professionalSpeechText, synthesisLanguage, ...audioDownloadFields],
	options: [speechFileName, ...synthesisOptions],
	...speechDefaults,
	price: professionalSpeechPrice,
	execute: createSpeech,
});
