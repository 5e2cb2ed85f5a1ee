import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** A new folder for each test of the file. Returns the path of a name in it. */
export function useFolder(): (...names: string[]) => string {
	let folder = '';
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'videogen-test-'))));
	afterEach(() => rmSync(folder, { recursive: true, force: true }));
	return (...names) => join(folder, ...names);
}

/** Starts Node.js processes, and ends those that still run after a test. */
export function useProcesses() {
	const children: ChildProcess[] = [];
	afterEach(() => {
		for (const child of children.splice(0)) child.kill('SIGKILL');
	});
	return (args: string[], options: { cwd?: string; path?: string } = {}) => {
		const { cwd, path } = options;
		const PATH = [path, process.env.PATH].filter(Boolean).join(delimiter);
		const child = spawn(process.execPath, args, {
			cwd,
			env: { ...process.env, PATH },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		children.push(child);
		let output = '';
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => (output += text));
		}
		return { child, output: () => output };
	};
}

/** Writes a file, and the folders it is in. */
export function write(file: string, text: string, mode = 0o644): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text, { mode });
}
