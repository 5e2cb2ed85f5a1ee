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

/** The time of day before each line: who waits for minutes wants to see that something moves. */
export function timedLog(line: string): void {
	console.log(`${new Date().toTimeString().slice(0, 8)}  ${line}`);
}

let guard: NodeJS.WritableStream | undefined;

/** Starts the process that outlives this one (guard.js), once. */
function startGuard(): NodeJS.WritableStream {
	if (guard !== undefined) return guard;
	const child = spawn(process.execPath, [join(__dirname, 'guard.js')], {
		stdio: ['pipe', 'ignore', 'ignore'],
		// Ctrl-C, and a kill of our group, are not for it.
		detached: true,
		// It must not hold a folder that is to be removed.
		cwd: tmpdir(),
	});
	guard = child.stdin;
	// Neither keeps this process from ending.
	child.unref();
	if (child.stdin instanceof Socket) child.stdin.unref();
	// Without it there is nothing but the clean-up at the usual ends.
	child.on('error', () => undefined);
	child.stdin.on('error', () => undefined);
	return guard;
}

/** Tells the guard what it has to end when this process has ended. */
function notifyGuard(
	fact: { group: number } | { ended: number } | { folder: string } | { gone: string },
) {
	startGuard().write(`${JSON.stringify(fact)}\n`);
}

/**
 * A new, empty folder in the system's folder for such. It is removed when this process ends, however
 * it ends, and by `remove`.
 */
export function createTemporaryFolder(prefix: string): { folder: string; remove: () => void } {
	const folder = mkdtempSync(join(tmpdir(), prefix));
	notifyGuard({ folder });
	const remove = () => {
		rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
		notifyGuard({ gone: folder });
	};
	onShutdown(remove);
	return { folder, remove };
}

/**
 * Starts a process as the leader of its own group, so that what it starts itself goes down with it.
 * The group is killed when this process ends, however it ends.
 */
export function spawnTracked(
	command: string,
	args: string[],
	options: SpawnOptions = {},
): ChildProcess {
	watchForShutdown();
	// Before: on a busy machine the child would run a while before the guard is there to be told of it.
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

/** Runs at Ctrl-C, SIGTERM and SIGHUP, latest first, before the tracked processes are killed. */
export function onShutdown(cleanup: () => Promise<void> | void): void {
	watchForShutdown();
	cleanups.push(cleanup);
}

/**
 * Whether Ctrl-C or another signal came. What fails from then on fails because n8n is taken away
 * from it, and is no news to the user.
 */
export function isShuttingDown(): boolean {
	return shutDownAt > 0;
}

/** Ends a tool that cannot go on, with the message alone: a stack says nothing to its users. */
export function fail(error: unknown): void {
	// shutDown() ends this process, when all cleanups are through.
	if (isShuttingDown()) return;
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
}

/** Whether a process lives. */
export function isProcessAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it lives, and belongs to another user.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

function killGroup(pid: number): void {
	groups.delete(pid);
	try {
		process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
	} catch {
		// Nothing is left of the group.
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
	// Whoever started us may be killed before it can pass on a signal.
	const parent = process.ppid;
	const orphaned = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(orphaned);
		void shutDown(143);
	}, 1000);
	orphaned.unref();
}

async function shutDown(exitCode: number): Promise<void> {
	// Ctrl-C reaches us twice: from the terminal, and passed on by the process that started us.
	// Only a later one means that somebody lost patience.
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
	/** What is being done, for the progress lines and the error. */
	label: string;
	log: Log;
	env?: NodeJS.ProcessEnv;
	/** How far it has come, asked every 10 seconds. */
	progress?: () => string;
}

/**
 * Runs a command to its end, with a progress line every 10 seconds, and returns its standard
 * output. Throws with the end of its output when the exit code is not 0.
 */
export async function runCommand(
	command: string,
	args: string[],
	{ cwd, label, log, env, progress }: CommandOptions,
): Promise<string> {
	const started = Date.now();
	const ticker = setInterval(() => {
		const far = progress ? `, ${progress()}` : '';
		log(`${label}: ${Math.round((Date.now() - started) / 1000)} s${far}`);
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
