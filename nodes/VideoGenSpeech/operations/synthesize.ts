import { defineOperation } from '../../core/operation';
import { professionalVoiceField } from '../../fields/modelVoice';
import {
	audioDownloadFields,
	createSampleReplyBuilder,
	createSpeech,
	speechOperationBase,
	speechFileNameField,
} from '../createSpeech';
import { synthesisLanguageField, professionalVoiceOptions } from '../synthesisFields';
import { professionalVoiceTextField, professionalSpeechPriceText } from '../speechText';

export const synthesize = defineOperation({
	value: 'synthesize',
	name: 'Synthesize',
	action: 'Speak text with professional voice',
	description: 'Turn text into speech with your own professional voice, for 0.6 credits per minute',
	request: 'POST /v3/models/audio/tts',
	returns: ['audio_url', 'duration'],
	fields: [
		professionalVoiceField,
		professionalVoiceTextField,
		synthesisLanguageField,
		...audioDownloadFields,
	],
	options: [speechFileNameField, ...professionalVoiceOptions],
	...speechOperationBase,
	price: professionalSpeechPriceText,
	sample: createSampleReplyBuilder(),
	execute: createSpeech,
});
