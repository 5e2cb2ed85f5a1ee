/** `npm run record`, against the simulator. */
import { readdirSync, readFileSync } from 'node:fs';
import { startSimulator, type Simulator } from '../../simulator';
import {
	listProblems,
	readRecordings,
	record,
	recordingsFolder,
	removePrivateValues,
} from '../../tools/record';
import { projectRoot } from '../../tools/install';
import { useFolder, useProcesses } from './support';

const at = useFolder();
const startProcess = useProcesses();
let service: Simulator;
beforeEach(async () => {
	service = await startSimulator();
});
afterEach(async () => await service.close());

test('reads every list and its first row, and creates only a glossary, which it deletes', async () => {
	const recordings = await record(service.baseUrl, service.apiKey);
	expect(recordings.length).toBeGreaterThan(35);
	expect(listProblems(recordings)).toEqual([]);
	const written = service.control
		.requests()
		.filter(({ method, status }) => method !== 'GET' && (status ?? 0) < 300);
	expect(written.map(({ method, path }) => `${method} ${path}`)).toEqual([
		'POST /v3/brand-glossaries',
		expect.stringMatching(/^DELETE \/v3\/brand-glossaries\/glossary_/),
	]);
	const lines = recordings.map(({ line }) => line);
	expect(lines).toEqual(
		expect.arrayContaining(['GET /v3/videos/{video_id}/scenes', 'GET /v3/avatars/looks/{look_id}']),
	);
	expect(new Set(lines).size).toBe(lines.length);
});

test('a response that is not as described is reported', async () => {
	service.control.fail({ path: '/v3/videos', method: 'GET', data: { status: 'melted' } });
	const problems = listProblems(await record(service.baseUrl, service.apiKey));
	expect(problems).toEqual([expect.stringContaining('GET /v3/videos: data.0.status')]);
});

test('keeps keys, types and states, and no other text', () => {
	const value = {
		status: 'completed',
		title: 'For our board',
		email: 'robin@studio.example',
		secret: 'whsec_1',
		type: 'see you at noon',
		video_url: 'https://files.example/a.mp4?signature=1',
		created_at: '2026-05-04T03:02:01Z',
		remaining_balance: 17.3,
		count: 12,
		is_trash: false,
		error: null,
	};
	expect(removePrivateValues({ data: [value] })).toEqual({
		data: [
			{
				...value,
				title: 'text',
				email: 'text',
				secret: 'text',
				type: 'text',
				video_url: 'https://example.com/file',
				created_at: '2026-01-01T00:00:00Z',
				remaining_balance: 0.5,
				count: 1,
			},
		],
	});
});

test('the command stores recordings that contain neither the key nor texts of the account', async () => {
	const folder = at('recordings');
	process.env.VIDEOGEN_API_KEY = service.apiKey;
	const { child, output } = startProcess(
		['tools/bootstrap.js', 'tools/record.ts', '--url', service.baseUrl, '--folder', folder],
		{ cwd: projectRoot },
	);
	delete process.env.VIDEOGEN_API_KEY;
	const status = await new Promise((resolve) => child.on('exit', resolve));
	expect([status, output()]).toEqual([0, expect.stringContaining(', 0 of them not as described')]);
	const names = readdirSync(folder);
	expect(names).toContain('get-v3-users-me.json');
	const text = names.map((name) => readFileSync(at('recordings', name), 'utf8')).join('');
	for (const secret of [service.apiKey, 'demo@studio.example', 'Robin', service.baseUrl]) {
		expect(text).not.toContain(secret);
	}
	expect(listProblems(readRecordings(folder))).toEqual([]);
});

test('the recordings of the service are as described', () => {
	expect(listProblems(readRecordings(recordingsFolder))).toEqual([]);
});
