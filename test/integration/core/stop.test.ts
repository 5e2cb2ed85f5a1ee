/** The stop button ends all waits, and the log shows the jobs that continue in the service. */
import { avatar, createCalls, readLog, speech, stream } from '../support/calls';
import { clock } from '../support/core';
import { runNode } from '../support/engine';
import { useService } from '../support/service';
import { runAfter, withVirtualTime, waitFor } from '../support/time';

const service = useService();
const { createVideos, jobs, failPosts } = createCalls(service);

afterEach(() => jest.restoreAllMocks());

const readWarnings = () => {
	const lines = readLog();
	return () => lines.filter((line) => line.startsWith('warn '));
};
const stillRunning = 'warn Stopped. These jobs exist and continue to run in the service: ';

test('the stop button ends all waits, logs their jobs, and no further request is sent', async () => {
	service.control.holdJobs(true);
	const warnings = readWarnings();
	await withVirtualTime(service, async () => {
		const form = { waitForCompletion: true, options: { pollInterval: 30 } };
		const begun = clock.now();
		await createVideos(3, form, { onStart: (stop) => runAfter(100, stop) });
		expect(Math.round((clock.now() - begun) / 10_000)).toBe(10);
		const count = service.control.requests().length;
		expect(count).toBeGreaterThan(3);
		await clock.sleep(600_000);
		expect(service.control.requests()).toHaveLength(count);
	});
	expect(jobs('video')).toHaveLength(3);
	// n8n discards the items.
	expect(warnings()).toEqual([expect.stringContaining(stillRunning)]);
	for (const { id } of jobs('video')) expect(warnings()[0]).toContain(`video ${id}`);
});

// No list shows a stream.
test.each([
	['VideoGenVideo', avatar({ waitForCompletion: true }), '/v3/videos', 'video', 'video'],
	['VideoGenRealtimeAvatar', stream(), '/v3/avatar-realtime', 'stream', 'realtime_stream'],
])('%s logs a job whose response arrives after the stop', async (...row) => {
	const [type, form, path, kind, name] = row;
	const warnings = readWarnings();
	failPosts(path, { delayMs: 600, times: 1 });
	await runNode(service, type, form, { onStart: (stop) => runAfter(0.2, stop) });
	await waitFor(() => warnings().length > 0);
	expect(warnings()).toEqual([`${stillRunning}${name} ${jobs(kind)[0]?.id}`]);
});

test('a request that the stop button interrupts is logged with its possible result', async () => {
	const warnings = readWarnings();
	failPosts(/speech$/, { delayMs: 1000, times: 1 });
	await runNode(service, 'VideoGenSpeech', speech(), { onStart: (stop) => runAfter(0.2, stop) });
	expect(warnings()).toEqual([
		expect.stringMatching(/^warn Stopped while POST \/v3\/voices\/speech was in flight\. .*may/),
	]);
});
