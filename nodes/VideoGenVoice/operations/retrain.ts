import { operation } from '../../core/operation';
import { modelVoice } from '../../fields/modelVoice';
import { modelVoiceJob } from '../../jobs/catalog';
import { trainingRecordings, uncertainTrainingHint } from '../voiceFields';

export const retrain = operation({
	value: 'retrain',
	name: 'Retrain',
	action: 'Train a professional voice again',
	description: 'Train an existing professional voice again and keep its ID, name and language',
	request: 'POST /v3/models/audio/voices',
	fields: [
		{ ...modelVoice, description: 'The professional voice to train again' },
		trainingRecordings,
	],
	body: ({ payload }) => ({ mode: 'professional', ...payload }),
	starts: modelVoiceJob,
	uncertainOutcomeHint: uncertainTrainingHint,
});
