import { apiLimits, otherLimits } from '../../apiLimits';
import { defineOperation } from '../../core/operation';
import { createTextSchema } from '../../core/form/validation';
import { professionalVoiceJob } from '../../jobKinds/catalog';
import { trainingRecordingsField, uncertainTrainingHint } from '../voiceFields';

const { language, name } = apiLimits['POST /v3/models/audio/voices'];

export const train = defineOperation({
	value: 'train',
	name: 'Train',
	action: 'Train your own professional voice',
	description: `Create a professional voice from recordings of one speaker. Training can take longer than the "Wait Timeout (Minutes)" option allows, so raise that limit if necessary. Each voice slot allows ${otherLimits.monthlyTrainings} training runs per month.`,
	request: 'POST /v3/models/audio/voices',
	fields: [
		trainingRecordingsField,
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Narrator',
			description: `Name of the voice, at most ${name.max} characters`,
			schema: createTextSchema(name),
		},
	],
	options: [
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			default: '',
			placeholder: 'e.g. en',
			description: `Language of the recordings, at most ${language.max} characters`,
			schema: createTextSchema(language),
		},
	],
	body: ({ payload }) => ({ mode: 'professional', ...payload }),
	starts: professionalVoiceJob,
	uncertainOutcomeHint: uncertainTrainingHint,
});
