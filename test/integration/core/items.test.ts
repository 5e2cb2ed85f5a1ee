/** Several items: their order, their number on the way, and what is told of the others. */
import type { IDataObject } from 'n8n-workflow';
import { avatar, items } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

test('order is kept, and no more requests are on their way than allowed', async () => {
	service.control.fail({ method: 'GET', path: /videos/, delayMs: 60 });
	const ids = ['video_003', 'video_001', 'video_002', 'video_001', 'video_003', 'video_002'];
	const { items: out } = await runNode(
		service,
		'VideoGenVideo',
		{ operation: 'get', video_id: byId('={{ $json.id }}'), options: { requestsAtOnce: 2 } },
		{ items: ids.map((id) => ({ json: { id } })) },
	);
	expect(out.map(({ json }) => json.id)).toEqual(ids);
	const at = received('GET', /videos/).map((request) => request.at);
	// Six of 60 ms, two at a time: three rounds.
	expect(Math.max(...at) - Math.min(...at)).toBeGreaterThan(0.1);
});

test('when one fails, nothing new is sent and the error names every job that exists', async () => {
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		avatar({
			voice_id: byId('={{ $json.i === 2 ? "no-such-voice" : "voice_001" }}'),
			options: { requestsAtOnce: 1 },
		}),
		{ items: items(6) },
	);
	const jobs = service.control.jobs('video') as IDataObject[];
	expect(jobs).toHaveLength(2);
	expect(error?.message).toContain('[item 2]');
	for (const [item, job] of jobs.entries()) {
		expect(error?.description).toContain(`item ${item}: video ${String(job.id)}`);
	}
	expect((error?.context?.details as IDataObject).started).toEqual(
		jobs.map(({ id }, item) => ({ item, kind: 'video', id })),
	);
});

test.each([
	[
		'a single item is not counted',
		1,
		/^"Script" must have at most 5,000 characters, but has 5,001$/,
	],
	['one of several is named', 2, /^"Script" must have .* but has 5,001 \[item 0\]$/],
])('the error of an item: %s', async (_, count, message) => {
	const { error } = await runNode(service, 'VideoGenVideo', avatar({ script: 'x'.repeat(5001) }), {
		items: items(count),
	});
	expect(error?.message).toMatch(message);
	expect(error?.context?.itemIndex).toBe(0);
});

test('what several items cost is told in the output pane', async () => {
	const { run } = await runNode(service, 'VideoGenVideo', avatar(), { items: items(2) });
	const ids = (service.control.jobs('video') as IDataObject[]).map(({ id }) => String(id));
	const [hint] = run.data.resultData.runData.Node?.[0]?.hints ?? [];
	expect(hint?.message).toContain('This run made 2 results, and each is charged');
	for (const id of ids) expect(hint?.message).toContain(id);
	const one = await runNode(service, 'VideoGenVideo', avatar());
	expect(one.run.data.resultData.runData.Node?.[0]?.hints ?? []).toEqual([]);
});

test('a row comes out, also where the service answers with an empty list', async () => {
	service.control.fail({ path: '/v3/videos/video_002', status: 200, body: { data: [] } });
	const { items: out } = await runNode(
		service,
		'VideoGenVideo',
		{ operation: 'get', video_id: byId('={{ $json.id }}') },
		{ items: ['video_001', 'video_002', 'video_003'].map((id) => ({ json: { id } })) },
	);
	expect(out.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
	expect(out[1]?.json).toMatchObject({ value: [], video_id: 'video_002' });
});
