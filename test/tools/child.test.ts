/** Child processes and folders of a tool do not outlive it, even if it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProcessAlive } from '../../tools/child';

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'videogen-child-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A tool with a folder of its own, which starts a program that starts another one. */
const tool = `import { spawnTracked, createTemporaryFolder } from ${JSON.stringify(join(__dirname, '..', '..', 'tools', 'child'))};
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { folder } = createTemporaryFolder('videogen-killed-');
writeFileSync(join(folder, 'file'), 'x');
const inner = 'setTimeout(() => process.exit(), 60_000)';
const outer = \`const { pid } = require('node:child_process').spawn(process.execPath, ['-e', \${JSON.stringify(inner)}]);
console.log(pid); \${inner}\`;
const child = spawnTracked(process.execPath, ['-e', outer], { stdio: ['ignore', 'pipe', 'inherit'] });
child.stdout!.once('data', (pid) => {
	writeFileSync(process.argv[2]!, JSON.stringify({ folder, pids: [child.pid, Number(pid)] }));
});
`;

async function until(what: string, isSo: () => boolean): Promise<void> {
	const end = Date.now() + 20_000;
	while (!isSo()) {
		if (Date.now() > end) throw new Error(`Not in 20 seconds: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

test.each(['SIGKILL', 'SIGINT'] as const)(
	'%s ends its processes and their children, and removes its folder',
	async (signal) => {
		const script = join(folder, 'tool.ts');
		const told = join(folder, 'told.json');
		writeFileSync(script, tool);
		const running = spawn(process.execPath, ['--import', require.resolve('tsx'), script, told], {
			stdio: 'inherit',
		});
		await until('the tool has started all', () => existsSync(told));
		const made = JSON.parse(readFileSync(told, 'utf8')) as { folder: string; pids: number[] };
		expect(made.pids.map(isProcessAlive)).toEqual([true, true]);

		const ended = once(running, 'exit');
		running.kill(signal);
		await ended;
		await until('nothing of it lives', () => !made.pids.some(isProcessAlive));
		await until('its folder is gone', () => !existsSync(made.folder));
	},
);
