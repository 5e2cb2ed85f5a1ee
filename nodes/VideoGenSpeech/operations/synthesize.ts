import { operation } from '../../core/operation';
import { modelVoiceField } from '../../fields/modelVoice';
import {
	audioDownloadFields,
	createSpeech,
	speechDefaults,
	speechFileNameField,
} from '../createSpeech';
import { synthesisLanguageField, synthesisOptions } from '../synthesisFields';
import { professionalSpeechTextField, professionalSpeechPriceText } from '../speechText';

export const synthesize = operation({
	value: 'synthesize',
	name: 'Synthesize',
	action: 'Speak text with your own voice',
	description: 'Turn text into speech with your own professional voice, for 0.6 credits per minute',
	request: 'POST /v3/models/audio/tts',
	fields: [
		modelVoiceField,
		professionalSpeechTextField,
		synthesisLanguageField,
		...audioDownloadFields,
	],
	options: [speechFileNameField, ...synthesisOptions],
	...speechDefaults,
	price: professionalSpeechPriceText,
	execute: createSpeech,
});
