/** The first command of a fresh clone, cut off while it installs; with an npm of our own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isProcessAlive } from '../../tools/child';
import { projectRoot } from '../../tools/install';

let root: string;
const children: ChildProcess[] = [];

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
	root = mkdtempSync(join(tmpdir(), 'videogen-bootstrap-'));
	mkdirSync(join(root, 'tools'));
	for (const name of ['bootstrap.js', 'guard.js']) {
		copyFileSync(join(projectRoot, 'tools', name), join(root, 'tools', name));
	}
	writeFileSync(join(root, 'package.json'), '{}');
	writeFileSync(
		join(root, 'package-lock.json'),
		'{"packages":{"":{},"node_modules/toy":{"version":"1.0.0"}}}',
	);
	writeFileSync(join(root, 'script.ts'), "console.log('It runs' as string);");
	mkdirSync(join(root, 'bin'));
	writeFileSync(join(root, 'bin', 'npm'), npm, { mode: 0o755 });
	symlinkSync(process.execPath, join(root, 'bin', 'node'));
});

afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	rmSync(root, { recursive: true, force: true });
});

function start() {
	const child = spawn(process.execPath, ['tools/bootstrap.js', 'script.ts'], {
		cwd: root,
		env: { ...process.env, PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}` },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	children.push(child);
	let said = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (said += text));
	}
	return { child, said: () => said };
}

async function until(what: string, isSo: () => boolean): Promise<void> {
	const end = Date.now() + 20_000;
	while (!isSo()) {
		if (Date.now() > end) throw new Error(`Not in 20 seconds: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
}

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
	'cut off with %s it leaves nothing that runs, and the next time installs anew',
	async (signal) => {
		writeFileSync(join(root, 'hang'), '');
		const first = start();
		const pidsFile = join(root, 'pids.json');
		await until('npm is in the middle', () => existsSync(pidsFile));
		await until('and says so', () => readFileSync(pidsFile, 'utf8').endsWith(']'));
		const pids = JSON.parse(readFileSync(pidsFile, 'utf8')) as number[];
		const ended = once(first.child, 'close');
		first.child.kill(signal);
		await ended;
		await until('npm and what it started have ended', () => !pids.some(isProcessAlive));
		expect(first.said()).not.toContain('It runs');
		if (signal !== 'SIGKILL')
			expect(first.said()).toContain('was stopped; the next run starts over');

		rmSync(join(root, 'hang'));
		const second = start();
		const [code] = (await once(second.child, 'close')) as [number];
		expect({ code, said: second.said() }).toEqual({
			code: 0,
			said: expect.stringMatching(/^Installing the project …\nIt runs\n$/),
		});
		expect(existsSync(join(root, 'node_modules', 'toy', 'whole'))).toBe(true);
	},
);
