import { operation } from '../../core/operation';
import { modelVoice } from '../../fields/modelVoice';
import { audioDownloadFields, createSpeech, speechDefaults, speechFileName } from '../createSpeech';
import { synthesisLanguage, synthesisOptions } from '../synthesisFields';
import { professionalSpeechText, professionalSpeechPrice } from '../speechText';

export const synthesize = operation({
	value: 'synthesize',
	name: 'Synthesize',
	action: 'Speak text with your own voice',
	description: 'Turn text into speech with your own professional voice, for 0.6 credits per minute',
	request: 'POST /v3/models/audio/tts',
	fields: [modelVoice, professionalSpeechText, synthesisLanguage, ...audioDownloadFields],
	options: [speechFileName, ...synthesisOptions],
	...speechDefaults,
	price: professionalSpeechPrice,
	execute: createSpeech,
});
