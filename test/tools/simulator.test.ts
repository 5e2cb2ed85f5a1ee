/** Runs the commands of the documents that start the simulator, on a free port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectRoot } from '../../tools/install';

let running: ChildProcess | undefined;
afterEach(() => running?.kill('SIGKILL'));

const defaultTunnel = 'http://127.0.0.1:5678';

test.each([
	['npm run simulator', defaultTunnel],
	['npm run simulator -- --port 4010 --seconds 20', defaultTunnel],
	[
		'npm run simulator -- --tunnel https://flows.example=http://127.0.0.1:5679',
		'http://127.0.0.1:5679',
	],
])(
	'%s: the service accepts the printed key, and stops on Ctrl-C',
	async (command, tunnel) => {
		const [, options = ''] = command.split(' -- ');
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
		expect(output).toContain('A job takes 20 seconds.');
		expect(output).toContain(`https://flows.example is ${tunnel}\n`);
		const [, baseUrl = ''] = /Base URL +(\S+)/.exec(output) ?? [];
		const [, key = ''] = /API key +(\S+)/.exec(output) ?? [];
		const response = await fetch(`${baseUrl}/v3/videos`, { headers: { 'x-api-key': key } });
		expect(response.status).toBe(200);

		const exit = once(running, 'exit');
		running.kill('SIGINT');
		expect(await exit).toEqual([0, null]);
	},
	40_000,
);
