import { resources } from '../../../nodes/VideoGenVoice/operations';
import { type Simulator } from '../../../simulator';
import { byId } from '../support/engine';
import {
	describeOperations,
	few,
	runForJson,
	noWait,
	url,
	type Case,
	withId,
	firstRows,
	uploadAsset,
} from '../support/cases';
import { useService } from '../support/service';

const recordings = (count: number) => ({
	recording: Array.from({ length: count }, (_, i) => ({
		file: url(`https://files.example/${i}.wav`),
	})),
});

const audio = url('https://files.example/a.wav');

const aProfessional = async (service: Simulator) =>
	await runForJson(service, 'VideoGenVoice', {
		...{ resource: 'professionalVoice', operation: 'train', name: 'Narrator', ...noWait },
		audio: recordings(1),
	});

const aTrained = async (service: Simulator) => {
	const voice = await aProfessional(service);
	// Read once, so that it is trained.
	await runForJson(service, 'VideoGenVoice', {
		...{ resource: 'professionalVoice', operation: 'get', voice_id: byId(voice.voice_id) },
	});
	return voice;
};

const aClone = async (service: Simulator) =>
	await runForJson(service, 'VideoGenVoice', {
		...{ resource: 'voice', operation: 'clone', voice_name: 'Narrator', audio, ...noWait },
	});

const cases: Record<string, Case> = {
	'professionalVoice.train': {
		parameters: () => ({
			audio: recordings(10),
			name: 'Narrator',
			...noWait,
			options: { language: 'en' },
		}),
		sends: () => ({
			line: 'POST /v3/models/audio/voices',
			body: {
				mode: 'professional',
				audio: Array.from({ length: 10 }, (_, i) => ({
					type: 'url',
					url: `https://files.example/${i}.wav`,
				})),
				name: 'Narrator',
				language: 'en',
			},
		}),
	},
	'professionalVoice.retrain': {
		before: async (service) => {
			const { voice_id } = await aTrained(service);
			return { voice_id, asset_id: (await uploadAsset(service)).asset_id };
		},
		parameters: (ids) => ({
			voice_id: byId(ids.voice_id),
			audio: { recording: [{ file: byId(ids.asset_id) }, { file: audio }] },
			...noWait,
		}),
		sends: (ids) => ({
			line: 'POST /v3/models/audio/voices',
			body: {
				mode: 'professional',
				voice_id: ids.voice_id,
				audio: [
					{ type: 'asset_id', asset_id: ids.asset_id },
					{ type: 'url', url: 'https://files.example/a.wav' },
				],
			},
		}),
	},
	'professionalVoice.get': withId('GET /v3/models/audio/voices/{voice_id}', aProfessional),
	'professionalVoice.getMany': firstRows('GET /v3/models/audio/voices', aProfessional),
	'professionalVoice.delete': withId('DELETE /v3/models/audio/voices/{voice_id}', aTrained),
	'voice.clone': {
		parameters: () => ({
			audio: url('https://files.example/a.wav'),
			voice_name: 'Narrator',
			...noWait,
			options: { language: 'English', remove_background_noise: false },
		}),
		sends: () => ({
			line: 'POST /v3/voices/clone',
			body: {
				audio: { type: 'url', url: 'https://files.example/a.wav' },
				voice_name: 'Narrator',
				language: 'English',
				remove_background_noise: false,
			},
		}),
	},
	'voice.design': {
		parameters: () => ({
			prompt: 'A calm, warm voice',
			options: { gender: 'female', locale: 'en-GB', seed: 1 },
		}),
		sends: () => ({
			line: 'POST /v3/voices',
			body: { prompt: 'A calm, warm voice', gender: 'female', locale: 'en-GB', seed: 1 },
		}),
		returns: (items) => {
			expect(items).toHaveLength(3);
			for (const { json } of items) {
				expect(json).toMatchObject({ voice_id: expect.any(String), gender: 'female', seed: 1 });
			}
		},
	},
	'voice.get': {
		before: aClone,
		parameters: (ids) => ({ voice_id: byId(ids.voice_clone_id) }),
		sends: (ids) => ({ line: `GET /v3/voices/${ids.voice_clone_id}`, query: {} }),
	},
	'voice.getMany': {
		parameters: () => ({
			type: 'public',
			...few,
			options: { engine: 'expressive', gender: 'female', language: 'English' },
		}),
		sends: () => ({
			line: 'GET /v3/voices',
			query: {
				type: 'public',
				engine: 'expressive',
				gender: 'female',
				language: 'English',
				limit: '3',
			},
		}),
	},
	'voice.delete': {
		denied: 'This voice cannot be deleted',
		before: aClone,
		parameters: (ids) => ({ voice_id: byId(ids.voice_clone_id) }),
		sends: (ids) => ({ line: `DELETE /v3/voices/${ids.voice_clone_id}`, query: {} }),
	},
};

describeOperations('VideoGenVoice', resources, cases, [
	'voice.getMany, Type, a choice of the user’s own',
]);

const service = useService();

test('deletes a voice in training as soon as possible', async () => {
	const fault = { status: 409, code: 'resource_not_ready', times: 2 };
	service.control.fail({ method: 'DELETE', ...fault });
	const { voice_id } = await aTrained(service);
	const voice = { resource: 'professionalVoice', voice_id: byId(voice_id) };
	await runForJson(service, 'VideoGenVoice', { ...voice, operation: 'delete' });
	expect(service.control.requests({ method: 'DELETE' })).toHaveLength(3);
});
