/** Redis and PostgreSQL of our own: in folders that are removed, on ports of this machine alone. */
import { spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, onShutdown, spawnTracked } from '../../tools/child';
import { freePort } from '../e2e/n8n';
import { until } from '../e2e/workflows';

const redis = '/usr/bin/redis-server';
const redisClient = '/usr/bin/redis-cli';
const postgresVersions = '/usr/lib/postgresql';

/** The folder of PostgreSQL's programs, of the newest version that is installed. */
function postgresPrograms(): string | undefined {
	if (!existsSync(postgresVersions)) return undefined;
	const [newest] = readdirSync(postgresVersions).sort((a, b) => Number(b) - Number(a));
	const folder = newest && join(postgresVersions, newest, 'bin');
	return folder && existsSync(join(folder, 'postgres')) ? folder : undefined;
}

/** What this machine lacks. */
export function missingServers(): string | undefined {
	const missing = [
		!existsSync(redis) && 'redis-server',
		postgresPrograms() === undefined && 'postgresql',
	].filter(Boolean);
	return missing.length > 0 ? `needs Debian's ${missing.join(' and ')}` : undefined;
}

export interface Server {
	port: number;
	isUp(): boolean;
	stop(): Promise<void>;
	/** Ends it with SIGKILL. */
	kill(): Promise<void>;
	/** Starts it again after `kill`, on the same port and folder. */
	start(): Promise<void>;
}

async function isListening(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		const end = (listens: boolean) => {
			socket.destroy();
			resolve(listens);
		};
		socket.once('connect', () => end(true)).once('error', () => end(false));
	});
}

/** A process that listens on a port until it is stopped. */
async function serve(
	[command, ...args]: [string, ...string[]],
	port: number,
	{ user, stopSignal }: { user?: User; stopSignal: NodeJS.Signals },
): Promise<Server> {
	let child: ChildProcess;
	let ended = Promise.resolve();
	let hasEnded = false;
	const start = async () => {
		let output = '';
		hasEnded = false;
		child = spawnTracked(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
		for (const stream of [child.stdout, child.stderr]) {
			stream
				?.setEncoding('utf8')
				.on('data', (text: string) => (output = (output + text).slice(-4000)));
		}
		ended = new Promise<void>((resolve) => {
			child.once('exit', resolve).once('error', (error) => {
				output += String(error);
				resolve();
			});
		}).then(() => void (hasEnded = true));
		await until(`${command} on port ${port}`, async () => {
			if (hasEnded) throw new Error(`${command} ended:\n${output}`);
			return await isListening(port);
		});
	};
	const end = async (signal: NodeJS.Signals) => {
		child.kill(signal);
		await ended;
	};
	const stop = async () => await end(stopSignal);
	onShutdown(stop);
	await start();
	return { port, isUp: () => !hasEnded, stop, kill: async () => await end('SIGKILL'), start };
}

export interface Redis extends Server {
	/** Writes all data to the folder, for the next start. */
	save(): void;
	/** Deletes what was saved: the next start is empty. */
	forget(): void;
}

export async function startRedis(folder: string): Promise<Redis> {
	const port = await freePort();
	mkdirSync(folder, { recursive: true });
	// Nothing is written by itself: what n8n must not lose is in PostgreSQL.
	const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
	const server = await serve([redis, '--port', String(port), ...settings], port, {
		stopSignal: 'SIGTERM',
	});
	return {
		...server,
		save: () => void spawnSync(redisClient, ['-p', String(port), 'SAVE']),
		forget: () => rmSync(join(folder, 'dump.rdb'), { force: true }),
	};
}

interface User {
	uid: number;
	gid: number;
}

/** PostgreSQL does not run as root: then it runs as the user that its package has made. */
function postgresUser(): User | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (kind: string) =>
		Number(spawnSync('id', [kind, 'postgres'], { encoding: 'utf8' }).stdout);
	return { uid: idOf('-u'), gid: idOf('-g') };
}

export interface Postgres extends Server {
	/** Where it keeps its data. */
	folder: string;
	/** The rows of a query. */
	query<T>(sql: string): T[];
}

export const database = 'n8n';
export const databaseUser = 'n8n';

export async function startPostgres(log: Log): Promise<Postgres> {
	const programs = postgresPrograms();
	if (programs === undefined) throw new Error(missingServers());
	const user = postgresUser();
	// Its own user must reach it, which it may not in a folder of ours.
	const folder = mkdtempSync(join(tmpdir(), 'videogen-postgres-'));
	const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
	onShutdown(removeFolder);
	if (user) chownSync(folder, user.uid, user.gid);
	const run = (program: string, args: string[]) => {
		const { status, stdout, stderr } = spawnSync(join(programs, program), args, {
			...{ encoding: 'utf8', cwd: folder, maxBuffer: 2 ** 30 },
			...user,
		});
		if (status !== 0) throw new Error(`${program}: ${stderr}`);
		return stdout;
	};
	log('Starting PostgreSQL and Redis …');
	const data = join(folder, 'data');
	run('initdb', ['-D', data, '-U', databaseUser, '--auth=trust', '--no-sync', '-E', 'UTF8']);
	const port = await freePort();
	const settings = Object.entries({
		listen_addresses: '127.0.0.1',
		unix_socket_directories: folder,
		max_connections: '200',
	}).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const command: [string, ...string[]] = [join(programs, 'postgres'), '-D', data];
	// SIGINT: at once, and in good order.
	const server = await serve([...command, '-p', String(port), ...settings], port, {
		...{ user, stopSignal: 'SIGINT' },
	});
	const address = ['-h', '127.0.0.1', '-p', String(port), '-U', databaseUser];
	await until('PostgreSQL', () => {
		try {
			run('createdb', [...address, database]);
			return true;
		} catch (error) {
			if (/starting up/.test(String(error))) return false;
			throw error;
		}
	});
	return {
		...server,
		folder,
		query: <T>(sql: string) => {
			const json = `SELECT coalesce(json_agg(t), '[]') FROM (${sql}) t`;
			return JSON.parse(run('psql', [...address, '-d', database, '-At', '-c', json])) as T[];
		},
		stop: async () => {
			await server.stop();
			removeFolder();
		},
	};
}
