/** Files of the item: uploaded as assets, whose IDs the request contains. */
import type { INodeParameters } from 'n8n-workflow';
import { url } from '../support/cases';
import { byId, runNode, storeBinary } from '../support/engine';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const service = useService();

const binary = (value: string) => ({ __rl: true as const, mode: 'binary', value });
const talk = binary('talk');
const sound = binary('sound');
const anyUrl = url('https://files.example/a.wav');

/** The contents of the assets in a body, in their order. */
const readAssets = async (body: unknown) =>
	await Promise.all(
		[...JSON.stringify(body).matchAll(/"type":"asset_id","asset_id":"(\w+)"/g)].map(
			async ([, id]) => await (await fetch(`${service.baseUrl}/public/${id}/file`)).text(),
		),
	);

test.each<[string, string, INodeParameters, string[]]>([
	['VideoGenLipsync', 'create', { video: talk, audio: sound }, ['talk', 'sound']],
	['VideoGenTranslation', 'create', { video: talk, output_languages: ['German'] }, ['talk']],
	[
		'VideoGenTranslation',
		'createBatch',
		{ itemIs: 'form', video: talk, output_languages: ['German'] },
		['talk'],
	],
	[
		'VideoGenModelVideo',
		'referenceToVideo',
		{
			...{ prompt: 'A boat', modelFrom: 'name', model: 'model-1', duration: 5 },
			reference_images: { image: [{ file: talk }] },
			reference_videos: { video: [{ file: sound }] },
		},
		['talk', 'sound'],
	],
	['VideoGenClipping', 'create', { video: talk }, ['talk']],
	[
		'VideoGenRealtimeAvatar',
		'create',
		{ avatar_id: byId('look_001_1'), type: 'audio', audio: sound, waitUntil: 'accepted' },
		['sound'],
	],
	['VideoGenAvatar', 'createDigitalTwin', { name: 'Me', file: talk }, ['talk']],
	[
		'VideoGenAvatar',
		'requestConsent',
		{ group_id: byId('group_private_004'), consentBy: 'video', consent_video: talk },
		['talk'],
	],
	[
		'VideoGenAvatar',
		'createFromPrompt',
		{
			...{ name: 'Baker', prompt: 'A baker' },
			options: { reference_images: { entry: [{ image: talk }] } },
		},
		['talk'],
	],
	['VideoGenBackgroundRemoval', 'create', { video: talk }, ['talk']],
	[
		'VideoGenVoice',
		'train',
		{
			...{ resource: 'professionalVoice', name: 'Narrator' },
			audio: { recording: [{ file: sound }, { file: anyUrl }, { file: talk }] },
		},
		['sound', 'talk'],
	],
	['VideoGenVoice', 'clone', { resource: 'voice', voice_name: 'Me', audio: sound }, ['sound']],
	[
		'VideoGenComposition',
		'create',
		{ projectFrom: 'file', project: binary('zip') },
		['PK\x05\x06'],
	],
])('%s, %s', async (node, operation, parameters, contents) => {
	const files = {
		talk: await storeBinary(Buffer.from('talk'), 'talk.mp4', 'video/mp4'),
		sound: await storeBinary(Buffer.from('sound'), 'sound.wav', 'audio/wav'),
		zip: await storeBinary(Buffer.from('PK\x05\x06'), 'intro.zip', 'application/zip'),
	};
	const { error } = await runNode(
		service,
		node,
		{ operation, mode: 'speed', ...noWait, ...parameters },
		{ items: [{ json: {}, binary: files }] },
	);
	expect(error).toBeUndefined();
	const create = service.control.requests({ method: 'POST' }).at(-1);
	expect(await readAssets(create?.body)).toEqual(contents);
});
