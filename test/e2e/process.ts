/** One process of n8n: the whole of it, or one of those that share the work (queue mode). */
import type { ChildProcess } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { type Log, spawnTracked } from '../../tools/child';
import type { N8nVersion } from '../../tools/n8nVersions';

export interface ProcessOptions {
	line: N8nVersion;
	/** Path of n8n's start script. */
	startScript: string;
	/** What n8n is to be. */
	role: 'start' | 'worker' | 'webhook';
	/** Becomes N8N_USER_FOLDER: settings, installed packages, log, and the database if it is SQLite. */
	userFolder: string;
	/** Where it answers `/healthz/readiness`. */
	port: number;
	env?: Record<string, string | undefined>;
	log: Log;
}

export interface N8nProcess {
	launch(): Promise<void>;
	/** Ends it, at the latest with SIGKILL after some seconds. */
	end(signal: NodeJS.Signals): Promise<void>;
	/** Nothing while it does not run. */
	pid(): number | undefined;
	/** Everything that it wrote since it was launched last. */
	logs(): string;
}

/** n8n's own tasks at Ctrl-C take a moment; a stuck one must not hold up a test run. */
const stopTimeoutMs = 8_000;
const startTimeoutMs = 180_000;

/** Factor for all timeouts. PATIENCE=4 suits a machine that does other work. */
export const patience = Number(process.env.PATIENCE ?? 1);

/** A process that is not launched yet. */
export function n8nProcess({
	line,
	startScript,
	role,
	userFolder,
	port,
	env,
	log,
}: ProcessOptions): N8nProcess {
	const logFile = join(userFolder, 'n8n.log');
	let child: ChildProcess | undefined;
	let output = '';

	const isReady = async () => {
		const answer = await fetch(`http://127.0.0.1:${port}/healthz/readiness`).catch(() => undefined);
		await answer?.body?.cancel();
		return answer?.status === 200;
	};

	async function launch(): Promise<void> {
		const started = Date.now();
		mkdirSync(userFolder, { recursive: true });
		output = '';
		const file = createWriteStream(logFile, { flags: 'a' });
		const process_ = spawnTracked(process.execPath, [startScript, role], {
			cwd: userFolder,
			env: {
				...inheritedEnvironment(),
				PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
				N8N_USER_FOLDER: userFolder,
				N8N_PORT: String(port),
				N8N_LISTEN_ADDRESS: '127.0.0.1',
				// As in n8n's own images.
				NODE_ENV: 'production',
				N8N_SECURE_COOKIE: 'false',
				N8N_DIAGNOSTICS_ENABLED: 'false',
				N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
				N8N_TEMPLATES_ENABLED: 'false',
				N8N_PERSONALIZATION_ENABLED: 'false',
				N8N_HIRING_BANNER_ENABLED: 'false',
				// Everything stays on this machine: no catalogues from n8n's servers.
				N8N_VERIFIED_PACKAGES_ENABLED: 'false',
				N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
				// Saves a tenth of the processor time of each start after the first.
				NODE_COMPILE_CACHE: join(line.folder, 'node_modules', '.cache', 'compiled'),
				...line.env,
				...env,
			},
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		child = process_;
		for (const stream of [process_.stdout, process_.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => {
				output += text;
				file.write(text);
			});
		}
		process_.once('exit', () => {
			file.end();
			if (child === process_) child = undefined;
		});
		process_.once('error', (error) => (output += String(error)));

		const name = role === 'start' ? 'n8n' : `n8n ${role}`;
		const ticker = setInterval(() => {
			log(`Starting ${name}: ${Math.round((Date.now() - started) / 1000)} s`);
		}, 10_000);
		try {
			while (!(await isReady())) {
				const tail = `:\n${output.slice(-4000)}`;
				if (!child) throw new Error(`${name} ended while it started${tail}`);
				const waited = Date.now() - started;
				if (waited > startTimeoutMs * patience) {
					throw new Error(`${name} is not ready after ${waited / 1000} s${tail}`);
				}
				await new Promise((resolve) => setTimeout(resolve, 50));
			}
		} finally {
			clearInterval(ticker);
		}
		log(`${name} runs after ${((Date.now() - started) / 1000).toFixed(1)} s`);
	}

	return {
		launch,
		end: async (signal) => {
			const process_ = child;
			if (!process_) return;
			const ended = new Promise<void>((resolve) => process_.once('exit', () => resolve()));
			process_.kill(signal);
			const timer = setTimeout(() => process_.kill('SIGKILL'), stopTimeoutMs * patience);
			await ended;
			clearTimeout(timer);
			if (child === process_) child = undefined;
		},
		pid: () => child?.pid,
		logs: () => output,
	};
}

/** Settings of a developer's own n8n must not reach this one. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
	const names = ['HOME', 'USER', 'LANG', 'TZ', 'TMPDIR', 'SystemRoot', 'TEMP', 'APPDATA'];
	return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}
