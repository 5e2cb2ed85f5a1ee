import { z } from 'zod';
import { apiLimits, otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema } from '../../core/form/validation';
import { professionalVoiceField } from '../../fields/modelVoice';
import { professionalVoiceJob } from '../../jobKinds/catalog';
import { trainingRecordingsField, uncertainTrainingHint } from '../voiceFields';

const { voice_id: voiceId } = apiLimits['POST /v3/models/audio/voices'];

export const retrain = defineOperation({
	value: 'retrain',
	name: 'Retrain',
	action: 'Retrain professional voice',
	description: `Retrain an existing professional voice, which keeps its ID, name and language. Each voice slot allows ${otherLimits.monthlyTrainings} training runs per month.`,
	request: 'POST /v3/models/audio/voices',
	fields: [
		{
			...professionalVoiceField,
			description: 'The professional voice to retrain',
			schema: createTextSchema(voiceId).pipe(z.string().regex(/^\S+$/, 'must not contain spaces')),
		},
		trainingRecordingsField,
	],
	body: ({ payload }) => ({ mode: 'professional', ...payload }),
	starts: professionalVoiceJob,
	uncertainOutcomeHint: uncertainTrainingHint,
});
