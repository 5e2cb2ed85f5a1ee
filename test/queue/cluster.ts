/**
 * n8n in several processes that share the work (n8n's queue mode), as on several machines: each has
 * its own folder with the package, and they share only Redis and PostgreSQL.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startSimulator } from '../../simulator';
import type { Log } from '../../tools/child';
import { ensureN8n } from '../../tools/installN8n';
import { newestVersion } from '../../tools/n8nVersions';
import { publicOrigin, type Simulator, type Stage, saveCredential } from '../../tools/stage';
import { freePort, installPackage, startN8n } from '../e2e/n8n';
import { n8nProcess, type N8nProcess } from '../e2e/process';
import { startProxy } from './proxy';
import {
	database,
	databaseUser,
	type Postgres,
	type Redis,
	startPostgres,
	startRedis,
} from './servers';

export interface Member extends N8nProcess {
	/** `worker 1`, `webhook` … */
	name: string;
	baseUrl: string;
	userFolder: string;
}

export interface Cluster extends Stage {
	/** They carry out what is started, each its own executions. */
	workers: readonly Member[];
	/** Take the calls of the service; the main process would take them too. */
	webhooks: readonly Member[];
	/** The first of them. */
	webhook: Member;
	/** A proxy that passes calls to the webhook processes in turn. */
	proxyUrl: string;
	redis: Redis;
	postgres: Postgres;
}

export interface ClusterOptions {
	/** For the user folders of all. */
	folder: string;
	tarball: string;
	/** Numbers of processes: two workers and one webhook process by default. */
	workers?: number;
	webhooks?: number;
	/** Settings of all processes, in addition to those of queue mode. */
	env?: Record<string, string>;
	simulator?: Parameters<typeof startSimulator>[0];
	log: Log;
}

/** The settings that all processes share, as in n8n's guide and docs/queue-mode.md. */
const shared = (redis: number, postgres: number): Record<string, string> => ({
	EXECUTIONS_MODE: 'queue',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redis),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres),
	DB_POSTGRESDB_DATABASE: database,
	DB_POSTGRESDB_USER: databaseUser,
	DB_POSTGRESDB_PASSWORD: '',
	// By default 5 s, after which n8n answers every request with 503. On a busy machine a ping takes longer.
	DB_PING_TIMEOUT_MS: '60000',
	N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
	N8N_WEBHOOK_URL: `${publicOrigin}/`,
	WEBHOOK_URL: `${publicOrigin}/`,
	// What a user starts by hand is carried out by the workers, too.
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
});

/** Starts all of it; `close` ends it. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
	const { folder, tarball, workers: workerCount = 2, webhooks: webhookCount = 1, log } = options;
	const closing: Array<() => Promise<void>> = [];
	const close = async () => {
		for (const one of closing.splice(0).reverse()) await one();
	};
	try {
		const redis = await startRedis(join(folder, 'redis'));
		closing.push(redis.stop);
		const postgres = await startPostgres(log);
		closing.push(postgres.stop);
		const env = { ...shared(redis.port, postgres.port), ...options.env };

		const startScript = await ensureN8n(log);
		const member = async (name: string, role: 'worker' | 'webhook'): Promise<Member> => {
			const userFolder = join(folder, name.replace(' ', '-'));
			installPackage(userFolder, tarball);
			const port = await freePort();
			const own = {
				N8N_RUNNERS_BROKER_PORT: String(await freePort()),
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
			};
			const process_ = n8nProcess({
				...{ line: newestVersion, startScript, role, userFolder, port, log },
				env: { ...env, ...own },
			});
			closing.push(async () => await process_.end('SIGTERM'));
			return { ...process_, name, userFolder, baseUrl: `http://127.0.0.1:${port}` };
		};
		const webhook = await member('webhook', 'webhook');
		const webhooks = [webhook];
		for (let i = 2; i <= webhookCount; i++) webhooks.push(await member(`webhook ${i}`, 'webhook'));
		const workers: Member[] = [];
		for (let i = 1; i <= workerCount; i++) workers.push(await member(`worker ${i}`, 'worker'));
		const proxy = await startProxy(webhooks.map((one) => one.baseUrl));
		closing.push(proxy.close);

		const simulator: Simulator = await startSimulator({
			tunnels: { [publicOrigin]: proxy.url },
			...options.simulator,
		});
		closing.push(async () => await simulator.close());
		// First alone: it makes the tables.
		const n8n = await startN8n({ userFolder: join(folder, 'main'), tarball, env, log });
		closing.push(n8n.stop);
		await Promise.all([...webhooks, ...workers].map(async (one) => await one.launch()));
		const { apiKey, baseUrl } = simulator;
		const credential = await saveCredential(n8n, { apiKey, baseUrl });
		const servers = { redis, postgres, proxyUrl: proxy.url };
		return { n8n, simulator, credential, workers, webhooks, webhook, ...servers, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** Whoever carries out an execution, or has done so last. */
export function workerOf({ workers }: Pick<Cluster, 'workers'>, executionId: string): Member {
	const started = new RegExp(`Worker started execution ${executionId} `);
	const found = workers.filter((one) => started.test(one.logs()));
	if (found.length === 0) throw new Error(`No worker has started execution ${executionId}`);
	return found.at(-1) as Member;
}
