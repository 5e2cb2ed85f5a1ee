import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenComposition/operations';
import type { Simulator } from '../../../simulator';
import { loadListPage } from '../support/contexts';
import { byId, readContent, runNode, storeBinary, type RunOptions } from '../support/engine';
import {
	describeOperations,
	few,
	first,
	runForJson,
	noWait,
	url,
	type Case,
} from '../support/cases';
import { media } from '../support/media';
import { useService } from '../support/service';

/** The smallest zip file: an empty one. */
const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);

const zipUrl = url('https://files.example/intro.zip');

const aRender = async (service: Simulator, options: INodeParameters = {}) =>
	await runForJson(service, 'VideoGenComposition', {
		operation: 'create',
		projectFrom: 'file',
		project: zipUrl,
		...noWait,
		options: { title: 'Intro', ...options },
	});

const cases: Record<string, Case> = {
	create: {
		parameters: () => ({
			projectFrom: 'file',
			project: zipUrl,
			resolution: '4k',
			aspect_ratio: '9:16',
			variablesFrom: 'json',
			variables_json: '{ "headline": "Hello", "list": [1, 2] }',
			...noWait,
			options: {
				composition: 'intro/index.html',
				fps: '60',
				quality: 'high',
				format: 'webm',
				title: 'Intro',
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		sends: () => ({
			line: 'POST /v3/hyperframes/renders',
			body: {
				project: { type: 'url', url: 'https://files.example/intro.zip' },
				resolution: '4k',
				aspect_ratio: '9:16',
				variables: { headline: 'Hello', list: [1, 2] },
				composition: 'intro/index.html',
				fps: 60,
				quality: 'high',
				format: 'webm',
				title: 'Intro',
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
			},
		}),
		returns: (items) => {
			expect(first(items)).toMatchObject({
				render_id: expect.any(String),
				status: 'queued',
				job: { kind: 'render', id: first(items).render_id },
			});
		},
	},
	get: {
		before: aRender,
		parameters: (ids) => ({ render_id: byId(String(ids.render_id)) }),
		sends: (ids) => ({ line: `GET /v3/hyperframes/renders/${String(ids.render_id)}`, query: {} }),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({
				render_id: ids.render_id,
				title: 'Intro',
				resolution: '1080p',
				aspect_ratio: '16:9',
			});
		},
	},
	getMany: {
		before: aRender,
		parameters: () => few,
		sends: () => ({ line: 'GET /v3/hyperframes/renders', query: { limit: '3' } }),
		returns: (items, ids) => {
			expect(items.map(({ json }) => json.render_id)).toEqual([ids.render_id]);
		},
	},
	delete: {
		before: aRender,
		parameters: (ids) => ({ render_id: byId(String(ids.render_id)) }),
		sends: (ids) => ({
			line: `DELETE /v3/hyperframes/renders/${String(ids.render_id)}`,
			query: {},
		}),
		returns: (items, ids) => {
			expect(first(items)).toMatchObject({ render_id: ids.render_id });
		},
	},
	download: {
		before: async (service) => await aRender(service, { format: 'webm' }),
		parameters: (ids) => ({
			render_id: byId(String(ids.render_id)),
			binaryPropertyName: 'film',
			options: {},
		}),
		sends: (ids) => ({ line: `GET /v3/hyperframes/renders/${String(ids.render_id)}`, query: {} }),
		returns: async (items, ids) => {
			expect(first(items)).toMatchObject({ render_id: ids.render_id, status: 'completed' });
			expect(items[0]?.binary?.film).toMatchObject({
				fileName: 'Intro.webm',
				mimeType: 'video/webm',
			});
			expect(await readContent(items[0], 'film')).toEqual(media('video.webm'));
		},
	},
};

describeOperations('VideoGenComposition', resources, cases);

describe('VideoGenComposition', () => {
	const service = useService({ pageSize: 2 });

	const create = async (parameters: INodeParameters, options?: RunOptions) =>
		await runNode(
			service,
			'VideoGenComposition',
			{ operation: 'create', projectFrom: 'file', project: zipUrl, ...noWait, ...parameters },
			options,
		);
	const sent = () =>
		service.control
			.requests({ method: 'POST', path: '/v3/hyperframes/renders' })
			.map(({ body }) => body as IDataObject);

	test('waits for the render and returns its fields', async () => {
		const { items, error } = await create({
			waitForCompletion: true,
			options: { pollInterval: 1 },
		});
		expect(error).toBeUndefined();
		expect(first(items)).toMatchObject({
			status: 'completed',
			video_url: expect.stringContaining('http'),
			job: { kind: 'render', id: first(items).render_id },
		});
	});

	test('a failed render is an error with its ID and the reason', async () => {
		service.control.failNext('composition_render', {
			code: 'render_failed',
			message: 'index.html has an error in line 3',
		});
		const { error } = await create({ waitForCompletion: true, options: { pollInterval: 1 } });
		expect(error?.message).toContain('The render failed: index.html has an error in line 3');
		expect(error?.description).toMatch(/render_/);
	});

	test('a zip file of the item is uploaded completely and rendered', async () => {
		const binary = await storeBinary(zip, 'intro.zip', 'application/zip');
		const items: INodeExecutionData[] = [{ json: {}, binary: { project: binary } }];
		const { error } = await create(
			{ project: { __rl: true, mode: 'binary', value: 'project' } },
			{ items },
		);
		expect(error).toBeUndefined();
		expect(sent()[0]?.project).toEqual({
			type: 'asset_id',
			asset_id: expect.stringMatching(/^asset_/),
		});
		const [upload] = service.control.requests({ method: 'PUT' });
		expect(upload?.body).toMatchObject({ bytes: zip.length });
	});

	test('a file of the item that is not a zip file is an error about the composition', async () => {
		const binary = await storeBinary(Buffer.from('<html>'), 'intro.html', 'text/html');
		const { error } = await create(
			{ project: { __rl: true, mode: 'binary', value: 'data' } },
			{ items: [{ json: {}, binary: { data: binary } }] },
		);
		expect(error?.message).toContain('The composition cannot be rendered');
	});

	test.each([
		['unchanged', (text: string) => text],
		['with a data URL prefix', (text: string) => `data:application/zip;base64,${text}`],
		['over several lines', (text: string) => text.replace(/(.{8})/g, '$1\n')],
	])('a zip file as base64 text, %s', async (_, format) => {
		const { error } = await create({
			projectFrom: 'base64',
			project_base64: format(zip.toString('base64')),
		});
		expect(error).toBeUndefined();
		expect(sent()[0]?.project).toEqual({
			type: 'base64',
			media_type: 'application/zip',
			data: zip.toString('base64'),
		});
	});

	test.each([
		['landscape', '1080p', '16:9'],
		['landscape-4k', '4k', '16:9'],
		['portrait', '1080p', '9:16'],
		['portrait-4k', '4k', '9:16'],
		['square', '1080p', '1:1'],
		['square-4k', '4k', '1:1'],
	])(
		'the old resolution %s is rejected, and the error names the new values',
		async (old, size, ratio) => {
			const { error } = await create(
				{ resolution: '={{ $json.size }}' },
				{ items: [{ json: { size: old } }] },
			);
			expect(error?.message).toContain(
				`"Resolution" no longer accepts "${old}": use Resolution ${size} with Aspect Ratio ${ratio}`,
			);
			expect(service.control.requests()).toHaveLength(0);
		},
	);

	test.each<[INodeParameters, string]>([
		[{ resolution: '720p' }, '"Resolution" must be 1080p or 4k, but is "720p"'],
		[{ aspect_ratio: '4:5' }, '"Aspect Ratio" must be one of 16:9, 9:16, 1:1, but is "4:5"'],
		[{ variablesFrom: 'json', variables_json: '[1]' }, '"Variables (JSON)" must be an object'],
		[{ project: url('intro.zip') }, '"Project → url" must be a full URL'],
		[{ project: url('={{ "" }}') }, '"Project" is required'],
		[{ projectFrom: 'base64', project_base64: '={{ "" }}' }, '"Project (Base64)" is required'],
		[
			{ projectFrom: 'base64', project_base64: 'PGh0bWw+' },
			'"Project (Base64)" must be a zip file as base64 text',
		],
		[
			{ projectFrom: 'base64', project_base64: 'not base64!' },
			'"Project (Base64)" must be base64 text',
		],
		[{ options: { fps: 241 } }, '"Frames per Second" must be at most 240, but is 241'],
		[{ options: { fps: 0 } }, '"Frames per Second" must be at least 1, but is 0'],
		[{ options: { title: 'x'.repeat(501) } }, '"Title" must have at most 500 characters'],
		[
			{ options: { composition: 'x'.repeat(513) } },
			'"Composition File" must have at most 512 characters',
		],
		[
			{ options: { callback_id: 'x'.repeat(257) } },
			'"Callback ID" must have at most 256 characters',
		],
	])('%j is rejected before anything is sent', async (parameters, message) => {
		const { error } = await create(parameters);
		expect(error?.message).toContain(message);
		expect(service.control.requests()).toHaveLength(0);
	});

	test('a create whose response is lost is not retried, and the error says what to check', async () => {
		service.control.fail({ method: 'POST', path: '/v3/hyperframes/renders', cut: 'after' });
		const { error } = await create({});
		expect(error?.description).toContain('may have been created anyway');
		expect(error?.description).toContain('Get Many');
		expect(sent()).toHaveLength(1);
	});

	test('variables of the form are sent as their kinds', async () => {
		const variable = [
			{ name: 'headline', kind: 'text', value: '42' },
			{ name: 'count', kind: 'number', value: '4.5' },
			{ name: 'loud', kind: 'boolean', value: 'True' },
			{ name: 'note', kind: 'text', value: '' },
		];
		await create({ variablesFrom: 'form', variables: { variable } });
		expect(sent()[0]?.variables).toEqual({ headline: '42', count: 4.5, loud: true, note: '' });

		const wrong = [{ name: 'count', kind: 'number', value: 'many' }];
		const { error } = await create({ variablesFrom: 'form', variables: { variable: wrong } });
		expect(error?.message).toContain('value" must be a number, but is "many"');
		expect(sent()).toHaveLength(1);
	});

	test('empty variables are not sent', async () => {
		await create({ variablesFrom: 'json', variables_json: '{}' });
		expect(sent()[0]).not.toHaveProperty('variables');
	});

	test.each(['FAILED', 'cancelled', 'error'])(
		'a render with the status "%s" has failed',
		async (status) => {
			const { render_id: id } = await aRender(service);
			service.control.fail({
				method: 'GET',
				path: /renders/,
				data: { status, video_url: null, failure_message: 'No entry' },
			});
			const { error } = await runNode(service, 'VideoGenComposition', {
				operation: 'download',
				render_id: byId(String(id)),
				binaryPropertyName: 'data',
			});
			expect(error?.description).toContain(`Its status is "${status}": No entry.`);
		},
	);

	test('the download of an unfinished render is an error with advice to wait', async () => {
		service.control.holdJobs(true);
		try {
			const { render_id: id } = await aRender(service);
			const { error } = await runNode(service, 'VideoGenComposition', {
				operation: 'download',
				render_id: byId(String(id)),
				binaryPropertyName: 'data',
			});
			expect(error?.message).toContain(
				`Composition render ${String(id)} has no file: its video_url is empty`,
			);
			expect(error?.description).toContain('Wait until it is completed');
		} finally {
			service.control.holdJobs(false);
		}
	});

	test('the download of a failed render is an error with its reason', async () => {
		service.control.failNext('composition_render', { code: 'render_failed', message: 'No entry' });
		const { render_id: id } = await aRender(service);
		const { error } = await runNode(service, 'VideoGenComposition', {
			operation: 'download',
			render_id: byId(String(id)),
			binaryPropertyName: 'data',
		});
		expect(error?.description).toContain('Its status is "failed": No entry.');
	});

	test('an incomplete file is an error', async () => {
		const { render_id: id } = await aRender(service);
		service.control.truncateMedia(true);
		const { error, items } = await runNode(service, 'VideoGenComposition', {
			operation: 'download',
			render_id: byId(String(id)),
			binaryPropertyName: 'data',
		});
		expect(items).toEqual([]);
		expect(error).toBeDefined();
	});

	test('an unknown render is an error with the code of the service', async () => {
		const { error } = await runNode(service, 'VideoGenComposition', {
			operation: 'get',
			render_id: byId('render_none'),
		});
		expect(error?.message).toContain('The service cannot find this');
		expect(error?.description).toContain('hyperframes_render_not_found');
	});

	test('the list of renders shows all pages and can be searched by title', async () => {
		for (const title of ['One', 'Two', 'Three']) await aRender(service, { title });
		const searchList = async (filter?: string, token?: string) =>
			await loadListPage(service, 'VideoGenComposition', 'searchRenders', {
				filter,
				token,
				parameters: { operation: 'get' },
			});
		const page = await searchList();
		expect(page.results).toHaveLength(2);
		const rest = await searchList(undefined, String(page.paginationToken));
		expect([...page.results, ...rest.results].map(({ name }) => name).sort()).toEqual([
			'One (completed, 1080p, 16:9)',
			'Three (completed, 1080p, 16:9)',
			'Two (completed, 1080p, 16:9)',
		]);
		expect((await searchList('thr')).results.map(({ name }) => name)).toEqual([
			'Three (completed, 1080p, 16:9)',
		]);
	});
});
