/** Call Back This Execution: the URL that a create sends to the service. */
import { join } from 'node:path';
import { createCalls } from '../support/calls';
import { addType, loadNodeType, nodesFolder } from '../support/engine';
import { loadInNewProcess } from '../support/newProcess';
import { useService } from '../support/service';

const service = useService();

// The option exists only in packages with VideoGen Wait for Job.
const names = ['VideoGenVideo', 'VideoGenAgent'];
const before = names.map((name) => [name, loadNodeType(name)] as const);
beforeAll(() => {
	const file = join(nodesFolder, 'core', 'form', 'waitNode.ts');
	const replace = { [file]: { waitNodeName: 'VideoGen Wait for Job' } };
	for (const name of names) addType(name, loadInNewProcess(name, replace));
});
afterAll(() => {
	for (const [name, type] of before) addType(name, type);
});

const { createVideos, createBatch, createSessions, bodies, jobs } = createCalls(service);

const callbackUrls = (path: string) => bodies(path).map((body) => body.callback_url);

/** Matches the resume URL of an execution: the test engine has no public URL. */
const resumeUrl = (execution: string) =>
	expect.stringMatching(
		new RegExp(`^http://127\\.0\\.0\\.1:1/webhook-waiting/${execution}/videogen\\?signature=\\w+$`),
	);

const here = { options: { callBackHere: true } };

test('each create sends the resume URL of the execution', async () => {
	const run = { executionId: 'one' };
	await createVideos(2, here, run);
	await createBatch(2, here, run);
	await createSessions(1, here, run);
	expect(callbackUrls('/v3/videos')).toEqual([resumeUrl('one'), resumeUrl('one')]);
	expect(callbackUrls('/v3/videos/batches')).toEqual([resumeUrl('one')]);
	expect(callbackUrls('/v3/video-agents')).toEqual([resumeUrl('one')]);
});

test('without the option, or if the node itself waits, no URL is sent', async () => {
	await createVideos(1);
	await createVideos(1, { options: { callBackHere: false } });
	await createVideos(1, { ...here, waitForCompletion: true });
	expect(callbackUrls('/v3/videos')).toEqual([undefined, undefined, undefined]);
});

test('is rejected together with a Callback URL, because the service calls only one URL', async () => {
	const callback_url = 'https://flows.example/done';
	const { error } = await createVideos(1, { options: { callBackHere: true, callback_url } });
	expect(error?.message).toContain('cannot both be used');
	expect(callbackUrls('/v3/videos')).toEqual([]);
});

test('the same request with another resume URL is still the same request', async () => {
	const form = { options: { callBackHere: true, payOncePer: 'request' } };
	for (const executionId of ['one', 'two']) await createVideos(1, form, { executionId });
	expect(callbackUrls('/v3/videos')).toEqual([resumeUrl('one'), resumeUrl('two')]);
	expect(jobs('video')).toHaveLength(1);
});
