/** Several items: their order, how many are in flight, and what is reported about the others. */
import { createServer } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { createCalls, expectOnePerItem, getValues, getVideo } from '../support/calls';
import { byId, runNode, type Service } from '../support/engine';
import { useServers } from '../support/servers';
import { useService } from '../support/service';

const service = useService();
const listening = useServers();
const { createVideos, jobs } = createCalls(service);

const getVideos = async (ids: string[], options: INodeParameters = {}, from: Service = service) =>
	await runNode(from, 'VideoGenVideo', getVideo('={{ $json.id }}', { options }), {
		items: ids.map((id) => ({ json: { id } })),
	});

test('items keep their order, and no more requests are in flight than allowed', async () => {
	let inFlight = 0;
	let most = 0;
	const server = createServer(({ url = '' }, response) => {
		most = Math.max(most, ++inFlight);
		const id = url.split('/').at(-1);
		const respond = () => {
			inFlight--;
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify({ data: { id } }));
		};
		// The first item has its response last.
		setTimeout(respond, id === 'first' ? 60 : 5);
	});
	const slow = { baseUrl: await listening(server), apiKey: 'any' };
	const ids = ['first', 'b', 'c', 'd', 'e', 'f'];
	const { items: out } = await getVideos(ids, { requestsAtOnce: 2 }, slow);
	expect(getValues(out, 'video_id')).toEqual(ids);
	expect(most).toBe(2);
});

test('when one item fails, no other is sent, and the error names every job that exists', async () => {
	const { error } = await createVideos(6, {
		voice_id: byId('={{ $json.i === 2 ? "no-such-voice" : "voice_001" }}'),
		options: { requestsAtOnce: 1 },
	});
	const started = jobs('video').map(({ id }, item) => ({ item, kind: 'video', id }));
	expect(started).toHaveLength(2);
	expect(error?.message).toContain('[row 3]');
	for (const { item, id } of started) {
		expect(error?.description).toContain(`row ${item + 1}: video ${id}`);
	}
	expect(error?.context?.details).toMatchObject({ started });
});

test.each([
	['of a single item has no number', 1, /^"Script" must have at most 5,000 .* but has 5,001$/],
	['of several items has one', 2, /^"Script" must have .* but has 5,001 \[row 1\]$/],
])('the error %s', async (_, count, message) => {
	const { error } = await createVideos(count, { script: 'x'.repeat(5001) });
	expect(error?.message).toMatch(message);
	expect(error?.context?.itemIndex).toBe(0);
});

test('the output pane says what has happened to several items, and links to a single video', async () => {
	const hintsOf = ({ run }: Awaited<ReturnType<typeof createVideos>>) =>
		run.data.resultData.runData.Node?.[0]?.hints ?? [];
	const [hint] = hintsOf(await createVideos(2));
	expect(hint?.message).toBe(
		'2 still running. 2 were created by this run, and each is charged. If you run this node again, everything is created again and you are charged again. To read existing results, use Get or Get Many.',
	);
	expect(hintsOf(await createVideos(1))).toEqual([]);
	const [link, ...others] = hintsOf(await createVideos(1, { waitForCompletion: true }));
	expect(link).toMatchObject({ message: expect.stringContaining('Play the video') });
	expect(others).toEqual([]);
});

test('an item whose response is an empty list is output all the same', async () => {
	service.control.fail({ path: '/v3/videos/video_002', status: 200, body: { data: [] } });
	const { items: out } = await getVideos(['video_001', 'video_002', 'video_003']);
	expectOnePerItem(out, 3);
	expect(out[1]?.json).toMatchObject({ value: [], video_id: 'video_002' });
});
