/** A service that accepts fewer requests than the node could send. */
import type { NodeExecutionHint } from 'n8n-workflow';
import { avatar, items } from '../support/calls';
import { byId, runNode, type Result } from '../support/engine';
import { useService } from '../support/service';

const service = useService({ requestsPerSecond: 10 });

const readHints = ({ run }: Result): NodeExecutionHint[] =>
	run.data.resultData.runData.Node?.[0]?.hints ?? [];
const get = { operation: 'get', video_id: byId('video_001') };

test('sends all items at the rate of the service, loses none, and shows a hint', async () => {
	const result = await runNode(service, 'VideoGenVideo', avatar(), { items: items(60) });
	expect(result.error).toBeUndefined();
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(
		items(60).map((_, item) => ({ item })),
	);
	expect(service.control.jobs('video')).toHaveLength(60);
	const [hint, ...more] = readHints(result).filter(({ message }) => message.includes('requests'));
	expect(more).toEqual([]);
	expect(hint?.message).toMatch(/Rate limited to about \d+(\.\d)? requests per second/);
	expect(hint?.location).toBe('outputPane');
});

test('the next execution for the account starts with the same rate', async () => {
	await runNode(service, 'VideoGenVideo', get, { items: items(30) });
	const before = service.control.requests().length;
	await runNode(service, 'VideoGenVideo', get, { items: items(20) });
	const sent = service.control.requests().slice(before);
	const refused = sent.filter(({ status }) => status === 429).length;
	// Without the earlier rate, the service would refuse all but ten requests of a burst.
	expect(refused).toBeLessThan(5);
});
