import { operation } from '../../core/operation';
import { modelVoice } from '../../fields/modelVoice';
import { audioOutput, fileName, mayExist, speak, speechTimeout } from '../audio';
import { language, rate, speechModelOptions } from '../model';
import { text } from '../text';

export const synthesize = operation({
	value: 'synthesize',
	name: 'Synthesize',
	action: 'Synthesize speech',
	description: 'Turn text into speech with a professional voice of your own',
	request: 'POST /v3/models/audio/tts',
	fields: [modelVoice, text, language, ...audioOutput],
	options: [fileName, ...speechModelOptions],
	rate,
	timeout: speechTimeout,
	paid: true,
	mayExist,
	execute: speak,
});
