/**
 * Queues each account's requests until the account's limits allow them to be sent. Within a
 * process, all node runs that use the same account share one queue.
 *
 * A request is sent when a concurrency slot is free and `getNextSendTime` (trafficPolicy.ts) allows
 * it. To add another limit, extend that function and `TrafficState`. Times are milliseconds of the
 * monotonic clock, because setting back the system clock must not stretch a pause.
 */
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import {
	allowCapacityProbeNow,
	createJobCapacity,
	updateCapacityAfterAcceptance,
	updateCapacityAfterJobEnd,
	updateCapacityAfterRejection,
	type JobCapacity,
	type JobCapacityLimit,
	type JobStartOutcome,
} from './jobCapacity';
import { isSuccess, type AttemptOutcome, type FailedAttempt } from './reply';
import { showsOutage } from './retryPolicy';
import {
	appendSendTime,
	createTrafficState,
	getCurrentRate,
	addResponseToMeasurement,
	calculateRateAfterPause,
	adaptConcurrency,
	fastestTimeGrowth,
	getNextSendTime,
	calculateNextSendTimeAtRate,
	type ConcurrencySlots,
	type RequestLimits,
	type TrafficState,
} from './trafficPolicy';

interface TrafficRequest extends RequestLimits {
	/** Time when the request's first attempt joined the queue. Defaults to now. */
	since?: number;
	/** Whether this is a retry. Retries go to the front of the queue. */
	isRetry?: boolean;
	signal?: AbortSignal;
}

/** How a wait in the queue has ended. `probe`: send the request to test whether a job can start. */
type Turn = 'send' | 'probe' | 'aborted';

interface WaitingRequest {
	/** Among the requests that may be sent, the one with the lowest order is sent first. */
	order: number;
	since: number;
	signal?: AbortSignal;
	settle: (turn: Turn) => void;
}

/** Queue of requests under the same limits. Retries come first, then the oldest requests. */
interface Lane extends RequestLimits {
	waiting: WaitingRequest[];
}

export type AccountTraffic = ReturnType<typeof createAccountTraffic>;

export const createConcurrencySlots = (limit: number): ConcurrencySlots => ({
	limit,
	inFlight: 0,
	waiting: 0,
});

/** Number of consecutive failed polls after which most polls are skipped. */
const failuresBeforeOutage = 3;

/** Milliseconds between the polls that are sent during an outage. */
const probeInterval = 15_000;

/** Whether a reply shows that the service is up, unlike a proxy's error page or a 401. */
const showsAvailability = (reply: AttemptOutcome) =>
	isSuccess(reply) ||
	(reply.kind === 'rejection' && reply.isFromService && reply.status < 500 && reply.status !== 401);

/**
 * Creates a detector that records replies and predicts whether a poll would fail. While the service
 * is down, a thousand suspended executions would otherwise send thousands of useless requests.
 */
export function createOutageDetector() {
	let failures = 0;
	let last: FailedAttempt | undefined;
	let nextProbeAt = 0;
	return {
		/**
		 * Records a reply. Only failed polls are signs of an outage: the service may reject other
		 * requests because of their content.
		 */
		record(reply: AttemptOutcome, isPoll: boolean): void {
			if (showsAvailability(reply)) failures = 0;
			if (isSuccess(reply) || !showsOutage(reply) || !isPoll) return;
			failures++;
			last = reply;
			nextProbeAt = clock.elapsed() + probeInterval;
		},
		/** Returns the failure to report instead of sending a poll, or `undefined` to send it. */
		predictFailure(): FailedAttempt | undefined {
			if (failures < failuresBeforeOutage) return undefined;
			if (clock.elapsed() < nextProbeAt) return last;
			nextProbeAt = clock.elapsed() + probeInterval;
			return undefined;
		},
	};
}

export function createAccountTraffic() {
	const state = createTrafficState();
	const sharedSlots = createConcurrencySlots(state.concurrency);
	let lanes: Lane[] = [];
	let order = 0;
	let timer: { at: number; cancel: () => void } | undefined;
	/**
	 * Limits as they were before a request to start a job was rejected. They are restored if the
	 * rejection turns out to come from the limit on running jobs.
	 */
	let stateBeforeRejection: Partial<TrafficState> = {};

	function findNextLane(now: number): { lane?: Lane; at: number } {
		let next: { lane?: Lane; at: number; order: number } = { at: Infinity, order: Infinity };
		for (const lane of lanes) {
			const { order = Infinity, since = now } = lane.waiting[0] ?? {};
			const deadline = lane.capacity && getCapacityDeadline(lane.capacity, since);
			const at = Math.max(now, getNextSendTime(state, lane, deadline));
			if (at < next.at || (at === next.at && order < next.order)) next = { lane, at, order };
		}
		return next;
	}

	function sendNext(): void {
		const now = clock.elapsed();
		for (;;) {
			lanes = lanes.filter(({ waiting }) => waiting.length > 0);
			const { lane, at } = findNextLane(now);
			if (!lane || at > now) return setTimer(at);
			const turn = takeSlot(lane, now);
			lane.waiting.shift()?.settle(turn);
		}
	}

	const getCapacity = (name: string): JobCapacity =>
		state.capacity.get(name) ?? createJobCapacity();

	function updateCapacity(name: string, update: (before: JobCapacity) => JobCapacity): JobCapacity {
		const after = update(getCapacity(name));
		state.capacity.set(name, after);
		return after;
	}

	const isWaitingForCapacity = (name: string) =>
		lanes.some(({ capacity, waiting }) => capacity?.name === name && waiting.length > 0);

	/**
	 * Returns when a request must stop waiting to start a job. The wait starts over whenever the
	 * service starts another job.
	 */
	function getCapacityDeadline({ name, maxWait }: JobCapacityLimit, since: number): number {
		const { fullSince = -Infinity, acceptedAt } = getCapacity(name);
		return Math.max(since, fullSince, acceptedAt) + maxWait * 1000;
	}

	function takeSlot({ slots, perMinuteLimit: limit, capacity }: Lane, now: number): Turn {
		slots.inFlight++;
		state.nextTurn = calculateNextSendTimeAtRate(state, now);
		if (limit)
			state.sentAt.set(limit.name, appendSendTime(state.sentAt.get(limit.name), limit, now));
		if (!capacity || getCapacity(capacity.name).fullSince === undefined) return 'send';
		updateCapacity(capacity.name, (known) => ({ ...known, isProbing: true }));
		return 'probe';
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
		void clock.sleep(at - clock.elapsed(), controller.signal).then(wake, () => undefined);
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
		const { since = clock.elapsed(), isRetry = false } = request;
		if (capacity && !isRetry && !isWaitingForCapacity(capacity.name)) {
			updateCapacity(capacity.name, (known) =>
				known.isProbing ? known : allowCapacityProbeNow(known, clock.elapsed()),
			);
		}
		const waiting = { order: order++, since, signal, settle };
		if (isRetry) lane.waiting.unshift(waiting);
		else lane.waiting.push(waiting);
	}

	function dropAborted(): void {
		for (const lane of lanes) {
			for (const { signal, settle } of lane.waiting) if (signal?.aborted) settle('aborted');
			lane.waiting = lane.waiting.filter(({ signal }) => !signal?.aborted);
		}
		sendNext();
	}

	async function release(slots: ConcurrencySlots, isOccupied?: Promise<void>): Promise<void> {
		await isOccupied;
		// Waits a moment, so that a failure or pause takes effect before the next request is sent.
		await clock.tick();
		slots.inFlight--;
		sendNext();
	}

	return {
		outage: createOutageDetector(),
		/** Slots for concurrent requests. Their number adapts to the service's responses. */
		sharedSlots,
		/**
		 * Runs `task` as soon as the account's limits allow, unless the signal aborts first.
		 *
		 * @param task receives whether the request tests if the account can start another job
		 * @param getEnd returns a promise that keeps the request's slot occupied until it resolves, for
		 * example when a stream has been read
		 */
		async send<T>(
			request: TrafficRequest,
			task: (isProbe: boolean) => Promise<T>,
			getEnd?: (result: T) => Promise<void> | undefined,
		): Promise<T | 'aborted'> {
			const { slots, signal } = request;
			if (signal?.aborted) return 'aborted';
			// A separate listener, so that requests with the same signal do not remove each other's.
			const drop = () => dropAborted();
			signal?.addEventListener('abort', drop);
			slots.waiting++;
			const turn = await new Promise<Turn>((settle) => {
				join(request, settle);
				sendNext();
			});
			slots.waiting--;
			signal?.removeEventListener('abort', drop);
			if (turn === 'aborted') return turn;
			let end: Promise<void> | undefined;
			try {
				const result = await task(turn === 'probe');
				end = getEnd?.(result);
				return result;
			} finally {
				void release(slots, end);
			}
		},
		/** Adapts the limit on concurrent requests and the estimated request rate to a response. */
		reportResponse(isRateLimited: boolean, milliseconds: number): void {
			const now = clock.elapsed();
			const sentAt = now - milliseconds;
			if (!isRateLimited && sentAt >= state.pausedUntil) {
				state.series = addResponseToMeasurement(state.series, sentAt, now);
			}
			// Rejections of requests that were in flight together count once.
			if (isRateLimited && now - state.halvedAt < 1000) return;
			if (isRateLimited) state.halvedAt = now;
			else state.fastest = Math.min(state.fastest * fastestTimeGrowth, milliseconds);
			state.concurrency = adaptConcurrency(state.concurrency, {
				isRateLimited,
				isSaturated: sharedSlots.inFlight + sharedSlots.waiting >= sharedSlots.limit,
				milliseconds,
				fastest: state.fastest,
			});
			sharedSlots.limit = Math.floor(state.concurrency);
		},
		/**
		 * Pauses all of the account's requests.
		 *
		 * @param isRequested whether the service asked for the pause, with `Retry-After`
		 */
		pause(seconds: number, isRequested: boolean): void {
			const now = clock.elapsed();
			if (isRequested) Object.assign(state, calculateRateAfterPause(state, seconds, now));
			state.pausedUntil = Math.max(state.pausedUntil, now + seconds * 1000);
		},
		/** Records whether a request has started a job. `seconds`: pause that the service asked for. */
		reportCreate(
			{ name }: JobCapacityLimit,
			isProbe: boolean,
			outcome: JobStartOutcome,
			seconds = 0,
		): void {
			const now = clock.elapsed();
			if (outcome === 'accepted') {
				updateCapacity(name, (known) => updateCapacityAfterAcceptance(known, isProbe, now));
			}
			if (outcome === 'unknown' && isProbe) {
				updateCapacity(name, (known) => ({ ...known, isProbing: false }));
			}
			if (outcome !== 'rejected') return;
			const before = getCapacity(name);
			if (before.fullSince === undefined) {
				const { concurrency, halvedAt, rate, series, ignoresRateUntil } = state;
				stateBeforeRejection = { concurrency, halvedAt, rate, series, ignoresRateUntil };
			}
			const rejection = { seconds, random: Math.random() };
			const after = updateCapacity(name, (known) =>
				updateCapacityAfterRejection(known, isProbe, rejection, now),
			);
			// The account is running its maximum number of jobs, so the requests were not sent too fast.
			if (before.rejectedProbes === 0 && after.rejectedProbes > 0) {
				Object.assign(state, stateBeforeRejection);
				sharedSlots.limit = Math.floor(state.concurrency);
			}
		},
		/** Records that a job has ended, so that a waiting request can start the next one. */
		reportJobEnd(name: string): void {
			updateCapacity(name, (known) => updateCapacityAfterJobEnd(known, clock.elapsed()));
			sendNext();
		},
		/** Whether jobs that this process has started may still be running. */
		hasRunningJobs: (name: string): boolean => getCapacity(name).starts.length > 0,
		/** Whether other clients seem to start jobs as soon as jobs of this process end. */
		isContested: (name: string): boolean => getCapacity(name).isContested,
		getCapacityDeadline,
		/** Returns the requests per second that the service accepts, or undefined if unknown. */
		getRate: (): number | undefined => state.rate && getCurrentRate(state.rate, clock.elapsed()),
	};
}

/** Traffic of each account, kept for 24 hours after its last use. */
const trafficByAccount = createBoundedMap<AccountTraffic>(200, 24 * 3600);

export function getAccountTraffic(account: string): AccountTraffic {
	const traffic = trafficByAccount.get(account) ?? createAccountTraffic();
	trafficByAccount.set(account, traffic);
	return traffic;
}
