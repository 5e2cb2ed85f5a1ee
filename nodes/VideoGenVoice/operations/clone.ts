import { apiLimits } from '../../apiLimits';
import { readObject } from '../../core/json';
import { defineOperation } from '../../core/operation';
import { createTextSchema, formatRange } from '../../core/form/validation';
import { buildFileField } from '../../fields/asset';
import { voiceCloneJob } from '../../jobKinds/catalog';

const { voice_name: voiceName } = apiLimits['POST /v3/voices/clone'];

export const clone = defineOperation({
	value: 'clone',
	name: 'Clone',
	action: 'Clone voice from recording',
	description: 'Create a voice from one recording of a speaker',
	request: 'POST /v3/voices/clone',
	returns: ['status', 'name', 'preview_audio_url'],
	fields: [
		{
			...buildFileField('voice.mp3', 'A clear recording of one speaker', 'searchAudioFiles'),
			displayName: 'Recording',
			name: 'audio',
		},
		{
			displayName: 'Name',
			name: 'voice_name',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. Narrator',
			description: `Name of the voice, ${formatRange(voiceName)} characters`,
			schema: createTextSchema(voiceName),
		},
	],
	options: [
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			default: '',
			placeholder: 'e.g. English',
			description: 'Language of the recording',
		},
		{
			displayName: 'Remove Background Noise',
			name: 'remove_background_noise',
			type: 'boolean',
			default: true,
			description: 'Whether to remove noise from the recording before cloning',
		},
	],
	// The response uses another key for the ID of the new voice.
	unwrap: (reply) => {
		const data = readObject(reply.data ?? reply);
		return { voice_id: data.voice_clone_id, ...data };
	},
	starts: voiceCloneJob,
	sample: { reply: { voice_clone_id: 'sample_voice_clone_{n}' } },
	uncertainOutcomeHint:
		'The voice may have been cloned anyway. This request cannot be repeated safely, so the node did not retry it. Check the list from Voice: Get Many (type: Own) before you run the workflow again.',
});
