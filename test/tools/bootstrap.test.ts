/** The first command of a fresh clone, cut off while it installs; with an npm of our own. */
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../../tools/child';
import { projectRoot } from '../../tools/install';
import { until } from '../e2e/workflows';
import { useFolder, useProcesses, write } from './support';

const run = useProcesses();
const at = useFolder();

/** Removes what is there, as npm ci does, and hangs in the middle while there is a file `hang`. */
const npm = `#!/usr/bin/env node
const { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
rmSync('node_modules', { recursive: true, force: true });
mkdirSync('node_modules/node/bin', { recursive: true });
symlinkSync(process.execPath, 'node_modules/node/bin/node');
symlinkSync(${JSON.stringify(join(projectRoot, 'node_modules', 'tsx'))}, 'node_modules/tsx');
mkdirSync('node_modules/toy');
if (existsSync('hang')) {
	const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => 0, 60_000)']);
	writeFileSync('pids.json', JSON.stringify([process.pid, pid]));
	setTimeout(() => process.exit(1), 60_000);
} else {
	writeFileSync('node_modules/toy/whole', '');
	writeFileSync('node_modules/.package-lock.json', require('node:fs').readFileSync('package-lock.json'));
}
`;

beforeEach(() => {
	write(at('package.json'), '{}');
	write(at('package-lock.json'), '{"packages":{"":{},"node_modules/toy":{"version":"1.0.0"}}}');
	write(at('tools', 'script.ts'), "console.log('It runs' as string);");
	for (const name of ['bootstrap.js', 'guard.js', 'packageProgress.js']) {
		copyFileSync(join(projectRoot, 'tools', name), at('tools', name));
	}
	write(at('bin', 'npm'), npm, 0o755);
	symlinkSync(process.execPath, at('bin', 'node'));
});

const start = () => run(['tools/bootstrap.js', 'tools/script.ts'], { cwd: at(), path: at('bin') });

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
	'cut off with %s it leaves nothing that runs, and the next time installs anew',
	async (signal) => {
		write(at('hang'), '');
		const first = start();
		const pidsFile = at('pids.json');
		const readPids = () => existsSync(pidsFile) && readFileSync(pidsFile, 'utf8');
		await until('npm to be in the middle', () => String(readPids()).endsWith(']'));
		const pids = JSON.parse(String(readPids())) as number[];
		const ended = once(first.child, 'close');
		first.child.kill(signal);
		await ended;
		await until('the end of npm and of what it started', () => !pids.some(isProcessAlive));
		expect(first.output()).not.toContain('It runs');
		if (signal !== 'SIGKILL')
			expect(first.output()).toContain('was stopped; the next run starts over');

		rmSync(at('hang'));
		const second = start();
		expect(await once(second.child, 'close')).toEqual([0, null]);
		expect(second.output()).toMatch(/^Installing the project …\nIt runs\n$/);
		expect(existsSync(at('node_modules', 'toy', 'whole'))).toBe(true);
	},
);

test('it does not empty the packages of another checkout through a link', async () => {
	write(at('elsewhere', 'toy', 'whole'), '');
	symlinkSync(at('elsewhere'), at('node_modules'));
	const first = start();
	expect(await once(first.child, 'close')).toEqual([1, null]);
	expect(first.output()).toContain('is a link to other packages than those of this checkout');
	expect(existsSync(at('elsewhere', 'toy', 'whole'))).toBe(true);
});
