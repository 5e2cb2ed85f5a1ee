/** Idempotency keys: the derived ones, and those of the user. */
import { Container } from '@n8n/di';
import { InstanceSettings } from 'n8n-core';
import { avatar, items } from '../support/calls';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

afterEach(() => jest.restoreAllMocks());

const received = (method: string, path: string | RegExp) =>
	service.control.requests({ method, path });

const key = (index = 0) =>
	received('POST', '/v3/videos')[index]?.headers['idempotency-key'] as string;

test("the user's own key is sent, and gives the same video in another execution", async () => {
	const parameters = avatar({ options: { idempotencyKey: 'order-1042' } });
	const one = await runNode(service, 'VideoGenVideo', parameters);
	const two = await runNode(service, 'VideoGenVideo', parameters);
	expect(key()).toBe('order-1042');
	expect(two.items[0]?.json.video_id).toBe(one.items[0]?.json.video_id);
	expect(service.control.jobs('video')).toHaveLength(1);
});

test('the derived key differs by execution, item and body, and not by try', async () => {
	await runNode(service, 'VideoGenVideo', avatar(), { items: items(2), executionId: 'a' });
	await runNode(service, 'VideoGenVideo', avatar(), { items: items(1), executionId: 'b' });
	await runNode(service, 'VideoGenVideo', avatar(), { items: items(1), executionId: 'a' });
	expect(new Set([key(0), key(1), key(2)]).size).toBe(3);
	expect(key(3)).toBe(key(0));
});

test('the derived key differs by installation and workflow too: all count their executions from 1', async () => {
	const run = async (more: object = {}) =>
		await runNode(service, 'VideoGenVideo', avatar(), { executionId: 'c', ...more });
	await run();
	await run();
	await run({ workflowId: 'another' });
	const settings = Container.get(InstanceSettings);
	jest.replaceProperty(settings, 'instanceId', 'another n8n');
	await run();
	expect(key(1)).toBe(key(0));
	expect(new Set([key(0), key(2), key(3)]).size).toBe(3);
});

test('one key for two items is refused before anything is sent', async () => {
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ options: { idempotencyKey: 'order-1042' } }),
		{ items: items(2) },
	);
	expect(error?.message).toMatch(/"Own Key" is "order-1042" for item 0 too.*\[item 1\]/);
	expect(service.control.requests()).toHaveLength(0);
});

test('one key for two paths is fine: the service tells them apart', async () => {
	const { error } = await runNode(
		service,
		'VideoGenTemplate',
		{
			operation: 'generate',
			template_id: byId('={{ "template_00" + ($json.i + 1) }}'),
			variablesFrom: 'json',
			variables_json: '={{ {} }}',
			waitForCompletion: false,
			options: { idempotencyKey: 'order-1042' },
		},
		{ items: items(2) },
	);
	// The simulator may want variables; what counts is that both were sent.
	expect(error?.message ?? '').not.toContain('Idempotency Key');
	const keys = received('POST', /^\/v3\/templates\//).map((r) => r.headers['idempotency-key']);
	expect(keys).toEqual(['order-1042', 'order-1042']);
});
