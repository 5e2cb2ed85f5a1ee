import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenSpeech/operations';
import type { Simulator } from '../../../simulator';
import { describeOperations, first, runForJson, url, type Cases } from '../support/cases';
import { loadListPage } from '../support/contexts';
import { byId, readContent, runNode } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const wav = media('speech.wav');

const aModelVoice = async (service: Simulator) =>
	await runForJson(service, 'VideoGenVoice', {
		resource: 'professionalVoice',
		operation: 'train',
		audio: { recording: [{ file: url('https://files.example/a.wav') }] },
		...noWait,
	});

const cases: Cases = {
	speak: {
		line: 'POST /v3/voices/speech',
		parameters: {
			voice_id: byId('voice_002'),
			text: 'Hello <break time="5s" /> there.',
			downloadAudio: true,
			binaryPropertyName: 'speech',
			options: {
				input_type: 'ssml',
				speed: '2',
				language: 'en',
				locale: 'en-GB',
				settings: '{"engine_type": "some-engine"}',
				model_id: 'some-model',
				fileName: 'hello.wav',
			},
		},
		differences: {
			speed: 2,
			settings: { engine_type: 'some-engine', model_id: 'some-model' },
			model_id: undefined,
		},
		returns: async (items) => {
			expect(first(items)).toMatchObject({
				audio_url: expect.stringContaining('http'),
				duration: expect.any(Number),
				word_timestamps: [{ word: 'Hello' }, { word: 'there.' }],
			});
			expect(items[0]?.binary?.speech).toMatchObject({
				fileName: 'hello.wav',
				mimeType: 'audio/wav',
			});
			expect((await readContent(items[0], 'speech')).equals(wav)).toBe(true);
		},
	},
	synthesize: {
		line: 'POST /v3/models/audio/tts',
		before: aModelVoice,
		parameters: (ids) => ({
			voice_id: byId(ids.voice_id),
			text: 'Hello <break time="1.5s"/> there.',
			language: 'en',
			downloadAudio: false,
			options: { seed: 4294967295 },
		}),
	},
	synthesizeStreamed: {
		line: 'POST /v3/models/audio/tts/stream',
		before: aModelVoice,
		parameters: (ids) => ({
			voice_id: byId(ids.voice_id),
			text: 'one two three four five six seven eight nine',
			language: 'en',
			with_timestamps: true,
			binaryPropertyName: 'data',
			options: { seed: 1, additionalBodyFields: '{"model": "newest"}' },
		}),
		returns: (items) => {
			const { word_alignments, ...facts } = first(items);
			// Two parts of 1.2 seconds.
			expect(facts).toEqual({
				...{ parts: 2, duration: 2.4 },
				...{ outcome: 'finished', creation: 'created' },
			});
			const words = word_alignments as IDataObject[];
			expect(words.map(({ text }) => text).join(' ')).toBe(
				'one two three four five six seven eight nine',
			);
			expect(words[8]).toMatchObject({ text: 'nine', start_time: 3.2 });
		},
	},
};

describeOperations(
	'VideoGenSpeech',
	resources,
	cases,
	// The API documents no limits, but the speed must be positive.
	(resources[0]?.operations ?? []).map(({ value }) => `${value}, Speed, less than the least`),
);

const NODE = 'VideoGenSpeech';
const service = useService();

const speak = (more: INodeParameters = {}): INodeParameters => ({
	...{ operation: 'speak', voice_id: byId('voice_001'), text: 'Hello there.' },
	...{ downloadAudio: false, ...more },
});

const synthesize = (more: INodeParameters = {}): INodeParameters => ({
	...{ operation: 'synthesize', voice_id: byId('any'), text: 'Hello there.', language: 'en' },
	...{ downloadAudio: false, ...more },
});

const streamed = (more: INodeParameters = {}): INodeParameters => ({
	...synthesize({ operation: 'synthesizeStreamed', binaryPropertyName: 'data' }),
	...{ with_timestamps: false, ...more },
});

async function aVoice(name = 'Narrator') {
	const { items } = await runNode(service, 'VideoGenVoice', {
		resource: 'professionalVoice',
		operation: 'train',
		audio: { recording: [{ file: url('https://a.example/a.wav') }] },
		name,
		waitForCompletion: false,
	});
	return String(items[0]?.json.voice_id);
}

test('a speech may take longer than a second', async () => {
	service.control.fail({ path: '/v3/voices/speech', lateMs: 1_500, times: 1 });
	expect((await runNode(service, NODE, speak())).error).toBeUndefined();
});

describe('texts', () => {
	const wrong: Array<[string, RegExp]> = [
		['x'.repeat(5001), /^"Text" must have at most 5,000 characters, but has 5,001$/],
		[
			'a <break time="6s"/> b',
			/^"Text" must not contain a pause .* 5 seconds, but contains <break time="6s"\/>/,
		],
		['a <break time="5.01s" /> b', /"Text" must not contain a pause longer than 5 seconds/],
		["a <BREAK strength='x' time = '5001ms'> b", /must not contain a pause longer than 5 seconds/],
		[
			'a <break time="1s"/> b <break time=7> c',
			/longer than 5 seconds, but contains <break time=7>/,
		],
	];

	test.each(['speak', 'synthesize', 'synthesizeStreamed'])(
		'%s rejects texts outside the limits before any request',
		async (operation) => {
			const right = { speak, synthesize, synthesizeStreamed: streamed }[operation] ?? speak;
			for (const [text, message] of wrong) {
				const { error } = await runNode(service, NODE, right({ text }));
				expect(error?.message).toMatch(message);
				expect(error?.description).toContain('Nothing was sent');
			}
			expect(service.control.requests()).toHaveLength(0);
			// Texts at the limits are accepted, and other tags are not checked.
			service.control.fail({ status: 400, code: 'tts_text_invalid' });
			for (const text of [
				'x'.repeat(5000),
				'<break time="5s"/> <break time="5000ms"/> <break time=".5s"/> <break/> 6 < 7 > 5',
			]) {
				const { error } = await runNode(service, NODE, right({ text }));
				expect(error?.description).toContain('Code: tts_text_invalid');
			}
			expect(service.control.requests({ method: 'POST' })).toHaveLength(2);
		},
	);

	test.each([
		['a voice without pauses', 'voice_001', '<break time="1s"/> Hello', true, 1],
		['a voice that supports pauses', 'voice_002', '<break time="1s"/> Hello', false, 1],
		['a text without pauses', 'voice_001', 'Hello', false, 0],
		['a voice that cannot be read', 'voice_404', '<break time="1s"/> Hello', false, 1],
	])('speak, pauses: %s', async (_, voice, text, rejected, reads) => {
		service.control.fail({ method: 'POST', status: 400, code: 'tts_text_invalid' });
		const { error } = await runNode(service, NODE, speak({ text, voice_id: byId(voice) }));
		const sent = service.control.requests({ method: 'POST' });
		expect(sent).toHaveLength(rejected ? 0 : 1);
		expect(service.control.requests({ method: 'GET', path: /voices/ })).toHaveLength(reads);
		if (rejected) expect(error?.message).toContain('the voice voice_001 does not support pauses');
		else expect(error?.description).toContain('Code: tts_text_invalid');
	});
});

describe('voices', () => {
	test('the list of professional voices shows their status', async () => {
		await aVoice('First');
		service.control.failNext('model_voice', { code: 'x', message: 'x' });
		await aVoice('Second');
		service.control.clock.advance(1);
		service.control.holdJobs(true);
		await aVoice('Third');
		const { results } = await loadListPage(service, NODE, 'searchModelVoices');
		expect(results.map(({ name }) => name).sort()).toEqual([
			'First',
			'Second (cannot speak: training failed)',
			'Third (in training)',
		]);
	});

	test.each([
		['voice_not_ready', 409, 'still being trained', 'Wait for Completion'],
		['voice_training_failed', 409, 'This voice could not be trained', 'other recordings'],
		['voice_not_usable', 403, 'is not allowed to use this voice', 'another voice'],
	])('%s is said in words, and not repeated', async (code, status, what, then) => {
		service.control.fail({ method: 'POST', status, code });
		for (const parameters of [synthesize(), streamed()]) {
			const { error } = await runNode(service, NODE, parameters);
			expect(error?.message).toContain(what);
			expect(error?.description).toContain(then);
		}
		expect(service.control.requests()).toHaveLength(2);
	});
});

test('a failed download is an error with the URL of the file', async () => {
	service.control.fail({ path: /^\/media\//, status: 404 });
	const { items } = await runNode(
		service,
		NODE,
		speak({ downloadAudio: true, binaryPropertyName: 'data' }),
		{ node: { onError: 'continueRegularOutput' } },
	);
	const { error, details } = items[0]?.json as { error: string; details: IDataObject };
	expect(error).toContain('The speech was created, but its file could not be downloaded');
	expect(details).toMatchObject({
		...{ status: 404, duration: expect.any(Number) },
		audio_url: expect.stringContaining(service.baseUrl),
		description: expect.stringContaining(String(details.audio_url)),
	});
	expect(service.control.requests({ method: 'POST' })).toHaveLength(1);
});

test('sends 35 speech requests of all kinds at 30 per minute, without a rejection', async () => {
	const voice_id = byId(await aVoice());
	const items = (count: number) => Array.from({ length: count }, () => ({ json: {} }));
	const runs = await Promise.all([
		runNode(service, NODE, synthesize({ voice_id }), { items: items(15) }),
		runNode(service, NODE, streamed({ voice_id }), { items: items(10) }),
		runNode(service, NODE, speak(), { items: items(10) }),
	]);
	expect(runs.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
	expect(runs.map((run) => run.items.length)).toEqual([15, 10, 10]);
	const requests = service.control.requests({ method: 'POST', path: /tts|speech/ });
	expect(requests.map(({ status }) => status)).toEqual(Array(35).fill(200));
});
