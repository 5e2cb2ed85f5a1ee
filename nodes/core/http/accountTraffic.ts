/**
 * Queues each account's requests until the account's limits allow them to be sent. Within a
 * process, all node runs that use the same account share one queue.
 *
 * A request is sent when a concurrency slot is free and `getNextSendTime` (trafficPolicy.ts) allows
 * it. To add another limit, extend that function and `TrafficState`.
 */
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import { createOutageDetector } from './pollOutage';
import {
	updateCapacityAfterAcceptance,
	createJobCapacity,
	updateCapacityAfterJobEnd,
	updateCapacityAfterRejection,
	allowCapacityProbeNow,
	releaseReservedCapacity,
	reserveCapacityOrProbe,
	type JobCapacityLimit,
	type JobStartOutcome,
	type JobStartPermissionKind,
	type JobCapacity,
} from './jobCapacity';
import {
	appendSendTime,
	createTrafficState,
	getCurrentRate,
	addResponseToMeasurement,
	calculateRateAfterPause,
	adaptConcurrency,
	getNextSendTime,
	calculateNextSendTimeAtRate,
	type PerMinuteLimit,
	type ConcurrencySlots,
	type TrafficState,
} from './trafficPolicy';

/** Properties of a request that determine when it may be sent. */
interface TrafficRequest {
	/**
	 * Concurrency slots to use. The request occupies one slot while it is in flight. An account's
	 * node runs all share the same slots, except for runs that set their own limit.
	 */
	slots: ConcurrencySlots;
	perMinuteLimit?: PerMinuteLimit;
	/** Limit on running jobs that applies to the request. Set only if the request starts a job. */
	capacity?: JobCapacityLimit;
	/**
	 * Unix time in milliseconds when the request first joined the queue. Retries keep this time.
	 * Defaults to now.
	 */
	since?: number;
	/** Whether this is a retry of a failed request. Retries go to the front of the queue. */
	isRetry?: boolean;
	/** Abort signal that removes the request from the queue. */
	signal?: AbortSignal;
}

/**
 * Result of a queued request, or the reason why it was not sent: it was aborted or waited too long.
 */
export type QueuedRequestResult<T> = { result: T } | { unsent: 'aborted' | 'capacityWaitExpired' };

interface WaitingRequest {
	/**
	 * Sequence number of a waiting request. If requests in different queues (lanes) may be sent at
	 * the same time, the one with the lowest number is sent first.
	 */
	order: number;
	/**
	 * Unix time in milliseconds when the request first joined the queue. Retries keep this time.
	 */
	since: number;
	signal?: AbortSignal;
	/**
	 * Ends the request's wait. Receives the permission to send the request, or the reason why it
	 * was dropped.
	 */
	settle: (permission: JobStartPermissionKind | 'aborted' | 'capacityWaitExpired') => void;
}

/**
 * Queue of requests that wait for the same limits. Retries come first, then the oldest requests.
 */
type Lane = Omit<TrafficRequest, 'since' | 'isRetry' | 'signal'> & { waiting: WaitingRequest[] };

export type AccountTraffic = ReturnType<typeof createAccountTraffic>;

/** Creates a set of concurrency slots, for at most `limit` requests at the same time. */
export const createConcurrencySlots = (limit: number): ConcurrencySlots => ({
	limit,
	inFlight: 0,
	waiting: 0,
});

/** Creates an empty request queue for an account, with the initial limits. */
export function createAccountTraffic() {
	const state = createTrafficState();
	const sharedSlots = createConcurrencySlots(state.concurrency);
	let lanes: Lane[] = [];
	let order = 0;
	let timer: { at: number; cancel: () => void } | undefined;
	/**
	 * Number of waiting requests for each abort signal. All requests that share a signal also share
	 * one listener.
	 */
	const waitingBySignal = new Map<AbortSignal, number>();
	const capacityListeners = new Set<() => void>();
	const notifyCapacityListeners = () => capacityListeners.forEach((listener) => listener());
	/**
	 * The account's request limits before the service rejected a request to start a job. Restored
	 * if the rejection turns out to be due to the limit on running jobs, not to the request rate.
	 */
	let stateBeforeRejection: Partial<TrafficState> = {};

	/**
	 * Finds the queue (lane) whose first request may be sent next, and the Unix time in
	 * milliseconds when it may be sent. All requests in a lane wait for the same limits.
	 */
	function findNextLane(now: number): { lane?: Lane; at: number } {
		let next: { lane?: Lane; at: number; order: number } = { at: Infinity, order: Infinity };
		for (const lane of lanes) {
			const at = Math.max(now, getNextSendTime(state, lane));
			const { order = Infinity } = lane.waiting[0] ?? {};
			if (at < next.at || (at === next.at && order < next.order)) next = { lane, at, order };
		}
		return next;
	}

	/**
	 * Sends all requests that the account's limits allow now, and sets a timer for the next one.
	 */
	function sendNext(): void {
		const now = clock.now();
		for (;;) {
			dropExpired(now);
			const { lane, at } = findNextLane(now);
			if (!lane || at > now) return setTimer(Math.min(at, ...lanes.map(getCapacityWaitExpiry)));
			const permission = takeSlot(lane, now);
			leave(lane, lane.waiting.shift(), permission);
		}
	}

	const getCapacity = (name: string): JobCapacity =>
		state.capacity.get(name) ?? createJobCapacity();

	const isWaitingForCapacity = (name: string) =>
		lanes.some(({ capacity, waiting }) => capacity?.name === name && waiting.length > 0);

	/**
	 * Returns the Unix time in milliseconds when the first request in a queue expires, or
	 * `Infinity` if it cannot expire yet. A request expires if the service starts no job for the
	 * maximum waiting time. No request expires until the service has rejected a probe (a request
	 * that tests whether another job can start). Earlier rejections may only mean that requests
	 * were sent too fast.
	 */
	function getCapacityWaitExpiry({ capacity: limit, waiting: [first] }: Lane): number {
		if (!limit || !first) return Infinity;
		const { fullSince, acceptedAt, rejectedProbes } = getCapacity(limit.name);
		if (fullSince === undefined || rejectedProbes === 0) return Infinity;
		return Math.max(first.since, fullSince, acceptedAt) + limit.maxWait * 1000;
	}

	function dropExpired(now: number): void {
		for (const lane of [...lanes]) {
			while (getCapacityWaitExpiry(lane) <= now)
				leave(lane, lane.waiting.shift(), 'capacityWaitExpired');
		}
	}

	function takeSlot(lane: Lane, now: number): JobStartPermissionKind {
		const { slots, perMinuteLimit: limit, capacity } = lane;
		slots.inFlight++;
		state.nextTurn = calculateNextSendTimeAtRate(state, now);
		if (limit)
			state.sentAt.set(limit.name, appendSendTime(state.sentAt.get(limit.name), limit, now));
		if (!capacity) return 'unlimited';
		const [permission, left] = reserveCapacityOrProbe(getCapacity(capacity.name));
		state.capacity.set(capacity.name, left);
		return permission;
	}

	function setTimer(at: number): void {
		if (timer?.at === at) return;
		timer?.cancel();
		timer = undefined;
		if (at === Infinity) return;
		const controller = new AbortController();
		timer = { at, cancel: () => controller.abort() };
		const wake = () => {
			timer = undefined;
			sendNext();
		};
		void clock.sleep(at - clock.now(), controller.signal).then(wake, () => undefined);
	}

	function join(request: TrafficRequest, settle: WaitingRequest['settle']): void {
		const { slots, perMinuteLimit, capacity, signal } = request;
		let lane = lanes.find(
			(one) =>
				one.slots === slots &&
				one.perMinuteLimit?.name === perMinuteLimit?.name &&
				one.capacity?.name === capacity?.name &&
				one.capacity?.maxWait === capacity?.maxWait,
		);
		if (!lane) {
			lane = { slots, perMinuteLimit, capacity, waiting: [] };
			lanes.push(lane);
		}
		const { since = clock.now(), isRetry = false } = request;
		if (capacity && !isRetry && !isWaitingForCapacity(capacity.name)) {
			const resumed = allowCapacityProbeNow(getCapacity(capacity.name), clock.now());
			state.capacity.set(capacity.name, resumed);
		}
		const waiting = { order: order++, since, signal, settle };
		if (isRetry) lane.waiting.unshift(waiting);
		else lane.waiting.push(waiting);
		slots.waiting++;
		if (!signal) return;
		const count = waitingBySignal.get(signal) ?? 0;
		if (count === 0) signal.addEventListener('abort', dropAborted);
		waitingBySignal.set(signal, count + 1);
	}

	function leave(
		lane: Lane,
		request: WaitingRequest | undefined,
		permission: JobStartPermissionKind | 'aborted' | 'capacityWaitExpired',
	): void {
		lane.slots.waiting--;
		if (lane.waiting.length === 0) lanes = lanes.filter((one) => one !== lane);
		const { signal, settle } = request ?? {};
		settle?.(permission);
		if (!signal) return;
		const count = (waitingBySignal.get(signal) ?? 1) - 1;
		if (count > 0) return void waitingBySignal.set(signal, count);
		waitingBySignal.delete(signal);
		signal.removeEventListener('abort', dropAborted);
	}

	function dropAborted(): void {
		for (const lane of [...lanes]) {
			const aborted = lane.waiting.filter(({ signal }) => signal?.aborted);
			lane.waiting = lane.waiting.filter(({ signal }) => !signal?.aborted);
			for (const request of aborted) leave(lane, request, 'aborted');
		}
		sendNext();
	}

	async function release(slots: ConcurrencySlots, isOccupied?: Promise<void>): Promise<void> {
		await isOccupied;
		// The next request is sent a moment later, so that a failure or a pause takes effect first.
		await clock.tick();
		slots.inFlight--;
		sendNext();
	}

	return {
		outage: createOutageDetector(),
		/**
		 * Concurrency slots shared by all of the account's node runs. The number of slots adapts to
		 * the service's responses.
		 */
		sharedSlots,
		/**
		 * Sends a request by running `task` as soon as the account's limits allow. The task does
		 * not run if the request's signal aborts first, or if the request has waited too long for
		 * the service to accept another job.
		 *
		 * @param getEnd returns a promise if the request's slot should stay occupied after the
		 * task, for example until a stream has been read. The slot becomes free when the promise
		 * resolves
		 */
		async send<T>(
			request: TrafficRequest,
			task: (permission: JobStartPermissionKind) => Promise<T>,
			getEnd?: (result: T) => Promise<void> | undefined,
		): Promise<QueuedRequestResult<T>> {
			const { slots, signal } = request;
			if (signal?.aborted) return { unsent: 'aborted' };
			const permission = await new Promise<
				JobStartPermissionKind | 'aborted' | 'capacityWaitExpired'
			>((settle) => {
				join(request, settle);
				sendNext();
			});
			if (permission === 'aborted' || permission === 'capacityWaitExpired')
				return { unsent: permission };
			let end: Promise<void> | undefined;
			try {
				const result = await task(permission);
				end = getEnd?.(result);
				return { result };
			} finally {
				void release(slots, end);
			}
		},
		/**
		 * Uses a response to adapt the limit on concurrent requests and to estimate the request
		 * rate that the service accepts.
		 */
		reportResponse(isRateLimited: boolean, milliseconds: number): void {
			const now = clock.now();
			const sentAt = now - milliseconds;
			if (!isRateLimited && sentAt >= state.pausedUntil) {
				state.series = addResponseToMeasurement(state.series, sentAt, now);
			}
			// Rejections of requests that were in flight together count once.
			if (isRateLimited && now - state.halvedAt < 1000) return;
			if (isRateLimited) state.halvedAt = now;
			else state.fastest = Math.min(state.fastest, milliseconds);
			state.concurrency = adaptConcurrency(state.concurrency, {
				isRateLimited,
				isSaturated: sharedSlots.inFlight + sharedSlots.waiting >= sharedSlots.limit,
				milliseconds,
				fastest: state.fastest,
			});
			sharedSlots.limit = Math.floor(state.concurrency);
		},
		/**
		 * Pauses all of the account's requests for a number of seconds.
		 *
		 * @param isRequested whether the service asked for the pause. If so, requests were sent too
		 * fast, and the estimated request rate is adjusted
		 */
		pause(seconds: number, isRequested: boolean): void {
			const now = clock.now();
			if (isRequested) Object.assign(state, calculateRateAfterPause(state, seconds, now));
			state.pausedUntil = Math.max(state.pausedUntil, now + seconds * 1000);
		},
		/**
		 * Records whether the service accepted or rejected a request to start a job.
		 *
		 * @param seconds length of the pause that the service asked for, if any
		 */
		reportCreate(
			{ name }: JobCapacityLimit,
			permission: JobStartPermissionKind,
			outcome: JobStartOutcome,
			seconds = 0,
		): void {
			const now = clock.now();
			const before = getCapacity(name);
			if (outcome === 'rejected') {
				if (before.fullSince === undefined) {
					const { concurrency, halvedAt, rate, series, ignoresRateUntil } = state;
					stateBeforeRejection = { concurrency, halvedAt, rate, series, ignoresRateUntil };
				}
				const rejection = { seconds, random: Math.random() };
				const after = updateCapacityAfterRejection(before, permission, rejection, now);
				state.capacity.set(name, after);
				// The account is running its maximum number of jobs, so the requests were not sent
				// too fast.
				if (before.rejectedProbes === 0 && after.rejectedProbes > 0) {
					Object.assign(state, stateBeforeRejection);
					sharedSlots.limit = Math.floor(state.concurrency);
				}
				notifyCapacityListeners();
			} else {
				const change =
					outcome === 'accepted' ? updateCapacityAfterAcceptance : releaseReservedCapacity;
				state.capacity.set(name, change(before, permission, now));
			}
		},
		/**
		 * Records that a job has ended, so that a waiting request may start the next job.
		 *
		 * @param wasRunning whether the job was seen running after the account reached its limit
		 */
		reportJobEnd(name: string, wasRunning: boolean): void {
			state.capacity.set(
				name,
				updateCapacityAfterJobEnd(getCapacity(name), wasRunning, clock.now()),
			);
			sendNext();
		},
		/**
		 * Records how many running jobs this process knows about. `name` identifies the limit that
		 * the jobs count toward.
		 */
		setRunningJobs(name: string, running: number): void {
			state.capacity.set(name, { ...getCapacity(name), running });
			notifyCapacityListeners();
		},
		/**
		 * Returns how many running jobs this process knew about when the service refused to start
		 * another job. Returns the lowest number if this happened several times, and 0 if it never
		 * happened. The first rejection does not count, because it may only mean that requests were
		 * sent too fast.
		 */
		getRunningWhenFull: (name: string): number => getCapacity(name).runningWhenFull ?? 0,
		/**
		 * Returns the Unix time in milliseconds when the account reached its limit on running jobs.
		 * Returns `undefined` if the account is not known to be at the limit, or if no request is
		 * waiting to start a job.
		 */
		getFullSince: (name: string): number | undefined =>
			isWaitingForCapacity(name) ? getCapacity(name).fullSince : undefined,
		/**
		 * Registers a listener to call whenever the service rejects another request to start a job or
		 * the number of running jobs changes. Returns a function that removes the listener.
		 */
		onCapacityChange(listener: () => void): () => void {
			capacityListeners.add(listener);
			return () => void capacityListeners.delete(listener);
		},
		/**
		 * Returns the number of requests per second that the service accepts, or `undefined` if no
		 * limit is known.
		 */
		getRate: (): number | undefined => state.rate && getCurrentRate(state.rate, clock.now()),
	};
}

/**
 * Request queues by account name. Keeps at most 200 queues, each for 24 hours after its last use.
 */
const trafficByAccount = createBoundedMap<AccountTraffic>(200, 24 * 3600);

/** Returns an account's request queue, which all node runs in this process share. */
export function getAccountTraffic(account: string): AccountTraffic {
	const traffic = trafficByAccount.get(account) ?? createAccountTraffic();
	trafficByAccount.set(account, traffic);
	return traffic;
}
