/** Child processes and folders of a tool do not outlive it, even if it is killed. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../../tools/child';
import { until } from '../e2e/workflows';
import { useFolder, useProcesses, write } from './support';

const run = useProcesses();
const at = useFolder();

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

test.each(['SIGKILL', 'SIGINT'] as const)(
	'%s ends its processes and their children, and removes its folder',
	async (signal) => {
		const [script, told] = [at('tool.ts'), at('told.json')];
		write(script, tool);
		const { child } = run(['--import', require.resolve('tsx'), script, told]);
		await until('the tool to start all', () => existsSync(told));
		const made = JSON.parse(readFileSync(told, 'utf8')) as { folder: string; pids: number[] };
		expect(made.pids.map(isProcessAlive)).toEqual([true, true]);

		const ended = once(child, 'exit');
		child.kill(signal);
		await ended;
		await until('the end of its processes', () => !made.pids.some(isProcessAlive));
		await until('its folder to be removed', () => !existsSync(made.folder));
	},
);
