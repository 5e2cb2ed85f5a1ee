/** The item and the files of a job that has ended. */
import type { IDataObject, IExecuteFunctions, INode, NodeError } from 'n8n-workflow';
import type { DownloadSource } from '../../../nodes/core/files/download';
import type { Client } from '../../../nodes/core/http/client';
import type { ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import {
	addResultFiles,
	downloadResultFiles,
	fetchBatchRowItem,
	type ResultFileDownload,
} from '../../../nodes/core/jobs/finishedItem';
import type { FinishedJob, JobKind, ResultFileType } from '../../../nodes/core/jobs/types';
import { videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

const n8n = {} as IExecuteFunctions;
const node = { name: 'Node' } as INode;
const batch = { kind: videoBatchJob, id: 'b1' };

/** Answers each status request with the next response, the last one again and again. */
function createClient(...responses: IDataObject[]) {
	const fetchData = jest.fn<Promise<IDataObject>, [ServiceRequest]>(async () => ({
		data: responses.length > 1 ? responses.shift() : responses[0],
	}));
	return { client: { node, fetchData } as unknown as Client, fetchData };
}

const getFailure = async (task: Promise<unknown>) =>
	await task.then(
		() => undefined,
		(error: NodeError) => [error.message, error.context.details],
	);

describe('a batch row', () => {
	test('has the status response of its job, its batch and its place', async () => {
		const { client, fetchData } = createClient({ id: 'v1', status: 'completed' });
		const row = { index: 2, entry: { video_id: 'v1', status: 'completed' } };
		const data = { id: 'v1', status: 'completed' };
		expect(await fetchBatchRowItem(client, batch, videoJob, row)).toStrictEqual({
			output: {
				json: {
					...{ video_id: 'v1', batch_id: 'b1', item_index: 2, ...data },
					job: { kind: 'video', id: 'v1' },
				},
			},
			result: { kind: videoJob, id: 'v1', data },
		});
		expect(fetchData.mock.calls[0]?.[0]).toMatchObject({ path: { video_id: 'v1' } });
	});

	test.each<[string, IDataObject | undefined, string, IDataObject]>([
		[
			'that failed',
			{ video_id: 'v1', status: 'failed', failure_code: 'lost' },
			'failed',
			{
				...{ code: 'lost', batch_id: 'b1', status: 'failed', outcome: 'failed' },
				job: { kind: 'video', id: 'v1' },
			},
		],
		[
			'that failed without a job',
			{ status: 'failed' },
			'failed',
			{
				...{ code: 'unknown', batch_id: 'b1', status: 'failed', outcome: 'failed' },
				job: { kind: 'video_batch', id: 'b1' },
			},
		],
		[
			'without an entry',
			undefined,
			'returned nothing',
			{
				...{ code: 'unknown_row', batch_id: 'b1', outcome: 'unknown' },
				job: { kind: 'video_batch', id: 'b1' },
			},
		],
		[
			'whose entry shows no job',
			{ status: 'completed' },
			'returned nothing',
			{
				...{ code: 'unknown_row', batch_id: 'b1', outcome: 'unknown' },
				job: { kind: 'video_batch', id: 'b1' },
			},
		],
	])('%s is an error', async (_, entry, message, details) => {
		const { client, fetchData } = createClient({});
		const row = { index: 0, entry };
		const failure = await getFailure(fetchBatchRowItem(client, batch, videoJob, row));
		expect(failure).toStrictEqual([expect.stringContaining(message), details]);
		expect(fetchData).not.toHaveBeenCalled();
	});

	test('that is still running is an error with its job', async () => {
		const { client } = createClient({ status: 'processing' });
		const row = { index: 0, entry: { status: 'processing', video_id: 'v1' } };
		const failure = await getFailure(fetchBatchRowItem(client, batch, videoJob, row));
		expect(failure).toStrictEqual([
			expect.stringContaining('not finished, although its batch has ended'),
			{
				...{ code: 'wait_timeout', batch_id: 'b1', status: 'processing', outcome: 'running' },
				job: { kind: 'video', id: 'v1' },
			},
		]);
	});
});

const createFile = (value: string): ResultFileType => ({
	...{ value, name: value, description: '', key: `${value}_url` },
	...{ extension: 'bin', mimeType: 'application/x' },
});
const [video, poster] = ['video', 'poster'].map(createFile) as [ResultFileType, ResultFileType];

/** Requests the URL of each file `attempts` times, and returns its source instead of the file. */
const createDownload = (attempts = 1) =>
	(async (_n8n: unknown, _client: unknown, getSource: () => Promise<DownloadSource>) => {
		let source = await getSource();
		for (let i = 1; i < attempts; i++) source = await getSource();
		return source;
	}) as unknown as ResultFileDownload['download'];

const kind: JobKind = {
	...{ name: 'clip_set', id: 'set_id', read: 'GET /sets/{set_id}' },
	...{ completed: ['completed'], failed: ['failed'], files: [video, poster] },
};
const choice = { files: [video, poster], field: 'data', download: createDownload() };

describe('files', () => {
	const find: ResultFileDownload['find'] = ({ url, json }, { value }) => ({
		...{
			url: `${String(url)}/${value}`,
			mimeType: 'm',
			extension: 'e',
			name: { id: 'x', kind: 'k' },
		},
		...(json === undefined ? {} : { json: json as IDataObject }),
	});
	const download = async (client: Client, more: object, data?: IDataObject) =>
		await downloadResultFiles(n8n, client, { kind, id: 's1', data }, { ...choice, find, ...more });

	test('are in the given field and in fields of their own, with one status request', async () => {
		const { client, fetchData } = createClient({ url: 'https://a.example' });
		const name = { id: 'x', kind: 'k', fileName: 'Mine', isShared: true };
		const { binary, json } = await download(client, { fileName: 'Mine', isShared: true });
		const type = { mimeType: 'm', extension: 'e' };
		expect(binary).toStrictEqual({
			data: { ...type, url: 'https://a.example/video', name: { ...name, isFirst: true } },
			poster: { ...type, url: 'https://a.example/poster', name: { ...name, isFirst: false } },
		});
		expect(json).toStrictEqual({ url: 'https://a.example' });
		expect(fetchData).toHaveBeenCalledTimes(1);
	});

	test('come from the response that the caller has, and after a failure from new ones', async () => {
		const { client, fetchData } = createClient({ url: 'new' });
		const data = { url: 'old', json: { id: 1 } };
		const once = await download(client, {}, data);
		expect([once.binary.data, once.json]).toMatchObject([{ url: 'old/video' }, { id: 1 }]);
		expect(fetchData).not.toHaveBeenCalled();
		const twice = await download(client, { download: createDownload(2) }, data);
		expect(twice.binary).toMatchObject({
			data: { url: 'new/video' },
			poster: { url: 'new/poster' },
		});
		expect(fetchData).toHaveBeenCalledTimes(2);
	});

	test('are all kept if the field of the first has the name of another', async () => {
		const { client } = createClient({ url: 'a' });
		const { binary } = await download(client, { field: 'poster' });
		expect(binary).toMatchObject({ poster: { url: 'a/video' }, poster_2: { url: 'a/poster' } });
	});

	test.each<[IDataObject, IDataObject]>([
		[{}, {}],
		[{ status: 'processing' }, { status: 'processing' }],
	])('that are missing in %j are an error that names the job', async (response, status) => {
		const { client } = createClient(response);
		const missing = { find: () => ({ problem: 'No file', advice: 'Wait.' }) };
		expect(await getFailure(download(client, missing))).toStrictEqual([
			'No file',
			{ job: { kind: 'clip_set', id: 's1' }, ...status },
		]);
	});
});

describe('the item of a finished job', () => {
	const add = async (
		data: IDataObject,
		part?: { number: number; count: number },
		parts?: JobKind['parts'],
	) => {
		const result: FinishedJob = { kind: { ...kind, parts }, id: 's1', data };
		const output = { json: { id: 1 }, binary: { data: 'own', mine: 'own' } as never };
		const before = { data: 'input', mine: 'input', other: 'input' } as never;
		const finished = { output, result, part };
		return await addResultFiles(n8n, createClient().client, finished, choice, before);
	};
	const urls = { video_url: 'https://a.example/v', poster_url: 'https://a.example/p' };

	test('keeps the binary fields of its input item, unless a file has the same field', async () => {
		const { json, binary } = await add(urls);
		expect(json).toStrictEqual({ id: 1 });
		expect(binary).toMatchObject({
			...{ mine: 'own', other: 'input' },
			data: { url: urls.video_url, name: { id: 's1' } },
			poster: { url: urls.poster_url },
		});
	});

	test.each([
		['failed', {}, 'own'],
		['completed', { id: 'c2' }, 'c2'],
		['completed', {}, 's1_2'],
	])('has the files of its part, which %s, named after %j', async (status, id, expected) => {
		const data = { clips: [{ status: 'failed' }, { status, ...id, ...urls }] };
		const { binary } = await add(data, { number: 1, count: 2 }, 'clips');
		const file = binary?.data as unknown;
		expect(status === 'failed' ? file : (file as DownloadSource).name.id).toBe(expected);
	});

	test('has no files without a job, or if none is selected', async () => {
		const { client } = createClient();
		const output = { json: {} };
		expect(await addResultFiles(n8n, client, { output }, choice)).toBe(output);
		const result = { kind, id: 's1', data: urls };
		expect(await addResultFiles(n8n, client, { output, result }, { ...choice, files: [] })).toBe(
			output,
		);
	});
});
