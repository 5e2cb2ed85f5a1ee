/** Installations that were cut off, with a toy package and an npm of our own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { installOnce } from '../../tools/install';

let folder: string;
let modules: string;
const children: ChildProcess[] = [];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'videogen-install-'));
	modules = join(folder, 'node_modules');
	writeFileSync(join(folder, 'package-lock.json'), '{"packages":{"node_modules/toy":{}}}');
});

afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
});

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
function startInstaller(): ChildProcess {
	const bin = join(folder, 'bin');
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 });
	const script = join(folder, 'installer.ts');
	const tools = JSON.stringify(join(__dirname, '..', '..', 'tools', 'install'));
	writeFileSync(
		script,
		`import { installOnce, runNpm } from ${tools};
const folder = process.argv[2]!;
const log = () => undefined;
void installOnce(folder, log, () => runNpm(folder, ['install'], { label: 'Installing', log }));
`,
	);
	const child = spawn(process.execPath, ['--import', require.resolve('tsx'), script, folder], {
		env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
		stdio: 'inherit',
	});
	children.push(child);
	return child;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
	const end = Date.now() + 20_000;
	while (!isSo()) {
		if (Date.now() > end) throw new Error(`Not in 20 seconds: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const install = async () => writeFileSync(join(modules, 'made.txt'), '');
const silent = () => undefined;
const filesIn = (path: string) => readdirSync(path).sort();

test.each(['SIGINT', 'SIGKILL'] as const)(
	'an installation that ended with %s is done again from nothing',
	async (signal) => {
		const half = join(modules, 'toy', 'half.js');
		writeFileSync(join(folder, 'hang'), '');
		const cutOff = startInstaller();
		await until('half of the toy', () => existsSync(half) && readFileSync(half, 'utf8') !== '');
		const npmPid = Number(readFileSync(half, 'utf8'));
		const ended = once(cutOff, 'exit');
		cutOff.kill(signal);
		await ended;
		await until('npm has ended too', () => !isAlive(npmPid));
		expect(existsSync(half)).toBe(true);
		// Who was killed outright could not remove it.
		expect(existsSync(join(modules, '.installing'))).toBe(signal === 'SIGKILL');

		rmSync(join(folder, 'hang'));
		const [exitCode] = (await once(startInstaller(), 'exit')) as [number];
		expect(exitCode).toBe(0);
		expect(filesIn(modules)).toEqual(['.installed-lock', 'toy']);
		expect(filesIn(join(modules, 'toy'))).toEqual(['package.json']);
	},
);

test('a whole installation is left alone, until its lock file changes', async () => {
	await installOnce(folder, silent, install);
	await installOnce(folder, silent, () => Promise.reject(new Error('It was whole')));
	writeFileSync(join(modules, 'old.txt'), '');
	writeFileSync(join(folder, 'package-lock.json'), '{"packages":{}}');
	await installOnce(folder, silent, install);
	expect(filesIn(modules)).toEqual(['.installed-lock', 'made.txt']);
});

test('an installation that failed is tried again, in the same process too', async () => {
	const failing = installOnce(folder, silent, () => Promise.reject(new Error('No network')));
	await expect(failing).rejects.toThrow('No network');
	await installOnce(folder, silent, install);
	expect(filesIn(modules)).toEqual(['.installed-lock', 'made.txt']);
});

test('nobody takes away what another process is installing', async () => {
	writeFileSync(join(folder, 'hang'), '');
	const other = startInstaller();
	await until('half of the toy', () => existsSync(join(modules, 'toy', 'half.js')));
	await expect(installOnce(folder, silent, install)).rejects.toThrow(
		`Process ${other.pid} is installing ${modules}: try again when it has finished.`,
	);
	expect(filesIn(join(modules, 'toy'))).toEqual(['half.js']);
	const ended = once(other, 'exit');
	other.kill('SIGINT');
	await ended;
});

test('nothing is removed or installed through a link', async () => {
	const elsewhere = join(folder, 'elsewhere');
	mkdirSync(elsewhere);
	writeFileSync(join(elsewhere, 'precious.txt'), '');
	symlinkSync(elsewhere, modules);
	await expect(installOnce(folder, silent, install)).rejects.toThrow(`${modules} is a link`);
	expect(filesIn(elsewhere)).toEqual(['precious.txt']);

	const linked = join(folder, 'linked');
	mkdirSync(join(elsewhere, 'node_modules'));
	writeFileSync(join(elsewhere, 'package-lock.json'), '{"packages":{}}');
	symlinkSync(elsewhere, linked);
	await expect(installOnce(linked, silent, install)).rejects.toThrow(`${linked} is a link`);
	expect(existsSync(join(elsewhere, 'node_modules'))).toBe(true);
});

test('a link to a whole installation is used', async () => {
	await installOnce(folder, silent, install);
	const other = mkdtempSync(join(tmpdir(), 'videogen-install-'));
	try {
		writeFileSync(
			join(other, 'package-lock.json'),
			readFileSync(join(folder, 'package-lock.json')),
		);
		symlinkSync(modules, join(other, 'node_modules'));
		await installOnce(other, silent, () => Promise.reject(new Error('It was whole')));
	} finally {
		rmSync(other, { recursive: true, force: true });
	}
	expect(filesIn(modules)).toEqual(['.installed-lock', 'made.txt']);
});
