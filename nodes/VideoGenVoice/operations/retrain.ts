import { z } from 'zod';
import { createTextSchema } from '../../core/form/validation';
import { defineOperation } from '../../core/operation';
import { professionalVoiceField } from '../../fields/modelVoice';
import { professionalVoiceJob } from '../../jobKinds/catalog';
import { trainingRecordingsField, uncertainTrainingHint } from '../voiceFields';

export const retrain = defineOperation({
	value: 'retrain',
	name: 'Retrain',
	action: 'Retrain professional voice',
	description:
		'Retrain an existing professional voice and keep its ID, name and language. Each voice slot allows 5 trainings per month.',
	request: 'POST /v3/models/audio/voices',
	fields: [
		{
			...professionalVoiceField,
			description: 'The professional voice to retrain',
			schema: createTextSchema(1, 64).pipe(z.string().regex(/^\S+$/, 'must not contain spaces')),
		},
		trainingRecordingsField,
	],
	body: ({ payload }) => ({ mode: 'professional', ...payload }),
	starts: professionalVoiceJob,
	uncertainOutcomeHint: uncertainTrainingHint,
});
