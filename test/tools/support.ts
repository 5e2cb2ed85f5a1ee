import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { projectRoot } from '../../tools/install';

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

function runGit(cwd: string, ...args: string[]): string {
	const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
	if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
	return stdout;
}

/**
 * Copies the files of this project, with changes that are not committed, into an empty folder, and commits
 * them there. The packages are linked.
 */
export function copyProject(folder: string): void {
	const files = runGit(projectRoot, 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
	for (const file of files.split('\0').filter(Boolean)) {
		const from = join(projectRoot, file);
		// A deleted file is still listed.
		if (existsSync(from)) cpSync(from, join(folder, file));
	}
	for (const packages of ['node_modules', join('simulator', 'node_modules')]) {
		symlinkSync(join(projectRoot, packages), join(folder, packages));
	}
	runGit(folder, 'init', '-q');
	// Not `node_modules/` in .gitignore: a link is no folder.
	write(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
	runGit(folder, 'add', '--all');
	const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
	runGit(folder, ...author, 'commit', '-q', '--message', 'Copy the project');
}

/** Runs a command of package.json in a copy of the project, without npm and bootstrap.js. */
export function runScript(folder: string, file: string, ...args: string[]) {
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		['--import', require.resolve('tsx'), join('tools', file), ...args],
		{
			cwd: folder,
			encoding: 'utf8',
			env: {
				...process.env,
				// As outside of jest: n8n's rules for eslint check less in their own tests.
				NODE_ENV: undefined,
				PATH: [join(projectRoot, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
			},
		},
	);
	return { stdout, stderr, status };
}

/** The changed files of a copy of the project, as git prints them. */
export const readGitStatus = (folder: string): string[] =>
	runGit(folder, 'status', '--short', '--untracked-files=all').split('\n').filter(Boolean);
