import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { resources } from '../../../nodes/VideoGenComposition/operations';
import type { Simulator } from '../../../simulator';
import { readWholeList } from '../support/contexts';
import { byId, readContent, runNode, storeBinary, type RunOptions } from '../support/engine';
import { describeOperations, runForJson, url, type Cases } from '../support/cases';
import { media } from '../support/media';
import { useService } from '../support/service';
import { noWait } from '../support/expectedRequest';

const zipUrl = url('https://files.example/intro.zip');

const aRender = async (service: Simulator, options: INodeParameters = {}) =>
	await runForJson(service, 'VideoGenComposition', {
		operation: 'create',
		projectFrom: 'file',
		project: zipUrl,
		...noWait,
		options: { title: 'Intro', ...options },
	});

const cases: Cases = {
	create: {
		line: 'POST /v3/hyperframes/renders',
		parameters: {
			projectFrom: 'file',
			project: zipUrl,
			resolution: '4k',
			aspect_ratio: '9:16',
			variablesFrom: 'json',
			variables_json: '{ "headline": "Hello", "list": [1, 2] }',
			options: {
				composition: 'intro/index.html',
				quality: 'high',
				format: 'webm',
				title: 'Intro',
				callback_url: 'https://flows.example/done',
				callback_id: 'order-1',
				fps: '60',
			},
		},
		differences: {
			variables: { headline: 'Hello', list: [1, 2] },
			fps: 60,
			variables_json: undefined,
		},
		keyed: true,
	},
	get: { line: 'GET /v3/hyperframes/renders/{render_id}', before: aRender },
	getMany: { line: 'GET /v3/hyperframes/renders', before: aRender },
	delete: { line: 'DELETE /v3/hyperframes/renders/{render_id}', before: aRender },
	download: {
		line: 'GET /v3/hyperframes/renders/{render_id}',
		before: async (service) => await aRender(service, { format: 'webm' }),
		parameters: { binaryPropertyName: 'video', options: {} },
		returns: async (items) => {
			expect(items[0]?.binary?.video?.fileName).toBe('Intro.webm');
			expect(await readContent(items[0], 'video')).toEqual(media('video.webm'));
		},
	},
};

describeOperations('VideoGenComposition', resources, cases);

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

test('a file of the item that is not a zip file is an error about the composition', async () => {
	const data = await storeBinary(Buffer.from('<html>'), 'intro.html', 'text/html');
	const { error } = await create(
		{ project: { __rl: true, mode: 'binary', value: 'data' } },
		{ items: [{ json: {}, binary: { data } }] },
	);
	expect(error?.message).toContain('The composition cannot be rendered');
});

test.each([
	['unchanged', (text: string) => text],
	['with a data URL prefix', (text: string) => `data:application/zip;base64,${text}`],
	['over several lines', (text: string) => text.replace(/(.{8})/g, '$1\n')],
])('a zip file as base64 text, %s', async (_, format) => {
	// The smallest zip file: an empty one.
	const bytes = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
	const data = bytes.toString('base64');
	const { error } = await create({ projectFrom: 'base64', project_base64: format(data) });
	expect(error).toBeUndefined();
	expect(sent()[0]?.project).toEqual({ type: 'base64', media_type: 'application/zip', data });
});

test('a create whose response is lost is retried with its key, and the error says what to check', async () => {
	service.control.fail({ method: 'POST', path: '/v3/hyperframes/renders', cut: 'after' });
	const { error } = await create({});
	expect(error?.description).toContain('Look for the composition render with Get Many');
	expect(error?.description).toContain('Custom Key');
	expect(sent()).toHaveLength(10);
	expect(service.control.jobs('composition_render')).toHaveLength(1);
});

test.each([
	['landscape', '1080p', '16:9'],
	['landscape-4k', '4k', '16:9'],
	['portrait', '1080p', '9:16'],
	['portrait-4k', '4k', '9:16'],
	['square', '1080p', '1:1'],
	['square-4k', '4k', '1:1'],
])('the error for the old resolution %s names the new values', async (old, size, ratio) => {
	const { error } = await create({ resolution: `={{ "${old}" }}` });
	expect(error?.message).toContain(
		`"Resolution" no longer accepts "${old}": use Resolution ${size} with Aspect Ratio ${ratio}`,
	);
	expect(service.control.requests()).toEqual([]);
});

test.each<[INodeParameters, string]>([
	[{ resolution: '720p' }, '"Resolution" must be 1080p or 4k, but is "720p"'],
	[{ variablesFrom: 'json', variables_json: '[1]' }, '"Variables (JSON)" must be an object'],
	[
		{ projectFrom: 'base64', project_base64: 'PGh0bWw+' },
		'"Project (Base64)" must be a zip file as base64 text',
	],
	[
		{ projectFrom: 'base64', project_base64: 'not base64!' },
		'"Project (Base64)" must be base64 text',
	],
])('%j is rejected before anything is sent', async (parameters, message) => {
	const { error } = await create(parameters);
	expect(error?.message).toContain(message);
	expect(service.control.requests()).toEqual([]);
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
	const twice = ['A', 'B'].map((value) => ({ name: 'headline', kind: 'text', value }));
	const repeated = await create({ variablesFrom: 'form', variables: { variable: twice } });
	expect(repeated.error?.message).toContain('has "headline" twice');
	expect(sent()).toHaveLength(1);
});

test('empty variables are not sent', async () => {
	await create({ variablesFrom: 'json', variables_json: '{}' });
	expect(sent()[0]).not.toHaveProperty('variables');
});

test('the download of an unfinished render is an error with advice to wait', async () => {
	service.control.holdJobs(true);
	const { render_id } = await aRender(service);
	const { error } = await runNode(service, 'VideoGenComposition', {
		...{ operation: 'download', render_id: byId(render_id), binaryPropertyName: 'data' },
	});
	service.control.holdJobs(false);
	expect(error?.message).toContain(`render ${render_id} has no file: its video_url is empty`);
	expect(error?.description).toContain('Wait until it is completed');
});

test('the list of renders shows all pages and can be searched by title', async () => {
	for (const title of ['One', 'Two', 'Three']) await aRender(service, { title });
	const search = async (filter?: string) =>
		(await readWholeList(service, 'VideoGenComposition', 'searchRenders', { filter }))
			.map(({ name }) => name)
			.sort();
	expect(await search()).toEqual(
		['One', 'Three', 'Two'].map((title) => `${title} (completed, 1080p, 16:9)`),
	);
	expect(await search('thr')).toEqual(['Three (completed, 1080p, 16:9)']);
});
