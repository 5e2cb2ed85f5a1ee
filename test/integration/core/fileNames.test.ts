/** Names of downloaded files: by which operation, and next to which other files. */
import { createServer } from 'node:http';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { avatar, batch, session } from '../support/calls';
import { url } from '../support/cases';
import { byId, runForItems, runNode, type Service } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';

const service = useService();
const listening = useServers();

const download: INodeParameters = { waitForCompletion: true, download: ['video'] };
const people = (...names: string[]): INodeExecutionData[] =>
	names.map((name) => ({ json: { name } }));
const fileNames = (items: readonly INodeExecutionData[], field = 'data') =>
	items.map(({ binary }) => binary?.[field]?.fileName);
const run = async (type: string, parameters: INodeParameters, items?: INodeExecutionData[]) =>
	await runForItems(service, type, parameters, items ? { items } : {});

const titled = (more: INodeParameters = {}) =>
	avatar({ ...download, options: { title: '=Welcome {{ $json.name }}' }, ...more });

const translate = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	video: url('https://files.example/talk.mp4'),
	output_languages: ['German', 'Spanish', 'French'],
	mode: 'speed',
	...download,
	...more,
});

test('a video is named after its title', async () => {
	const items = await run('VideoGenVideo', titled(), people('Anna', 'Ben'));
	expect(fileNames(items)).toEqual(['Welcome Anna.mp4', 'Welcome Ben.mp4']);
	expect(items[0]?.binary?.data).toMatchObject({ fileExtension: 'mp4', mimeType: 'video/mp4' });
});

test('three languages give three names that differ in the language', async () => {
	const titledTalk = { ...download, download: ['video', 'subtitle'], options: { title: 'Talk' } };
	const items = await run('VideoGenTranslation', translate(titledTalk));
	expect(fileNames(items)).toEqual(['Talk.German.mp4', 'Talk.Spanish.mp4', 'Talk.French.mp4']);
	expect(fileNames(items, 'subtitle')).toEqual([
		'Talk.German.srt',
		'Talk.Spanish.srt',
		'Talk.French.srt',
	]);
	const named = await run('VideoGenTranslation', translate({ options: { fileName: 'talk' } }));
	expect(fileNames(named)).toEqual(['talk.German.mp4', 'talk.Spanish.mp4', 'talk.French.mp4']);
});

describe('File Name', () => {
	const options = { fileName: '={{ $json.name }}.mp4' };
	const names = ['Anna.mp4', 'Ben.mp4'];

	test('is evaluated for each row of a create', async () => {
		const items = await run(
			'VideoGenVideo',
			avatar({ ...download, options }),
			people('Anna', 'Ben'),
		);
		expect(fileNames(items)).toEqual(names);
	});

	test('is evaluated for each row of a batch', async () => {
		const items = await run(
			'VideoGenVideo',
			batch({ ...download, options }),
			people('Anna', 'Ben'),
		);
		expect(fileNames(items)).toEqual(names);
	});

	test('is evaluated for each item of an agent', async () => {
		const items = await run(
			'VideoGenAgent',
			session({ ...download, options }),
			people('Anna', 'Ben'),
		);
		expect(fileNames(items)).toEqual(names);
	});

	test('is evaluated for each item of Download', async () => {
		const created = await run(
			'VideoGenVideo',
			avatar({ waitForCompletion: true }),
			people('a', 'b'),
		);
		const items = await run(
			'VideoGenVideo',
			{
				operation: 'download',
				video_id: byId('={{ $json.video_id }}'),
				files: ['video', 'thumbnail'],
				binaryPropertyName: 'data',
				options,
			},
			created.map(({ json }, i) => ({ json: { ...json, name: ['Anna', 'Ben'][i] } })),
		);
		expect(fileNames(items)).toEqual(names);
		expect(fileNames(items, 'thumbnail')).toEqual(['Anna.jpg', 'Ben.jpg']);
	});

	test('is evaluated for each item that a wait finishes', async () => {
		const created = await run('VideoGenVideo', avatar(), people('Anna', 'Ben'));
		service.control.clock.advance(300);
		const input = created.map(({ json }, i) => ({ json: { ...json, name: ['Anna', 'Ben'][i] } }));
		const parameters = { operation: 'wait', download: ['video'], options };
		expect(fileNames(await run('VideoGenJob', parameters, input))).toEqual(names);
	});

	test('that is empty or a number is used as such', async () => {
		const items = await run(
			'VideoGenVideo',
			titled({ options: { title: 'Hi', fileName: '={{ $json.name }}' } }),
			[{ json: { name: '' } }, { json: { name: 42 } }],
		);
		expect(fileNames(items)).toEqual(['Hi.mp4', '42.mp4']);
	});

	test('of speech gets the number of the item if it repeats', async () => {
		const speak = {
			operation: 'speak',
			voice_id: byId('voice_001'),
			text: '=Hello {{ $json.name }}',
			downloadAudio: true,
			binaryPropertyName: 'data',
		};
		const items = await run('VideoGenSpeech', speak, people('Anna', 'Ben'));
		expect(new Set(fileNames(items)).size).toBe(2);
		for (const [i, name] of fileNames(items).entries()) {
			expect(['speech.wav', `speech.${i + 1}.wav`]).toContain(name);
		}
		const named = await run(
			'VideoGenSpeech',
			{ ...speak, options: { fileName: '={{ $json.name }}' } },
			people('Anna', 'Ben'),
		);
		expect(fileNames(named)).toEqual(['Anna.wav', 'Ben.wav']);
	});
});

/** A service with one video, whose file has this path and media type. */
async function serveVideo(path: string, type: string | undefined, more: IDataObject = {}) {
	const server = createServer((request, response) => {
		if (request.url?.startsWith('/v3/')) {
			const data = {
				id: 'v',
				status: 'completed',
				title: 'Hi',
				video_url: `${own}${path}`,
				...more,
			};
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ data }));
			return;
		}
		if (type !== undefined) response.setHeader('content-type', type);
		response.end('bytes');
	});
	const own = await listening(server);
	return { baseUrl: own, apiKey: 'key-of-the-test' } as Service;
}

test.each([
	['/file', 'video/webm', 'webm', 'video/webm'],
	['/file.webm', 'application/octet-stream', 'webm', 'video/webm'],
	['/file.mp4', 'video/webm; codecs=vp9', 'webm', 'video/webm'],
	['/file', undefined, 'mp4', 'video/mp4'],
	['/file?name=x.exe', 'binary/octet-stream', 'mp4', 'video/mp4'],
])('the name and the media type of %s as %s agree', async (path, type, extension, mimeType) => {
	for (const options of [{}, { fileName: 'Hi.mp4' }]) {
		const odd = await serveVideo(path, type);
		const { items, error } = await runNode(odd, 'VideoGenVideo', {
			operation: 'download',
			video_id: byId('v'),
			binaryPropertyName: 'data',
			options,
		});
		expect(error).toBeUndefined();
		expect(items[0]?.binary?.data).toMatchObject({
			fileName: `Hi.${extension}`,
			fileExtension: extension,
			mimeType,
			fileType: 'video',
		});
	}
});

test.each([[42], [{ a: 1 }], [null], [['Hi']], [true]])(
	'a title that is no text (%p) is left out',
	async (title) => {
		const odd = await serveVideo('/file.mp4', 'video/mp4', { title, output_language: title });
		const { items, error } = await runNode(odd, 'VideoGenVideo', {
			operation: 'download',
			video_id: byId('v'),
			binaryPropertyName: 'data',
		});
		expect(error).toBeUndefined();
		expect(fileNames(items)).toEqual(['v.mp4']);
	},
);
