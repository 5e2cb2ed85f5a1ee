/** Idempotency keys: derived ones, and those of the user. */
import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';
import { createCalls, items, retryOnFail } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, failPosts, keys } = createCalls(service);

const settings = Container.get(InstanceSettings);
const { instanceId } = settings;
afterEach(() => void (settings.instanceId = instanceId));

test('a derived key differs by item and execution, and has a number after a rejection', async () => {
	failPosts('/v3/videos', { status: 402, times: 2 });
	await createVideos(2, { options: { requestsAtOnce: 1 } }, { node: retryOnFail });
	await createVideos(1);
	const [first, second, third, fourth, other] = keys('/v3/videos');
	expect([second, third]).toEqual([`${first}:again:1`, `${first}:again:2`]);
	expect(new Set([first, fourth, other]).size).toBe(3);
});

test('a key per same request differs by installation, workflow and item, and not by execution', async () => {
	const options = { payOncePer: 'request' };
	await createVideos(2, { options });
	await createVideos(1, { options });
	await createVideos(1, { options }, { workflowId: 'another' });
	settings.instanceId = 'another n8n';
	await createVideos(1, { options });
	const [first, , again] = keys('/v3/videos');
	expect(keys('/v3/videos')).toHaveLength(5);
	expect(new Set(keys('/v3/videos')).size).toBe(4);
	expect(again).toBe(first);
});

test('one key for two items is rejected before anything is sent', async () => {
	const { error } = await createVideos(2, { options: { idempotencyKey: 'order-1042' } });
	expect(error?.message).toMatch(/"Custom Key" is also "order-1042" for row 1.*\[row 2\]/);
	expect(service.control.requests()).toHaveLength(0);
});

test('one key for two paths is sent for both: the service tells them apart', async () => {
	const form = {
		operation: 'generate',
		template_id: byId('={{ "template_00" + ($json.i + 1) }}'),
		variablesFrom: 'json',
		variables_json: '={{ {} }}',
		waitForCompletion: false,
		options: { idempotencyKey: 'order-1042' },
	};
	await runNode(service, 'VideoGenTemplate', form, { items: items(2) });
	expect(keys(/^\/v3\/templates\//)).toEqual(['order-1042', 'order-1042']);
});
