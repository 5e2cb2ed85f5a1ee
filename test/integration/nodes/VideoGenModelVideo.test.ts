import type { INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenModelVideo/operations';
import type { Simulator } from '../../../simulator';
import { readContent, runNode } from '../support/engine';
import { describeOperations, first, runForJson, url, type Cases } from '../support/cases';
import { media } from '../support/media';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const node = 'VideoGenModelVideo';

const text = {
	operation: 'textToVideo',
	prompt: 'A paper boat',
	modelFrom: 'name',
	model: 'model-1',
	duration: 5,
};

const aVideo = async (service: Simulator) =>
	await runForJson(service, node, { ...text, ...noWait });

const cases: Cases = {
	textToVideo: {
		line: 'POST /v3/models/videos',
		parameters: {
			prompt: 'A paper boat sails',
			modelFrom: 'name',
			model: 'model-1',
			duration: '15',
			options: {
				aspect_ratio: '21:9',
				resolution: '480p',
				prompt_enhancement: 'turbo',
				seed: 4_294_967_295,
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		},
		differences: { mode: 'text_to_video', duration: 15 },
		keyed: true,
	},
	imageToVideo: {
		line: 'POST /v3/models/videos',
		parameters: {
			image: url('https://files.example/boat.png'),
			prompt: 'It sails away',
			modelFrom: 'name',
			model: 'model-1',
			duration: 5,
			options: { resolution: '768p' },
		},
		differences: { mode: 'image_to_video' },
		keyed: true,
	},
	referenceToVideo: {
		line: 'POST /v3/models/videos',
		parameters: {
			prompt: 'The boat of the image, in the place of the clip',
			modelFrom: 'name',
			model: 'model-1',
			duration: 6,
			reference_images: { image: [{ file: url('https://files.example/boat.png') }] },
			reference_videos: { video: [{ file: url('https://files.example/a.mp4') }] },
			reference_audio: { audio: [{ file: url('https://files.example/rain.mp3') }] },
			options: { aspect_ratio: 'adaptive' },
		},
		differences: { mode: 'reference_to_video' },
		keyed: true,
	},
	get: { line: 'GET /v3/models/videos/{video_id}', before: aVideo },
	download: {
		line: 'GET /v3/models/videos/{video_id}',
		before: aVideo,
		parameters: { binaryPropertyName: 'clip', options: { fileName: 'boat.mp4' } },
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ video_id: ids.video_id, status: 'completed' });
			expect(items[0]?.binary?.clip).toMatchObject({ fileName: 'boat.mp4', mimeType: 'video/mp4' });
			expect((await readContent(items[0], 'clip')).equals(media('video.mp4'))).toBe(true);
		},
	},
};

// The specification has no model field; the simulator requires one (service.md, Guesses).
describeOperations(
	node,
	resources,
	cases,
	['textToVideo', 'imageToVideo', 'referenceToVideo'].map(
		(one) => `${one}, Model, the choice default`,
	),
);

describe(`${node}, specific behavior`, () => {
	const service = useService();

	const files = (name: string, count: number) => ({
		[name]: Array.from({ length: count }, (_, i) => ({ file: url(`https://files.example/${i}`) })),
	});
	const references = (images: number, videos: number, audio: number): INodeParameters => ({
		operation: 'referenceToVideo',
		prompt: 'A boat',
		modelFrom: 'name',
		model: 'model-1',
		duration: 5,
		reference_images: files('image', images),
		reference_videos: files('video', videos),
		reference_audio: files('audio', audio),
		...noWait,
	});

	const wrong: Array<[string, INodeParameters, RegExp]> = [
		['no reference at all', references(0, 0, 0), /needs at least one entry/],
		[
			'audio alone',
			references(0, 0, 1),
			/^"Reference Images" or "Reference Videos" needs at least one entry: audio alone/,
		],
		[
			'13 references in total',
			references(9, 3, 1),
			/^"Reference Images", "Reference Videos" and "Reference Audio" may have at most 12 entries together, but have 13/,
		],
		[
			'10 images through Additional Body Fields',
			{
				...references(1, 0, 0),
				options: {
					additionalBodyFields: JSON.stringify({
						reference_images: Array.from({ length: 10 }, () => ({
							type: 'asset_id',
							asset_id: 'a',
						})),
					}),
				},
			},
			/^"Reference Images" must have at most 9 entries, but has 10/,
		],
	];

	test.each(wrong)('rejects %s before any request', async (_, parameters, message) => {
		const { error } = await runNode(service, node, { ...noWait, ...parameters });
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});

	test.each([
		[9, 0, 3],
		[9, 3, 0],
		[0, 1, 3],
	])('%i images, %i videos and %i sounds are taken', async (images, videos, audio) => {
		const { error } = await runNode(service, node, references(images, videos, audio));
		expect(error).toBeUndefined();
	});

	test('accepts reference lists from Additional Body Fields', async () => {
		const reference_images = [{ type: 'url', url: 'https://files.example/a.png' }];
		const { error } = await runNode(service, node, {
			...references(0, 0, 0),
			options: { additionalBodyFields: JSON.stringify({ reference_images }) },
		});
		expect(error).toBeUndefined();
		const [request] = service.control.requests({ method: 'POST' });
		expect(request?.body).toMatchObject({ mode: 'reference_to_video', reference_images });
	});

	test('sends no model by default', async () => {
		await runNode(service, node, { ...text, modelFrom: 'default', ...noWait });
		const [request] = service.control.requests({ method: 'POST' });
		expect(request?.body).toEqual({ mode: 'text_to_video', prompt: 'A paper boat', duration: 5 });
	});

	test('a download reports the status of a running video and the reason of a failed one', async () => {
		service.control.holdJobs(true);
		const { video_id } = await aVideo(service);
		const download = async () =>
			await runNode(service, node, {
				...{ operation: 'download', video_id: String(video_id), binaryPropertyName: 'data' },
			});
		const { error } = await download();
		expect(error?.message).toContain('has no file: its video_url is empty');
		expect(error?.description).toMatch(
			/Its status is "(pending|processing)"\. Wait until it is completed/,
		);
		service.control.fail({ method: 'GET', without: ['status'], times: 1 });
		expect((await download()).error?.description).toContain(
			'It has no status. Wait until it is completed',
		);
		service.control.failJob(String(video_id), 'generation_failed', 'Too dark');
		service.control.holdJobs(false);
		const failed = await download();
		expect(failed.error?.description).toContain('Its status is "failed": Too dark.');
		expect(failed.error?.description).not.toContain('Wait until');
	});
});
