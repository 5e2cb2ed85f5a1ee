import { resources } from '../../../nodes/VideoGenVoice/operations';
import { type Simulator } from '../../../simulator';
import { byId } from '../support/engine';
import { describeOperations, runForJson, url, uploadAsset, type Cases } from '../support/cases';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

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

const cases: Cases = {
	'professionalVoice.train': {
		line: 'POST /v3/models/audio/voices',
		parameters: { audio: recordings(10), name: 'Narrator', options: { language: 'en' } },
		differences: { mode: 'professional' },
	},
	'professionalVoice.retrain': {
		line: 'POST /v3/models/audio/voices',
		before: async (service) => {
			const { voice_id } = await aTrained(service);
			return { voice_id, asset_id: (await uploadAsset(service)).asset_id };
		},
		parameters: (ids) => ({
			voice_id: byId(ids.voice_id),
			audio: { recording: [{ file: byId(ids.asset_id) }, { file: audio }] },
		}),
		differences: (ids) => ({
			mode: 'professional',
			audio: [
				{ type: 'asset_id', asset_id: ids.asset_id },
				{ type: 'url', url: 'https://files.example/a.wav' },
			],
		}),
	},
	'professionalVoice.get': {
		line: 'GET /v3/models/audio/voices/{voice_id}',
		before: aProfessional,
	},
	'professionalVoice.getMany': { line: 'GET /v3/models/audio/voices', before: aProfessional },
	'professionalVoice.delete': {
		line: 'DELETE /v3/models/audio/voices/{voice_id}',
		before: aTrained,
	},
	'voice.clone': {
		line: 'POST /v3/voices/clone',
		parameters: {
			audio: url('https://files.example/a.wav'),
			voice_name: 'Narrator',
			options: { language: 'English', remove_background_noise: false },
		},
	},
	'voice.design': {
		line: 'POST /v3/voices',
		parameters: {
			prompt: 'A calm, warm voice',
			options: { gender: 'female', locale: 'en-GB', seed: 1 },
		},
		returns: (items) => {
			expect(items).toHaveLength(3);
			for (const { json } of items) {
				expect(json).toMatchObject({ voice_id: expect.any(String), gender: 'female', seed: 1 });
			}
		},
	},
	'voice.get': { line: 'GET /v3/voices/{voice_clone_id}', before: aClone },
	'voice.getMany': {
		line: 'GET /v3/voices',
		parameters: {
			type: 'public',
			options: { engine: 'expressive', gender: 'female', language: 'English' },
		},
	},
	'voice.delete': {
		line: 'DELETE /v3/voices/{voice_clone_id}',
		before: aClone,
		denied: 'This voice cannot be deleted',
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
