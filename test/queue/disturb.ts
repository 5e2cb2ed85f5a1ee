/** Kills the processes of a cluster at random, and starts again what does not run. */
import { until } from '../e2e/workflows';
import type { Cluster, Member } from './cluster';

export const pause = async (seconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, seconds * 1000));

export interface Part {
	kind: 'worker' | 'webhook process' | 'main process' | 'Redis' | 'PostgreSQL';
	/** How often it is killed, compared with the others. */
	weight: number;
	isUp(): boolean;
	isReady(): Promise<boolean>;
	kill(): Promise<void>;
	start(): Promise<void>;
	kills: number;
	/** How often it ended, or had to be ended, without having been killed. */
	failures: number;
}

/** All that is killed. What does not run is started again, as a container platform does. */
export function partsOf(
	{ n8n, workers, webhooks, redis, postgres }: Cluster,
	random: () => number,
): Part[] {
	const counts = { kills: 0, failures: 0 };
	const ready = (baseUrl: string) => async () => {
		const signal = AbortSignal.timeout(5_000);
		return await fetch(`${baseUrl}/healthz/readiness`, { signal }).then(
			({ ok }) => ok,
			() => false,
		);
	};
	const members = (kind: Part['kind'], weight: number, list: readonly Member[]): Part[] =>
		list.map((one) => ({
			kind,
			weight: weight / list.length,
			...counts,
			isUp: () => one.pid() !== undefined,
			isReady: ready(one.baseUrl),
			kill: async () => await one.end('SIGKILL'),
			start: one.launch,
		}));
	return [
		...members('worker', 9, workers),
		...members('webhook process', 4, webhooks),
		{
			kind: 'main process',
			weight: 3,
			...counts,
			isUp: () => n8n.pid() !== undefined,
			isReady: ready(n8n.baseUrl),
			kill: async () => await n8n.kill(),
			start: n8n.restart,
		},
		{
			kind: 'Redis',
			weight: 3,
			...counts,
			...redis,
			isReady: async () => redis.isUp(),
			// Its next start has no data, that of some seconds before, or that of the kill.
			kill: async () => {
				redis.forget();
				const age = [undefined, 10, 0][Math.floor(random() * 3)];
				if (age !== undefined) redis.save();
				await pause(age ?? 0);
				await redis.kill();
			},
		},
		{
			kind: 'PostgreSQL',
			weight: 2,
			...counts,
			...postgres,
			isReady: async () => postgres.isUp(),
		},
	];
}

/** Kills parts at random, and keeps all of them running. `end` resolves when all are ready. */
export function disturb(parts: readonly Part[], random: () => number, secondsPerKill: number) {
	let isOver = false;
	let isEnding = false;
	const killed = new Set<Part>();
	const keepUp = async (part: Part) => {
		let unreadySince = Date.now();
		while (!isOver) {
			if (!part.isUp()) {
				if (!killed.delete(part)) part.failures++;
				await pause(random() * 3);
				// What cannot start, for example without its database, is started again.
				await part.start().catch(async () => {
					if (part.isUp()) await part.kill();
					killed.add(part);
				});
				unreadySince = Date.now();
			} else if (await part.isReady()) unreadySince = Date.now();
			else if (Date.now() - unreadySince > 60_000) {
				part.failures++;
				killed.add(part);
				await part.kill();
			}
			await pause(0.5);
		}
	};
	const kill = async () => {
		const total = parts.reduce((sum, { weight }) => sum + weight, 0);
		while (!isEnding) {
			await pause(secondsPerKill * (0.5 + random()));
			let choice = random() * total;
			const part = parts.find(({ weight }) => (choice -= weight) < 0);
			if (isEnding || !part?.isUp()) continue;
			killed.add(part);
			part.kills++;
			await part.kill();
		}
	};
	const killing = kill();
	const keeping = parts.map(keepUp);
	return async () => {
		isEnding = true;
		await killing;
		await until(
			'all processes',
			async () => (await Promise.all(parts.map(async (one) => await one.isReady()))).every(Boolean),
			300_000,
		);
		isOver = true;
		await Promise.all(keeping);
	};
}
