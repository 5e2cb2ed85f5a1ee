/** The stop button ends all waits, and the log shows the jobs that continue in the service. */
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject } from 'n8n-workflow';
import { avatar, items } from '../support/calls';
import { clock } from '../support/core';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';
import { runAfter, withVirtualTime, waitFor } from '../support/time';

const service = useService();

afterEach(() => jest.restoreAllMocks());

test('the stop button ends all waits, and no further request is sent', async () => {
	service.control.holdJobs(true);
	await withVirtualTime(service, async () => {
		const begun = clock.now();
		await runNode(
			service,
			'VideoGenVideo',
			avatar({ waitForCompletion: true, options: { pollInterval: 30 } }),
			{ items: items(3), onStart: (stop) => runAfter(100, stop) },
		);
		expect(Math.round((clock.now() - begun) / 10_000)).toBe(10);
		const count = service.control.requests().length;
		expect(count).toBeGreaterThan(3);
		await clock.sleep(600_000);
		expect(service.control.requests()).toHaveLength(count);
	});
});

test('the jobs that exist when the stop comes are logged, because n8n discards the items', async () => {
	service.control.holdJobs(true);
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
	await withVirtualTime(service, async () => {
		await runNode(service, 'VideoGenVideo', avatar({ waitForCompletion: true }), {
			items: items(2),
			onStart: (stop) => runAfter(100, stop),
		});
	});
	const ids = (service.control.jobs('video') as IDataObject[]).map(({ id }) => String(id));
	expect(ids).toHaveLength(2);
	const [text, ...more] = warn.mock.calls.map(([line]) => String(line));
	expect(more).toEqual([]);
	expect(text).toMatch(/^Stopped\. These jobs exist and continue to run in the service: video /);
	for (const id of ids) expect(text).toContain(`video ${id}`);
});

test('a job whose response arrives after the stop is logged', async () => {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
	service.control.fail({ method: 'POST', path: '/v3/videos', delayMs: 600, times: 1 });
	await runNode(service, 'VideoGenVideo', avatar({ waitForCompletion: true }), {
		onStart: (stop) => runAfter(0.2, stop),
	});
	await waitFor(() => warn.mock.calls.length > 0);
	const [job] = service.control.jobs('video') as IDataObject[];
	expect(warn.mock.calls.map(([text]) => text)).toEqual([
		`Stopped. These jobs exist and continue to run in the service: video ${String(job?.id)}`,
	]);
});

test('a stream whose response arrives after the stop is logged, because no list shows it', async () => {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
	service.control.fail({ method: 'POST', path: '/v3/avatar-realtime', delayMs: 600, times: 1 });
	await runNode(
		service,
		'VideoGenRealtimeAvatar',
		{
			operation: 'create',
			avatar_id: byId('look_001_1'),
			type: 'tts',
			text: 'Hello',
			voice_id: byId('voice_001'),
			waitUntil: 'accepted',
		},
		{ onStart: (stop) => runAfter(0.2, stop) },
	);
	const [stream] = service.control.jobs('stream') as IDataObject[];
	expect(warn.mock.calls.map(([text]) => text)).toEqual([
		`Stopped. These jobs exist and continue to run in the service: realtime_stream ${String(stream?.id)}`,
	]);
});

test('a request that the stop button interrupts is logged with its possible result', async () => {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => undefined);
	service.control.fail({ method: 'POST', path: /speech$/, delayMs: 1000, times: 1 });
	await runNode(
		service,
		'VideoGenSpeech',
		{ operation: 'speak', voice_id: byId('voice_001'), text: 'Hello' },
		{ onStart: (stop) => runAfter(0.2, stop) },
	);
	expect(warn.mock.calls.map(([text]) => text)).toEqual([
		expect.stringMatching(/^Stopped while POST \/v3\/voices\/speech was in flight\. .*may/),
	]);
});
