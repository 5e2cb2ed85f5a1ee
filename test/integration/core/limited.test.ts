/** A service that accepts fewer requests than the node could send. */
import { createCalls, expectOnePerItem, getVideo, items } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService({ requestsPerSecond: 10 });
const { createVideos, jobs } = createCalls(service);

test('sends all items at the rate of the service, loses none, and shows a hint', async () => {
	const { error, items: out, run } = await createVideos(60);
	expect(error).toBeUndefined();
	expectOnePerItem(out, 60);
	expect(jobs('video')).toHaveLength(60);
	const hints = run.data.resultData.runData.Node?.[0]?.hints ?? [];
	expect(hints.filter(({ message }) => message.includes('requests'))).toEqual([
		expect.objectContaining({
			message: expect.stringMatching(/Rate limited to about \d+(\.\d)? requests per second/),
			location: 'outputPane',
		}),
	]);
});

test('the next execution for the account starts with the same rate', async () => {
	await runNode(service, 'VideoGenVideo', getVideo('video_001'), { items: items(30) });
	const before = service.control.requests().length;
	await runNode(service, 'VideoGenVideo', getVideo('video_001'), { items: items(20) });
	const sent = service.control.requests().slice(before);
	// Without the earlier rate, the service would reject all but ten requests of a burst.
	expect(sent.filter(({ status }) => status === 429).length).toBeLessThan(5);
});
