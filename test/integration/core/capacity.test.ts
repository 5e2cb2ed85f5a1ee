/** An account that runs as many jobs as it may: its creates wait, and each is sent once. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createCalls } from '../support/calls';
import { useService } from '../support/service';

const service = useService({ jobSeconds: 60 });
const { createVideos, createSessions, posts, jobs } = createCalls(service);

const setCapacity = (jobsAtOnce: number, capacityRetryAfter: number | null) =>
	service.control.setWorkspace({ jobsAtOnce, capacityRetryAfter });

/** Creates sent, and those that the service accepted. */
function countCreates(path: string) {
	const all = posts(path);
	return { sent: all.length, accepted: all.filter(({ status }) => status === 200).length };
}

describe.each([
	['without Retry-After', null],
	['with Retry-After 1', 1],
	['with Retry-After 30', 30],
])('%s', (_, retryAfter) => {
	test.each([true, false])('200 videos are all made, waiting for completion: %s', async (wait) => {
		setCapacity(10, retryAfter);
		const { items, hints } = await createVideos(200, { waitForCompletion: wait });
		expect(items).toHaveLength(200);
		expect(new Set(items.map(({ json }) => json.video_id)).size).toBe(200);
		const { sent, accepted } = countCreates('/v3/videos');
		expect(accepted).toBe(200);
		console.log(retryAfter, wait, sent, hints);
		expect(sent).toBeLessThan(240);
	});
});
