/** Idempotency keys: derived ones, and those of the user. */
import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';
import { createCalls, items } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();
const { createVideos, keys } = createCalls(service);

afterEach(() => jest.restoreAllMocks());

test('a derived key differs by installation, workflow, execution and item, and not by attempt', async () => {
	await createVideos(2, {}, { executionId: 'a' });
	await createVideos(1, {}, { executionId: 'b' });
	await createVideos(1, {}, { executionId: 'a', workflowId: 'another' });
	await createVideos(1, {}, { executionId: 'a' });
	jest.replaceProperty(Container.get(InstanceSettings), 'instanceId', 'another n8n');
	await createVideos(1, {}, { executionId: 'a' });
	const [first, , , , again] = keys('/v3/videos');
	expect(keys('/v3/videos')).toHaveLength(6);
	expect(new Set(keys('/v3/videos')).size).toBe(5);
	expect(again).toBe(first);
});

test('one key for two items is refused before anything is sent', async () => {
	const { error } = await createVideos(2, { options: { idempotencyKey: 'order-1042' } });
	expect(error?.message).toMatch(/"Own Key" is "order-1042" for item 0 too.*\[item 1\]/);
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
