/** Call Back This Execution: whom a create tells the service to call. */
import type { IDataObject } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const called = (path: string) =>
	service.control
		.requests({ method: 'POST', path })
		.map(({ body }) => (body as IDataObject).callback_url);

/** The engine of the tests runs without a public address. */
const addressOf = (execution: string) =>
	expect.stringMatching(
		new RegExp(`^http://127\\.0\\.0\\.1:1/webhook-waiting/${execution}/videogen\\?signature=\\w+$`),
	);

const here = { options: { callBackHere: true } };

test('each create of the run names the execution', async () => {
	const options = { items: items(2), executionId: 'one' };
	await runNode(service, 'VideoGenVideo', avatar(here), options);
	await runNode(service, 'VideoGenVideo', batch(here), options);
	await runNode(service, 'VideoGenAgent', session(here), { executionId: 'one' });
	expect(called('/v3/videos')).toEqual([addressOf('one'), addressOf('one')]);
	expect(called('/v3/videos/batches')).toEqual([addressOf('one')]);
	expect(called('/v3/video-agents')).toEqual([addressOf('one')]);
});

test('without it nobody is called, nor where the node waits by itself', async () => {
	await runNode(service, 'VideoGenVideo', avatar());
	await runNode(service, 'VideoGenVideo', avatar({ options: { callBackHere: false } }));
	await runNode(service, 'VideoGenVideo', avatar({ ...here, waitForCompletion: true }));
	expect(called('/v3/videos')).toEqual([undefined, undefined, undefined]);
});

test('items of a batch that differ in it go into batches of their own', async () => {
	const options = { callBackHere: '={{ $json.i === 0 }}' };
	await runNode(service, 'VideoGenVideo', batch({ options }), { items: items(3) });
	expect(called('/v3/videos/batches').sort()).toEqual([expect.any(String), undefined]);
});

test('the service calls one address: with a Callback URL of its own it is refused', async () => {
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ options: { callBackHere: true, callback_url: 'https://flows.example/done' } }),
	);
	expect(error?.message).toContain('cannot both be used');
	expect(called('/v3/videos')).toEqual([]);
});

test('the same request of another execution is the same request', async () => {
	const parameters = avatar({ options: { callBackHere: true, payOncePer: 'request' } });
	for (const executionId of ['one', 'two']) {
		await runNode(service, 'VideoGenVideo', parameters, { executionId });
	}
	expect(called('/v3/videos')).toEqual([addressOf('one'), addressOf('two')]);
	expect(service.control.jobs('video')).toHaveLength(1);
});
