/** Runs the commands of the documents that start the simulator, on a free port. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../tools/install';

let running: ChildProcess | undefined;
afterEach(() => running?.kill('SIGKILL'));

const defaultTunnel = 'http://127.0.0.1:5678';

/** Starts the command on a free port; returns what it prints. */
async function start(command: string): Promise<string> {
	const options = command.replace(/^npm run simulator( -- )?|^npx videogen-simulator /, '');
	const args = ['--import', require.resolve('tsx'), 'simulator/main.ts', ...options.split(' ')];
	running = spawn(process.execPath, [...args.filter(Boolean), '--port', '0'], {
		cwd: projectRoot,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let output = '';
	running.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
	for (let i = 0; i < 500 && !output.includes('Stop with Ctrl-C'); i++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return output;
}

const readBaseUrl = (output: string) => /Base URL +(\S+)/.exec(output)?.[1] ?? '';

test.each([
	['npm run simulator', defaultTunnel],
	['npm run simulator -- --port 4010 --seconds 20', defaultTunnel],
	[
		'npm run simulator -- --tunnel https://flows.example=http://127.0.0.1:5679',
		'http://127.0.0.1:5679',
	],
])('%s: the service accepts the printed key, and stops on Ctrl-C', async (command, tunnel) => {
	const output = await start(command);
	expect(output).toContain('A job takes 20 seconds.');
	expect(output).toContain(`https://flows.example is ${tunnel}\n`);
	const baseUrl = readBaseUrl(output);
	const [, key = ''] = /API key +(\S+)/.exec(output) ?? [];
	const response = await fetch(`${baseUrl}/v3/videos`, { headers: { 'x-api-key': key } });
	expect(response.status).toBe(200);

	const exit = once(running!, 'exit');
	running?.kill('SIGINT');
	expect(await exit).toEqual([0, null]);
});

test.each(['npx videogen-simulator --key my-key', 'npm run simulator -- --key my-key'])(
	'%s: the requests of the page of the simulator do what it says',
	async (command) => {
		const baseUrl = readBaseUrl(await start(command));
		const page = readFileSync(join(projectRoot, 'simulator', 'README.md'), 'utf8');
		const blocks = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block);
		const folder = mkdtempSync(join(tmpdir(), 'videogen-simulator-'));
		try {
			const script = blocks.join('echo; echo ---\n').replaceAll('http://127.0.0.1:4010', baseUrl);
			const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder });
			const outputs = stdout.split('---\n');
			expect(outputs).toEqual([
				expect.stringContaining('"username"'),
				expect.any(String),
				expect.stringContaining('"now"'),
				expect.any(String),
				expect.stringMatching(/429[^]*retry-after: 5[^]*rate_limit_exceeded/i),
				expect.stringMatching(/"error":.*advnace/),
			]);
			const video = readFileSync(join(folder, 'video.mp4'));
			expect(video.toString('latin1', 4, 8)).toBe('ftyp');
		} finally {
			rmSync(folder, { recursive: true });
		}
	},
);

test.each([
	[['--host', '203.0.113.7'], 'no address of this machine'],
	[['--key', 'two words'], 'spaces or special characters'],
	[['--url', 'simulator:4010'], 'an http or https URL'],
])('%s ends with an error that explains it', async (options, message) => {
	const args = ['--import', require.resolve('tsx'), 'simulator/main.ts', '--port', '0'];
	const child = promisify(execFile)(process.execPath, [...args, ...options], { cwd: projectRoot });
	await expect(child).rejects.toMatchObject({ stderr: expect.stringContaining(message) });
});
