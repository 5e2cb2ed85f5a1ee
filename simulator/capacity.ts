/**
 * Limits the number of jobs that an account runs at the same time. Videos, agent sessions and
 * translations count together, realtime avatars on their own (service.md, Rate limits and retries).
 */
import { createError } from './errors';
import type { Service } from './service';

export type CapacityPool = 'jobs' | 'streams';

const poolsByKind: Record<string, CapacityPool> = {
	video: 'jobs',
	session: 'jobs',
	translation: 'jobs',
	stream: 'streams',
};

const getLimit = ({ state: { workspace } }: Service, pool: CapacityPool) =>
	pool === 'jobs' ? workspace.jobsAtOnce : workspace.streamsAtOnce;

const hasCapacity = (service: Service, pool: CapacityPool) =>
	service.state.running[pool].size < getLimit(service, pool);

/** Throws 429 while the account runs as many jobs as it may. The error ends only when a job ends. */
export function checkCapacity(service: Service, pool: CapacityPool): void {
	if (hasCapacity(service, pool)) return;
	const { capacityRetryAfter } = service.state.workspace;
	const message = `The account runs ${getLimit(service, pool)} jobs, as many as it may`;
	throw createError(429, 'rate_limit_exceeded', message, null, {
		headers: capacityRetryAfter === null ? {} : { 'retry-after': String(capacityRetryAfter) },
	});
}

/** Counts a job as running until `freeCapacity`. */
export function takeCapacity({ state }: Service, { id, kind }: { id: string; kind: string }): void {
	const pool = poolsByKind[kind];
	if (pool) state.running[pool].add(id);
}

/** Stops counting a job, and starts the next queued items of batches. */
export function freeCapacity(
	service: Service,
	{ id, kind }: { id: string; kind: string },
	at: number,
): void {
	const pool = poolsByKind[kind];
	if (!pool || !service.state.running[pool].delete(id) || pool === 'streams') return;
	const { queued } = service.state;
	while (queued.length > 0 && hasCapacity(service, 'jobs')) queued.shift()?.(at);
}

/**
 * Starts an item of a batch now, or as soon as the account may run another job. A batch itself is
 * never rejected: its items are `queued` meanwhile.
 *
 * @param kind kind of the job that the item starts; unlimited kinds start immediately
 */
export function startWhenPossible(
	service: Service,
	kind: string,
	start: (at: number) => void,
): void {
	const { queued } = service.state;
	const isLimited = poolsByKind[kind] === 'jobs';
	if (isLimited && (queued.length > 0 || !hasCapacity(service, 'jobs'))) queued.push(start);
	else start(service.clock.now());
}
