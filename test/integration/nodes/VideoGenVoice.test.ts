import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenVoice/operations';
import { startSimulator, type Simulator } from '../../../simulator';
import { byId, readContent, runNode, storeBinary } from '../support/engine';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';
import { useService } from '../support/service';

const recordings = (count: number) => ({
	recording: Array.from({ length: count }, (_, i) => ({
		file: url(`https://files.example/${i}.wav`),
	})),
});

const train = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'professionalVoice',
	operation: 'train',
	audio: recordings(1),
	name: 'Narrator',
	...noWait,
	...more,
});

const clone = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'voice',
	operation: 'clone',
	audio: url('https://files.example/a.wav'),
	voice_name: 'Narrator',
	...noWait,
	...more,
});

const aProfessional = async (service: Simulator) =>
	await runForJson(service, 'VideoGenVoice', train());
const aClone = async (service: Simulator) => await runForJson(service, 'VideoGenVoice', clone());

/** An uploaded recording, as a clone from a binary field uses it. */
async function anAsset(service: Simulator): Promise<string> {
	const binary = { data: await storeBinary(Buffer.from('a recording'), 'a.wav', 'audio/wav') };
	const parameters = clone({ audio: { __rl: true, mode: 'binary', value: 'data' } });
	await runForJson(service, 'VideoGenVoice', parameters, { items: [{ json: {}, binary }] });
	const [request] = service.control.requests({ method: 'POST', path: '/v3/voices/clone' });
	return String(((request?.body as IDataObject).audio as IDataObject).asset_id);
}

const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** Digests of uploaded files, sent as a form or directly to the storage. */
function uploaded(service: Simulator): string[] {
	const forms = service.control.requests({ method: 'POST', path: '/v3/assets' });
	const parts = forms.flatMap(({ body }) => (body as { multipart: IDataObject[] }).multipart);
	const puts = service.control.requests({ method: 'PUT' }).map(({ body }) => body as IDataObject);
	return [...parts, ...puts].map(({ sha256 }) => String(sha256)).sort();
}

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
		returns: (items) => {
			expect(first(items)).toEqual({
				voice_id: expect.any(String),
				job: { kind: 'model_voice', id: first(items).voice_id },
			});
		},
	},
	'professionalVoice.retrain': {
		before: async (service) => {
			const { voice_id } = await aProfessional(service);
			// Read once, so that it is trained.
			await runForJson(service, 'VideoGenVoice', {
				resource: 'professionalVoice',
				operation: 'get',
				voice_id: byId(String(voice_id)),
			});
			return { voice_id: String(voice_id), asset_id: await anAsset(service) };
		},
		parameters: (ids) => ({
			voice_id: byId(String(ids.voice_id)),
			audio: {
				recording: [
					{ file: { __rl: true, mode: 'id', value: String(ids.asset_id) } },
					{ file: url('https://files.example/a.wav') },
				],
			},
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
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				voice_id: ids.voice_id,
				job: { kind: 'model_voice', id: ids.voice_id },
			});
		},
	},
	'professionalVoice.get': {
		before: aProfessional,
		parameters: (ids) => ({ voice_id: byId(String(ids.voice_id)) }),
		sends: (ids) => ({
			line: `GET /v3/models/audio/voices/${String(ids.voice_id)}`,
			query: {},
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				voice_id: ids.voice_id,
				status: 'ACTIVE',
				name: 'Narrator',
			});
		},
	},
	'professionalVoice.getMany': {
		before: async (service) => {
			for (let i = 0; i < 3; i++) await aProfessional(service);
			return await aProfessional(service);
		},
		parameters: () => few,
		sends: () => ({ line: 'GET /v3/models/audio/voices', query: { limit: '3' } }),
		returns: (items) => {
			expect(items).toHaveLength(3);
			for (const { json } of items) expect(json).toMatchObject({ status: 'ACTIVE' });
		},
	},
	'professionalVoice.delete': {
		before: async (service) => {
			const voice = await aProfessional(service);
			// Read once, so that it is trained.
			await runForJson(service, 'VideoGenVoice', {
				resource: 'professionalVoice',
				operation: 'get',
				voice_id: byId(String(voice.voice_id)),
			});
			return voice;
		},
		parameters: (ids) => ({ voice_id: byId(String(ids.voice_id)) }),
		sends: (ids) => ({
			line: `DELETE /v3/models/audio/voices/${String(ids.voice_id)}`,
			query: {},
		}),
		returns: async (items, ids, service) => {
			expect(first(items)).toEqual({ voice_id: ids.voice_id, status: 'ok', deleted: true });
			const { error } = await runNode(service, 'VideoGenVoice', {
				resource: 'professionalVoice',
				operation: 'get',
				voice_id: byId(String(ids.voice_id)),
			});
			expect(error?.httpCode).toBe('404');
		},
	},
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
		returns: (items) => {
			const { voice_clone_id: id } = first(items);
			expect(first(items)).toEqual({
				voice_id: expect.any(String),
				voice_clone_id: id,
				job: { kind: 'voice_clone', id },
			});
			expect(first(items).voice_id).toBe(id);
		},
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
		parameters: (ids) => ({ voice_id: byId(String(ids.voice_clone_id)) }),
		sends: (ids) => ({ line: `GET /v3/voices/${String(ids.voice_clone_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ voice_id: ids.voice_clone_id, status: 'complete' });
		},
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
		returns: (items) => {
			expect(items.length).toBeGreaterThan(0);
			for (const { json } of items) {
				expect(json).toMatchObject({ gender: 'female', language: 'English', type: 'public' });
			}
		},
	},
	'voice.delete': {
		denied: 'This voice cannot be deleted',
		before: aClone,
		parameters: (ids) => ({ voice_id: byId(String(ids.voice_clone_id)) }),
		sends: (ids) => ({ line: `DELETE /v3/voices/${String(ids.voice_clone_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toEqual({ voice_id: ids.voice_clone_id, deleted: true });
		},
	},
};

describeOperations('VideoGenVoice', resources, cases, [
	'voice.getMany, Type, a choice of the user’s own',
]);

describe('VideoGenVoice', () => {
	const service = useService();

	const wait = (more: INodeParameters = {}): INodeParameters => ({
		waitForCompletion: true,
		options: { pollInterval: 1, ...more },
	});
	const sent = (path: string) =>
		service.control.requests({ method: 'POST', path }).map(({ body }) => body as IDataObject);

	test('refuses eleven recordings, and none, before any request', async () => {
		for (const [audio, message] of [
			[recordings(11), '"Recordings" must have at most 10 entries, but has 11'],
			['={{ {} }}', '"Recordings" is required'],
		] as const) {
			const { error } = await runNode(service, 'VideoGenVoice', train({ audio }));
			expect(error?.message).toBe(message);
			expect(error?.description).toContain('Nothing was sent');
		}
		expect(service.control.requests()).toHaveLength(0);
	});

	test('uploads recordings from binary fields and sends their assets with the others', async () => {
		const content = Buffer.from('RIFF some recording');
		const binary = {
			one: await storeBinary(content, 'one.wav', 'audio/wav'),
			two: await storeBinary(Buffer.from('another'), 'two.flac', 'audio/flac'),
		};
		const audio = {
			recording: [
				{ file: { __rl: true, mode: 'binary', value: 'one' } },
				{ file: url('https://files.example/a.wav') },
				{ file: { __rl: true, mode: 'binary', value: 'two' } },
			],
		};
		const { items, error } = await runNode(service, 'VideoGenVoice', train({ audio, ...wait() }), {
			items: [{ json: {}, binary }],
		});
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			status: 'ACTIVE',
			name: 'Narrator',
			job: { kind: 'model_voice', id: items[0]?.json.voice_id },
		});
		const [body] = sent('/v3/models/audio/voices');
		const inputs = body?.audio as IDataObject[];
		expect(inputs).toEqual([
			{ type: 'asset_id', asset_id: expect.any(String) },
			{ type: 'url', url: 'https://files.example/a.wav' },
			{ type: 'asset_id', asset_id: expect.any(String) },
		]);
		expect(uploaded(service)).toEqual([digest('another'), digest(content)].sort());
	});

	test('a failed training is an error with its reason and ID', async () => {
		service.control.failNext('model_voice', { code: 'TRAINING_FAILED', message: 'No speech' });
		const { error } = await runNode(service, 'VideoGenVoice', train(wait()));
		const id = String((service.control.jobs('model_voice')[0] as IDataObject).id);
		expect(error?.message).toBe('The model voice failed: TRAINING_FAILED');
		expect(error?.description).toContain(id);
	});

	test('a timeout error contains the ID of a training that is still PENDING', async () => {
		service.control.holdJobs(true);
		const { error } = await runNode(service, 'VideoGenVoice', train(wait({ waitTimeout: 0.03 })));
		const id = String((service.control.jobs('model_voice')[0] as IDataObject).id);
		expect(error?.description).toContain(id);
		expect(error?.description).toContain('"PENDING"');
		service.control.holdJobs(false);
	});

	test('a clone from a binary field waits until it is complete and can speak', async () => {
		const made = await runNode(service, 'VideoGenSpeech', {
			operation: 'speak',
			voice_id: byId('voice_001'),
			text: 'A recording of myself.',
			downloadAudio: true,
			binaryPropertyName: 'data',
		});
		const { items, error } = await runNode(
			service,
			'VideoGenVoice',
			clone({ audio: { __rl: true, mode: 'binary', value: 'data' }, ...wait() }),
			{ items: made.items },
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({
			status: 'complete',
			voice_id: items[0]?.json.voice_clone_id,
			job: { kind: 'voice_clone', id: items[0]?.json.voice_clone_id },
		});
		expect(sent('/v3/voices/clone')[0]?.audio).toEqual({
			type: 'asset_id',
			asset_id: expect.any(String),
		});
		expect(uploaded(service)).toEqual([digest(await readContent(made.items[0]))]);

		const spoken = await runNode(
			service,
			'VideoGenSpeech',
			{
				operation: 'speak',
				voice_id: byId('={{ $json.voice_id }}'),
				text: 'It works.',
				downloadAudio: false,
			},
			{ items },
		);
		expect(spoken.error).toBeUndefined();
	});

	test('a failed clone is an error with its reason and ID', async () => {
		service.control.failNext('voice_clone', { code: 'x', message: 'Two people speak' });
		const { error } = await runNode(service, 'VideoGenVoice', clone(wait()));
		expect(error?.message).toBe('The voice clone failed: Two people speak');
		expect(error?.description).toContain('voice_clone_');
	});

	test('repeats neither if the response is lost, and the error says what may exist', async () => {
		service.control.fail({ method: 'POST', cut: 'after' });
		for (const [parameters, kind, said] of [
			[train(), 'model_voice', 'training may have started'],
			[clone(), 'voice_clone', 'may have been cloned'],
		] as const) {
			const { error } = await runNode(service, 'VideoGenVoice', parameters);
			expect(service.control.jobs(kind)).toHaveLength(1);
			expect(error?.description).toContain(said);
			expect(error?.description).toContain('Get Many');
		}
	});

	test('deletes a voice in training as soon as possible', async () => {
		service.control.fail({
			method: 'DELETE',
			status: 409,
			code: 'resource_not_ready',
			times: 2,
		});
		const voice = await aProfessional(service);
		await runForJson(service, 'VideoGenVoice', {
			resource: 'professionalVoice',
			operation: 'get',
			voice_id: byId(String(voice.voice_id)),
		});
		const { error } = await runNode(service, 'VideoGenVoice', {
			resource: 'professionalVoice',
			operation: 'delete',
			voice_id: byId(String(voice.voice_id)),
		});
		expect(error).toBeUndefined();
		expect(service.control.requests({ method: 'DELETE' })).toHaveLength(3);
	});

	test('fetches all pages of a list', async () => {
		const paged = await startSimulator({ jobSeconds: 0, pageSize: 7 });
		try {
			const { items } = await runNode(paged, 'VideoGenVoice', {
				operation: 'getMany',
				type: 'public',
				returnAll: true,
			});
			const requests = paged.control.requests({ path: '/v3/voices' });
			expect(items.length).toBeGreaterThan(14);
			expect(requests).toHaveLength(Math.ceil(items.length / 7));
			expect(requests[0]?.query).toEqual({ type: 'public', limit: '100' });
			expect(new Set(items.map(({ json }) => json.voice_id)).size).toBe(items.length);
		} finally {
			await paged.close();
		}
	});
});
