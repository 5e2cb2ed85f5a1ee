/** Installations that were cut off, with a toy package and an npm of our own. */
import { once } from 'node:events';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from '../../tools/child';
import { installOnce } from '../../tools/install';
import { describeProgress } from '../../tools/packageProgress';
import { until } from '../e2e/workflows';
import { useFolder, useProcesses, write } from './support';

const run = useProcesses();
const at = useFolder();
const modules = (...names: string[]) => at('node_modules', ...names);

beforeEach(() => write(at('package-lock.json'), '{"packages":{"node_modules/toy":{}}}'));

/** Unpacks half of the toy, and never the other half while a file `hang` is there. */
const npm = `#!/usr/bin/env node
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('node_modules/toy', { recursive: true });
if (existsSync('hang')) {
	// Later than a busy tool needs to tell its guard of this process.
	setTimeout(() => writeFileSync('node_modules/toy/half.js', String(process.pid)), 500);
	setTimeout(() => process.exit(1), 60_000);
} else {
	writeFileSync('node_modules/toy/package.json', '{}');
}
`;

/** The tools' own way to install, in a process that can be killed. */
function startInstaller() {
	write(at('bin', 'npm'), npm, 0o755);
	const tools = JSON.stringify(join(__dirname, '..', '..', 'tools', 'install'));
	write(
		at('installer.ts'),
		`import { installOnce, runNpm } from ${tools};
const folder = process.argv[2]!;
const log = () => undefined;
void installOnce(folder, log, () => runNpm(folder, ['install'], { label: 'Installing', log }));
`,
	);
	const args = ['--import', require.resolve('tsx'), at('installer.ts'), at()];
	return run(args, { path: at('bin') }).child;
}

/** Installs with this way to make `node_modules`. */
const install = async (make = async () => write(modules('made.txt'), ''), folder = at()) =>
	await installOnce(folder, () => undefined, make);
const fail = async () => await Promise.reject(new Error('No network'));
const filesIn = (path: string) => readdirSync(path).sort();

/** Starts an installation that hangs in the middle. */
async function startHanging() {
	write(at('hang'), '');
	const half = modules('toy', 'half.js');
	const child = startInstaller();
	await until('half of the toy', () => existsSync(half) && readFileSync(half, 'utf8') !== '');
	return { child, half, npmPid: Number(readFileSync(half, 'utf8')) };
}

test.each(['SIGINT', 'SIGKILL'] as const)(
	'an installation that ended with %s is done again from nothing',
	async (signal) => {
		const { child, half, npmPid } = await startHanging();
		const ended = once(child, 'exit');
		child.kill(signal);
		await ended;
		await until('the end of npm', () => !isProcessAlive(npmPid));
		expect(existsSync(half)).toBe(true);
		// Who was killed outright could not remove it.
		expect(existsSync(modules('.installing'))).toBe(signal === 'SIGKILL');

		rmSync(at('hang'));
		expect(await once(startInstaller(), 'exit')).toEqual([0, null]);
		expect(filesIn(modules())).toEqual(['.installed-lock', 'toy']);
		expect(filesIn(modules('toy'))).toEqual(['package.json']);
	},
);

test('a whole installation is left alone, until its lock file changes', async () => {
	await install();
	await install(fail);
	write(modules('old.txt'), '');
	write(at('package-lock.json'), '{"packages":{}}');
	await install();
	expect(filesIn(modules())).toEqual(['.installed-lock', 'made.txt']);
});

test('an installation that failed is tried again, in the same process too', async () => {
	await expect(install(fail)).rejects.toThrow('No network');
	await install();
	expect(filesIn(modules())).toEqual(['.installed-lock', 'made.txt']);
});

test('nobody takes away what another process is installing', async () => {
	const { child } = await startHanging();
	await expect(install()).rejects.toThrow(
		`Process ${child.pid} is installing ${modules()}: try again when it has finished.`,
	);
	expect(filesIn(modules('toy'))).toEqual(['half.js']);
	const ended = once(child, 'exit');
	child.kill('SIGINT');
	await ended;
});

test('nothing is removed or installed through a link', async () => {
	write(at('elsewhere', 'precious.txt'), '');
	symlinkSync(at('elsewhere'), modules());
	await expect(install()).rejects.toThrow(`${modules()} is a link`);
	expect(filesIn(at('elsewhere'))).toEqual(['precious.txt']);

	const linked = at('linked');
	mkdirSync(at('elsewhere', 'node_modules'));
	write(at('elsewhere', 'package-lock.json'), '{"packages":{}}');
	symlinkSync(at('elsewhere'), linked);
	await expect(install(undefined, linked)).rejects.toThrow(`${linked} is a link`);
	expect(existsSync(at('elsewhere', 'node_modules'))).toBe(true);
});

test('a link to a whole installation is used', async () => {
	await install();
	mkdirSync(at('other'));
	copyFileSync(at('package-lock.json'), at('other', 'package-lock.json'));
	symlinkSync(modules(), at('other', 'node_modules'));
	await install(fail, at('other'));
	expect(filesIn(modules())).toEqual(['.installed-lock', 'made.txt']);
});

test('the progress names what npm waits for, and after 2 minutes says that this is normal', () => {
	expect(describeProgress(modules(), 10)).toBe('0 packages');
	write(modules('toy', 'package.json'), '{}');
	write(modules('.bin', 'toy'), '');
	expect(describeProgress(modules(), 10, 9)).toBe('1 of about 9 packages, npm is finishing');
	for (const name of ['a', '@b/c', 'd', 'e', 'f']) mkdirSync(modules(name), { recursive: true });
	expect(describeProgress(modules(), 119, 9)).toBe(
		'1 of about 9 packages, npm is downloading @b/c, a, d and 2 more',
	);
	expect(describeProgress(modules(), 120, 9)).toMatch(
		/ and 2 more, this is normal on a slow network or a busy machine$/,
	);
});
