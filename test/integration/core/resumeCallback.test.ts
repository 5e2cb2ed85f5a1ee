/** Call Back This Execution: the URL that a create sends to the service. */
import type { IDataObject } from 'n8n-workflow';
import { avatar, batch, items, session } from '../support/calls';
import { runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService();

const callbackUrls = (path: string) =>
	service.control
		.requests({ method: 'POST', path })
		.map(({ body }) => (body as IDataObject).callback_url);

/** Matches the resume URL of an execution: the test engine has no public URL. */
const expectResumeUrl = (execution: string) =>
	expect.stringMatching(
		new RegExp(`^http://127\\.0\\.0\\.1:1/webhook-waiting/${execution}/videogen\\?signature=\\w+$`),
	);

const here = { options: { callBackHere: true } };

test('each create sends the resume URL of the execution', async () => {
	const options = { items: items(2), executionId: 'one' };
	await runNode(service, 'VideoGenVideo', avatar(here), options);
	await runNode(service, 'VideoGenVideo', batch(here), options);
	await runNode(service, 'VideoGenAgent', session(here), { executionId: 'one' });
	expect(callbackUrls('/v3/videos')).toEqual([expectResumeUrl('one'), expectResumeUrl('one')]);
	expect(callbackUrls('/v3/videos/batches')).toEqual([expectResumeUrl('one')]);
	expect(callbackUrls('/v3/video-agents')).toEqual([expectResumeUrl('one')]);
});

test('without the option, or if the node itself waits, no URL is sent', async () => {
	await runNode(service, 'VideoGenVideo', avatar());
	await runNode(service, 'VideoGenVideo', avatar({ options: { callBackHere: false } }));
	await runNode(service, 'VideoGenVideo', avatar({ ...here, waitForCompletion: true }));
	expect(callbackUrls('/v3/videos')).toEqual([undefined, undefined, undefined]);
});

test('is refused together with a Callback URL, because the service calls only one URL', async () => {
	const { error } = await runNode(
		service,
		'VideoGenVideo',
		avatar({ options: { callBackHere: true, callback_url: 'https://flows.example/done' } }),
	);
	expect(error?.message).toContain('cannot both be used');
	expect(callbackUrls('/v3/videos')).toEqual([]);
});

test('the same request with another resume URL is still the same request', async () => {
	const parameters = avatar({ options: { callBackHere: true, payOncePer: 'request' } });
	for (const executionId of ['one', 'two']) {
		await runNode(service, 'VideoGenVideo', parameters, { executionId });
	}
	expect(callbackUrls('/v3/videos')).toEqual([expectResumeUrl('one'), expectResumeUrl('two')]);
	expect(service.control.jobs('video')).toHaveLength(1);
});
