/** Items have one format for times, and no value under two keys. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { avatar, batch, createCalls, items, session } from '../support/calls';
import { byId, runForItems } from '../support/engine';
import { useService } from '../support/service';

const service = useService({ jobSeconds: 60 });
const { waitForJobs } = createCalls(service);

const run = async (type: string, parameters: INodeParameters, count = 1) =>
	(await runForItems(service, type, parameters, { items: items(count) })).map(({ json }) => json);

/** All times of an item, at any depth. */
const findTimes = (value: unknown): unknown[] =>
	value === null || typeof value !== 'object'
		? []
		: Object.entries(value).flatMap(([key, inner]) =>
				key.endsWith('_at') ? [inner] : findTimes(inner),
			);

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isText = (time: unknown) => time === null || iso.test(String(time));
const waiting = { waitForCompletion: true };
const aVideo = { operation: 'get', video_id: byId('video_001') };

const outputs: Array<[string, () => Promise<IDataObject[]>]> = [
	['Create', async () => await run('VideoGenVideo', avatar(waiting))],
	['Create without waiting', async () => await run('VideoGenAgent', session())],
	['Create with a video in its result', async () => await run('VideoGenAgent', session(waiting))],
	['Create Batch', async () => await run('VideoGenVideo', batch(waiting), 2)],
	['Get', async () => await run('VideoGenVideo', aVideo)],
	['Get Many', async () => await run('VideoGenVideo', { operation: 'getMany', returnAll: true })],
	[
		'VideoGen Job Status',
		async () => {
			const created = await runForItems(service, 'VideoGenVideo', avatar());
			service.control.clock.advance(200);
			return (await waitForJobs(created)).items.map(({ json }) => json);
		},
	],
];

describe.each(outputs)('%s', (_, read) => {
	test('has times as ISO 8601 text', async () => {
		const all = await read();
		expect(all.length).toBeGreaterThan(0);
		expect(findTimes(all).filter((time) => !isText(time))).toEqual([]);
	});

	test('names its ID once', async () => {
		for (const json of await read()) {
			expect(json).not.toHaveProperty('id');
			expect(Object.keys(json).filter((key) => key.endsWith('_id'))).not.toEqual([]);
		}
	});
});

test('with Simplify off, a list has the times and IDs of the service', async () => {
	const parameters = { operation: 'getMany', returnAll: true, simple: false };
	for (const json of await run('VideoGenVideo', parameters)) {
		expect(json.created_at).toEqual(expect.any(Number));
		expect(json.id).toBe(json.video_id);
	}
});

test('times of the row stay as they are', async () => {
	const row = { created_at: 1_769_850_000, due_at: 1_769_850_000 };
	const [created] = await runForItems(service, 'VideoGenVideo', avatar());
	service.control.clock.advance(200);
	const parameters = {
		...{ jobs: 'id', kind: 'video', job_id: '={{ $json.video }}' },
		options: { includeInputFields: true },
	};
	const input = [{ json: { ...row, video: created?.json.video_id } }];
	const [item] = (await waitForJobs(input, parameters)).items;
	expect(item?.json).toMatchObject({ due_at: row.due_at, input: { created_at: row.created_at } });
	expect(item?.json.created_at).toMatch(iso);
});

test('Created After and Created Before find videos by the times of items', async () => {
	const [made] = await run('VideoGenVideo', avatar(waiting));
	const at = String(made?.created_at);
	const found = await run('VideoGenVideo', {
		operation: 'getMany',
		returnAll: true,
		options: { createdAfter: at, createdBefore: at },
	});
	expect(found.map(({ video_id }) => video_id)).toEqual([made?.video_id]);
});
