/**
 * With Retry On Fail, n8n runs a node again if the `error` of its first item has any value, even an
 * empty text or 0. A reply may carry such an `error` next to the ID of a job that exists.
 */
import { createCalls, getValues, retryOnFail } from '../support/calls';
import { useService } from '../support/service';

const service = useService();
const { createSessions, createVideos, jobs, posts } = createCalls(service);

const creates = [
	['session', '/v3/video-agents', 'session_id', createSessions],
	['video', '/v3/videos', 'video_id', createVideos],
] as const;

describe.each(creates)('the reply to a create request of a %s', (kind, path, id, create) => {
	test.each([
		['an empty text', ''],
		['0', 0],
		['NaN, which is null in JSON', NaN],
		['null', null],
		['false', false],
		['an empty object', {}],
	])('has %s as its error: two items make two jobs', async (_, error) => {
		service.control.fail({ method: 'POST', path, data: { error } });
		const { items: out, error: runError } = await createSentItems();
		expect(runError).toBeUndefined();
		expect(jobs(kind)).toHaveLength(2);
		expect(new Set(getValues(out, id)).size).toBe(2);
		// Only the first attempt sends them, with or without an idempotency key.
		expect(posts(path)).toHaveLength(2);
	});

	const createSentItems = async () => await create(2, {}, { node: retryOnFail });
});
