/** Starts child processes and creates temporary folders that never outlive the tool that created them. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Log = (line: string) => void;

/** Process groups that must not outlive this process. */
const groups = new Set<number>();
const cleanups: Array<() => Promise<void> | void> = [];
let watching = false;
let shutDownAt = 0;

/** Prints a line with the time of day, to show progress to users who wait for minutes. */
export function timedLog(line: string): void {
	console.log(`${new Date().toTimeString().slice(0, 8)}  ${line}`);
}

let guard: NodeJS.WritableStream | undefined;

/** Starts guard.js once: a process that outlives this one and cleans up after it. */
function startGuard(): NodeJS.WritableStream {
	if (guard !== undefined) return guard;
	const child = spawn(process.execPath, [join(__dirname, 'guard.js')], {
		stdio: ['pipe', 'ignore', 'ignore'],
		// Neither Ctrl-C nor a kill of our process group must reach it.
		detached: true,
		// Its working directory must not be a folder that it has to remove.
		cwd: tmpdir(),
	});
	guard = child.stdin;
	// Neither the guard nor its input may keep this process running.
	child.unref();
	if (child.stdin instanceof Socket) child.stdin.unref();
	// Without the guard, cleanup still works at a regular end and after a signal.
	child.on('error', () => undefined);
	child.stdin.on('error', () => undefined);
	return guard;
}

/** Adds something to what the guard cleans up when this process ends, or removes it again. */
function notifyGuard(
	fact: { group: number } | { ended: number } | { folder: string } | { removed: string },
) {
	startGuard().write(`${JSON.stringify(fact)}\n`);
}

/**
 * Creates an empty folder in the system's temporary folder. The folder is removed when this process ends,
 * even if it is killed, or by calling `remove`.
 */
export function createTemporaryFolder(prefix: string): { folder: string; remove: () => void } {
	const folder = mkdtempSync(join(tmpdir(), prefix));
	notifyGuard({ folder });
	const remove = () => {
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
		notifyGuard({ removed: folder });
	};
	onShutdown(remove);
	return { folder, remove };
}

/**
 * Starts a process as the leader of its own group. The group, with all children of the process, is killed
 * when this process ends, even if this process is killed.
 */
export function spawnTracked(
	command: string,
	args: string[],
	options: SpawnOptions = {},
): ChildProcess {
	watchForShutdown();
	// The guard starts before the child, because it takes a while on a busy machine.
	startGuard();
	const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
	const { pid } = child;
	if (pid !== undefined) {
		groups.add(pid);
		notifyGuard({ group: pid });
		child.once('exit', () => killGroup(pid));
	}
	return child;
}

/**
 * Registers a cleanup for shutdown signals. The last one registered runs first, before processes are
 * killed.
 */
export function onShutdown(cleanup: () => Promise<void> | void): void {
	watchForShutdown();
	cleanups.push(cleanup);
}

/**
 * Whether Ctrl-C or another signal has arrived. Later failures are consequences of the shutdown, and
 * need no message.
 */
export function isShuttingDown(): boolean {
	return shutDownAt > 0;
}

/** Ends a tool after an error. Prints only the message: a stack does not help its users. */
export function fail(error: unknown): void {
	// shutDown() ends this process after all cleanups.
	if (isShuttingDown()) return;
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
}

/** Whether a process is running. */
export function isProcessAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it is running and belongs to another user.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

function killGroup(pid: number): void {
	groups.delete(pid);
	try {
		process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
	} catch {
		// The group has ended already.
	}
	notifyGuard({ ended: pid });
}

function watchForShutdown(): void {
	if (watching) return;
	watching = true;
	process.on('exit', () => {
		for (const pid of groups) killGroup(pid);
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => void shutDown(signal === 'SIGINT' ? 130 : 143));
	}
	// The parent process may be killed before it can pass on a signal.
	const parent = process.ppid;
	const orphaned = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(orphaned);
		void shutDown(143);
	}, 1000);
	orphaned.unref();
}

async function shutDown(exitCode: number): Promise<void> {
	// Ctrl-C arrives twice: from the terminal and from the parent process. Only if it arrives again later
	// does the user want to end at once.
	if (shutDownAt > 0) {
		if (Date.now() - shutDownAt > 1000) process.exit(exitCode);
		return;
	}
	shutDownAt = Date.now();
	for (const cleanup of cleanups.reverse()) {
		try {
			await cleanup();
		} catch (error) {
			console.error(error);
		}
	}
	process.exit(exitCode);
}

export interface CommandOptions {
	cwd: string;
	/** Name of the step, for progress lines and the error. */
	label: string;
	log: Log;
	env?: NodeJS.ProcessEnv;
	/** Called every 10 seconds. Returns the progress to print after this number of seconds. */
	progress?: (seconds: number) => string;
}

/**
 * Runs a command to its end, with a progress line every 10 seconds. Returns its standard output. If the
 * exit code is not 0, throws an error that contains the end of the output.
 */
export async function runCommand(
	command: string,
	args: string[],
	{ cwd, label, log, env, progress }: CommandOptions,
): Promise<string> {
	const started = Date.now();
	const ticker = setInterval(() => {
		const seconds = Math.round((Date.now() - started) / 1000);
		const detail = progress ? `, ${progress(seconds)}` : '';
		log(`${label}: ${seconds} s${detail}`);
	}, 10_000);
	let stdout = '';
	let output = '';
	try {
		const exitCode = await new Promise<number | null>((resolve, reject) => {
			const child = spawnTracked(command, args, {
				cwd,
				env: { ...process.env, ...env },
				stdio: ['ignore', 'pipe', 'pipe'],
				shell: process.platform === 'win32',
			});
			child.stdout?.setEncoding('utf8').on('data', (text: string) => {
				stdout += text;
				output = (output + text).slice(-4000);
			});
			child.stderr?.setEncoding('utf8').on('data', (text: string) => {
				output = (output + text).slice(-4000);
			});
			child.on('error', reject);
			child.on('close', resolve);
		});
		if (exitCode !== 0) {
			throw new Error(
				`${label}: ${[command, ...args].join(' ')} ended with exit code ${exitCode}\n${output}`,
			);
		}
	} finally {
		clearInterval(ticker);
	}
	return stdout;
}
