import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../nodes/core/http/client';
import { getErrorTextParts, toNodeError } from '../../../nodes/core/errors/nodeErrors';
import { findOperation } from '../../../nodes/core/operationTraits';
import { resources as backgroundRemoval } from '../../../nodes/VideoGenBackgroundRemoval/operations';
import { resources as clipping } from '../../../nodes/VideoGenClipping/operations';
import { resources as lipsync } from '../../../nodes/VideoGenLipsync/operations';
import { resources as modelVideo } from '../../../nodes/VideoGenModelVideo/operations';
import { resources as template } from '../../../nodes/VideoGenTemplate/operations';
import { resources as translation } from '../../../nodes/VideoGenTranslation/operations';
import { resources as video } from '../../../nodes/VideoGenVideo/operations';

const resources = [
	...backgroundRemoval,
	...clipping,
	...lipsync,
	...modelVideo,
	...template,
	...translation,
	...video,
];

const page = readFileSync(join(__dirname, '../../../docs/combinations.md'), 'utf8');

/** Rows of the table, with the cells of each. */
const documented = page
	.split('\n')
	.filter((line) => line.startsWith('| ') && !/^\| (Operation|-)/.test(line))
	.map((line) =>
		line
			.slice(2, -1)
			.split(' | ')
			.map((cell) => cell.trim()),
	);

const find = (resource: string, operation: string) => {
	const found = findOperation(resources, [resource, operation])?.operation;
	if (!found) throw new Error(`There is no ${resource}.${operation}`);
	return found;
};

const burned = { file_format: 'srt', style: 'default' };
const file = { file_format: 'srt' };
const several = { output_languages: ['German', 'French'] };

/** A look of each engine, as the service returns it. */
const looks: Record<string, IDataObject> = {
	look_1: { supported_api_engines: ['avatar_iv'], group_id: 'group_1' },
	look_2: { supported_api_engines: ['avatar_v'], group_id: 'group_2' },
	look_3: { supported_api_engines: ['avatar_v'], group_id: 'group_1' },
	look_4: {},
};

const client = {
	node: { name: 'Node', parameters: {} },
	shareInRun: async (_: string, read: () => unknown) => await read(),
	tryRequest: ({ path }: { path: { look_id: string } }) => {
		const data = looks[path.look_id];
		return data ? { ok: true, reply: { data } } : { ok: false, error: new Error('Down') };
	},
} as unknown as Client;

async function findProblems(path: string, values: IDataObject): Promise<string[]> {
	const operation = find(...(path.split('.') as [string, string]));
	const problems = (operation.check?.(values as never) ?? []).filter((one) => one !== false);
	if (problems.length > 0) return problems;
	try {
		await operation.reject?.(values as never, client);
		return [];
	} catch (error) {
		return [getErrorTextParts(toNodeError(client.node, error)).message];
	}
}

type Refused = [operations: string[], values: IDataObject];

/** Combinations that are refused, in the order of the table. */
const refused: Refused[] = [
	[['video.createAvatar', 'video.createImage'], { download: ['captioned'], caption: file }],
	[['video.createStudio'], { download: ['captioned'], captions: file }],
	[['video.createAvatar'], { engine: 'avatar_v', expressiveness: 'low' }],
	[['video.createAvatar'], { reference_look_id: 'look_2' }],
	[['video.createAvatar'], { avatar_id: 'look_1', engine: 'avatar_v' }],
	[
		['video.createAvatar'],
		{ avatar_id: 'look_3', engine: 'avatar_v', reference_look_id: 'look_2' },
	],
	[['video.createAvatar', 'video.createImage'], { output_format: 'webm', background: {} }],
	[['video.createCinematic'], { auto_duration: true, duration: 5 }],
	[['video.createBatch'], { itemIs: 'cinematic', download: ['subtitle'] }],
	[['video.createBatch'], { itemIs: 'cinematic', aspect_ratio: '4:5' }],
	[['video.createBatch'], { itemIs: 'cinematic', resolution: '4k' }],
	[['video.createBatch'], { itemIs: 'image', engine: 'avatar_v' }],
	[['template.generate'], { download: ['subtitle'], caption: false }],
	[['template.generate'], { download: ['gif'], include_gif: false }],
	[['translation.create', 'translation.createBatch'], { ...several, audio: {} }],
	[['translation.create', 'translation.createBatch'], { ...several, srt: {}, srt_role: 'output' }],
	[['translation.create'], { srt_role: 'output' }],
	[
		['translation.create', 'proofread.create'],
		{ use_stock_voice: false, preferred_stock_voice_ids: ['voice_1'] },
	],
	[
		['translation.create', 'translation.createBatch', 'lipsync.create', 'lipsync.createBatch'],
		{ start_time: 10, end_time: 5 },
	],
	[['clipping.create'], { output_settings: { captions: false, caption_style: 'bold' } }],
	[['backgroundRemoval.create'], { layers: ['foreground'], download: ['mask'] }],
	[['modelVideo.referenceToVideo'], { reference_audio: [{}] }],
];

test.each(refused.map((one, i) => [i, ...one] as const))(
	'combination %i of the table is refused with its text: %j %j',
	async (i, operations, values) => {
		const text = documented[i]?.[1];
		for (const path of operations) expect(await findProblems(path, values)).toEqual([text]);
	},
);

test('the table lists what is tested, and no more', () => {
	expect(documented).toHaveLength(refused.length);
});

test.each<[string, string, IDataObject]>([
	['an engine of the look', 'video.createAvatar', { avatar_id: 'look_1', engine: 'avatar_iv' }],
	['an unknown engine', 'video.createAvatar', { avatar_id: 'look_1', engine: 'avatar_vi' }],
	['a look without engines', 'video.createAvatar', { avatar_id: 'look_4', engine: 'avatar_v' }],
	['a look that cannot be read', 'video.createAvatar', { avatar_id: 'look_5', engine: 'avatar_v' }],
	[
		'a reference look of the same avatar',
		'video.createAvatar',
		{ avatar_id: 'look_3', engine: 'avatar_v', reference_look_id: 'look_1' },
	],
	['all layers', 'backgroundRemoval.create', { download: ['mask'] }],
	['one language', 'translation.create', { output_languages: ['German'], audio: {} }],
	['burned captions', 'video.createAvatar', { download: ['captioned'], caption: burned }],
	[
		'the style of captions that are shown',
		'clipping.create',
		{ output_settings: { caption_style: 'bold' } },
	],
])('%s is accepted', async (_, path, values) => {
	expect(await findProblems(path, values)).toEqual([]);
});

test('a scene, too, needs a look that supports its engine', async () => {
	const input = { type: 'avatar', avatar_id: 'look_2', engine: { type: 'avatar_iii' } };
	const scenes = [{ type: 'avatar_video', input }];
	expect(await findProblems('video.createStudio', { scenes })).toEqual([
		'"Engine" Avatar III does not support the look look_2: choose Avatar V or another look',
	]);
});

test.each<[string, string, IDataObject, IDataObject]>([
	['video.createAvatar', 'subtitle', {}, { caption: file }],
	['video.createAvatar', 'captioned', {}, { caption: burned }],
	['video.createAvatar', 'subtitle', { caption: burned }, { caption: burned }],
	['video.createAvatar', 'thumbnail', {}, { caption: undefined }],
	['video.createImage', 'subtitle', {}, { caption: file }],
	['video.createStudio', 'captioned', {}, { caption: burned, captions: burned }],
	['template.generate', 'captioned', {}, { caption: true }],
	['template.generate', 'gif', {}, { include_gif: true }],
])('%s turns on what the file %s needs', async (path, download, values, expected) => {
	const operation = find(...(path.split('.') as [string, string]));
	const all = { ...values, download: [download] };
	const item = { values: all as never, payload: values, input: { json: {} } };
	expect(await operation.body?.(item, client)).toMatchObject(expected);
});

const captionHint =
	'The "Video" file has no captions. For the video with burned-in captions, choose "Video With Captions" under "Download".';
const json = (video: IDataObject) => ({ itemIs: 'json', video_json: video });

test.each<[string, IDataObject, string[], string[]]>([
	['video.createAvatar', { caption: burned }, ['video'], [captionHint]],
	['video.createAvatar', { caption: burned }, ['video', 'captioned'], []],
	['video.createAvatar', { caption: burned }, ['subtitle'], []],
	['video.createAvatar', { caption: file }, ['video'], []],
	['video.createAvatar', {}, ['video'], []],
	['video.createImage', { caption: burned }, ['video'], [captionHint]],
	['video.createStudio', { captions: burned }, ['video'], [captionHint]],
	['video.createBatch', { caption: burned }, ['video'], [captionHint]],
	['video.createBatch', json({ type: 'image', caption: burned }), ['video'], [captionHint]],
	['video.createBatch', json({ type: 'image', caption: file }), ['video'], []],
	['template.generate', { caption: true }, ['video'], [captionHint]],
	['template.generate', { caption: false }, ['video'], []],
])('%s with %j and the files %j has the hints %j', (path, values, download, hints) => {
	const operation = find(...(path.split('.') as [string, string]));
	const found = operation.listHints?.({ ...values, download } as never);
	expect(found?.filter((hint) => hint !== false)).toEqual(hints);
});

test('a batch turns on the captions of the videos that speak', () => {
	const { combine } = find('video', 'createBatch');
	const rows = [
		{ itemIs: 'avatar' },
		{ itemIs: 'image' },
		{ itemIs: 'json', video_json: { type: 'image' } },
		{ itemIs: 'json', video_json: { type: 'image', caption: null } },
		{ itemIs: 'cinematic' },
	].map((values) => ({
		values: { ...values, download: ['subtitle'] } as never,
		payload: {},
		input: { json: {} },
	}));
	const { videos } = combine?.body?.(rows) as { videos: IDataObject[] };
	expect(videos.map(({ caption }) => caption)).toEqual([file, file, file, null, undefined]);
});
