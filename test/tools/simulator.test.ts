/** The commands of the documents that start the simulator, word by word; only its port is a free one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectRoot } from '../../tools/install';

let running: ChildProcess | undefined;
afterEach(() => running?.kill('SIGKILL'));

test.each([
	['npm run simulator', { seconds: '20', tunnel: 'http://127.0.0.1:5678' }],
	[
		'npm run simulator -- --port 4010 --seconds 20',
		{ seconds: '20', tunnel: 'http://127.0.0.1:5678' },
	],
	[
		'npm run simulator -- --tunnel https://flows.example=http://127.0.0.1:5679',
		{ seconds: '20', tunnel: 'http://127.0.0.1:5679' },
	],
])(
	'%s: the service answers to the key that is printed',
	async (command, { seconds, tunnel }) => {
		const [, words = ''] = command.split(' -- ');
		const args = ['--import', require.resolve('tsx'), 'simulator/main.ts', ...words.split(' ')];
		running = spawn(process.execPath, [...args.filter(Boolean), '--port', '0'], {
			cwd: projectRoot,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let said = '';
		running.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
		for (let i = 0; i < 500 && !said.includes('Stop with Ctrl-C'); i++) {
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		expect(said).toContain(`A job takes ${seconds} seconds.`);
		expect(said).toContain(`https://flows.example is ${tunnel}\n`);
		const [, baseUrl = ''] = /Base URL +(\S+)/.exec(said) ?? [];
		const [, key = ''] = /API key +(\S+)/.exec(said) ?? [];
		const answer = await fetch(`${baseUrl}/v3/videos`, { headers: { 'x-api-key': key } });
		expect(answer.status).toBe(200);

		const ended = once(running, 'exit');
		running.kill('SIGINT');
		expect(await ended).toEqual([0, null]);
	},
	40_000,
);
