/**
 * Queues the requests of one account. All runs in this process that use the account share the
 * queue.
 *
 * A request is sent when it has a free slot and getNextSendTime (trafficPolicy.ts) allows it. Further
 * limits of an account belong there, as a part of TrafficState.
 */
import { createBoundedMap } from '../boundedMap';
import { clock } from '../clock';
import {
	addSendTime,
	createTrafficState,
	getCurrentRate,
	countResponseInBurst,
	adjustRateAfterPause,
	adaptConcurrency,
	getNextSendTime,
	calculateNextTurn,
	type PerMinuteLimit,
	type Slots,
} from './trafficPolicy';

/** Request that waits for permission to be sent. */
interface TrafficRequest {
	/** Concurrency slots of the run: shared with all runs of the account unless the run has its own. */
	slots: Slots;
	/** Whether this is a file transfer with storage outside the API, which needs only a slot. */
	isTransfer: boolean;
	perMinuteLimit?: PerMinuteLimit;
	/** Signal that ends the wait. */
	signal?: AbortSignal;
}

interface WaitingRequest {
	/** Sequence number. Requests are sent in the order in which they began to wait. */
	order: number;
	signal?: AbortSignal;
	/** Ends the wait: the request may be sent, or was aborted. */
	settle: (maySend: boolean) => void;
}

/** Requests that wait for the same limits, in the order of their arrival. */
type Lane = Omit<TrafficRequest, 'signal'> & { waiting: WaitingRequest[] };

export type AccountTraffic = ReturnType<typeof createAccountTraffic>;

/** Creates the slots of a run with a fixed number of concurrent requests. */
export const createSlots = (limit: number): Slots => ({ limit, inFlight: 0, waiting: 0 });

/** Creates the request queue of an account that has not sent any request yet. */
export function createAccountTraffic() {
	const state = createTrafficState();
	const sharedSlots = createSlots(state.concurrency);
	let lanes: Lane[] = [];
	let order = 0;
	let timer: { at: number; cancel: () => void } | undefined;
	/**
	 * Number of waiting requests by signal. Each signal has one listener, however many requests wait
	 * for it.
	 */
	const waitingBySignal = new Map<AbortSignal, number>();

	/** Finds the lane whose first request is sent next, and the Unix time in milliseconds for it. */
	function findNextLane(now: number): { lane?: Lane; at: number } {
		let next: { lane?: Lane; at: number; order: number } = { at: Infinity, order: Infinity };
		for (const lane of lanes) {
			const at = Math.max(now, getNextSendTime(state, lane));
			const { order = Infinity } = lane.waiting[0] ?? {};
			if (at < next.at || (at === next.at && order < next.order)) next = { lane, at, order };
		}
		return next;
	}

	/** Sends all requests that may be sent now, and sets a timer for the next one. */
	function sendNext(): void {
		const now = clock.now();
		for (;;) {
			const { lane, at } = findNextLane(now);
			if (!lane || at > now) return setTimer(at);
			takeSlot(lane, now);
			leave(lane, lane.waiting.shift(), true);
		}
	}

	function takeSlot({ slots, isTransfer, perMinuteLimit: limit }: Lane, now: number): void {
		slots.inFlight++;
		if (isTransfer) return;
		state.nextTurn = calculateNextTurn(state, now);
		if (limit) state.sentAt.set(limit.name, addSendTime(state.sentAt.get(limit.name), limit, now));
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
		const { slots, isTransfer, perMinuteLimit, signal } = request;
		let lane = lanes.find(
			(one) =>
				one.slots === slots &&
				one.isTransfer === isTransfer &&
				one.perMinuteLimit?.name === perMinuteLimit?.name,
		);
		if (!lane) {
			lane = { slots, isTransfer, perMinuteLimit, waiting: [] };
			lanes.push(lane);
		}
		lane.waiting.push({ order: order++, signal, settle });
		slots.waiting++;
		if (!signal) return;
		const count = waitingBySignal.get(signal) ?? 0;
		if (count === 0) signal.addEventListener('abort', dropAborted);
		waitingBySignal.set(signal, count + 1);
	}

	function leave(lane: Lane, request: WaitingRequest | undefined, maySend: boolean): void {
		lane.slots.waiting--;
		if (lane.waiting.length === 0) lanes = lanes.filter((one) => one !== lane);
		const { signal, settle } = request ?? {};
		settle?.(maySend);
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
			for (const request of aborted) leave(lane, request, false);
		}
		sendNext();
	}

	async function release(slots: Slots, isOccupied?: Promise<void>): Promise<void> {
		await isOccupied;
		// The next request is sent a moment later, so that a failure or a pause takes effect first.
		await clock.tick();
		slots.inFlight--;
		sendNext();
	}

	return {
		/** Slots that all runs of the account share. Their number adapts to the service. */
		sharedSlots,
		/**
		 * Runs a task as soon as the limits allow. Returns `undefined` if the signal aborts before
		 * that.
		 *
		 * @param getEnd returns a promise that keeps the slot taken after the task, such as until a
		 * stream has been read
		 */
		async send<T>(
			request: TrafficRequest,
			task: () => Promise<T>,
			getEnd?: (result: T) => Promise<void> | undefined,
		): Promise<T | undefined> {
			const { slots, signal } = request;
			if (signal?.aborted) return undefined;
			const maySend = await new Promise<boolean>((settle) => {
				join(request, settle);
				sendNext();
			});
			if (!maySend) return undefined;
			let end: Promise<void> | undefined;
			try {
				const result = await task();
				end = getEnd?.(result);
				return result;
			} finally {
				void release(slots, end);
			}
		},
		/** Adapts the concurrency to a response, and counts the response for the learned rate. */
		reportResponse(isRateLimited: boolean, milliseconds: number): void {
			const now = clock.now();
			const sentAt = now - milliseconds;
			if (!isRateLimited && sentAt >= state.pausedUntil) {
				state.burst = countResponseInBurst(state.burst, sentAt, now);
			}
			// Refusals of requests that were in flight together count once.
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
		 * Pauses all requests of the account for a number of seconds.
		 *
		 * @param isRequested whether the service asked for the pause, which shows that the rate was too
		 * high
		 */
		pause(seconds: number, isRequested: boolean): void {
			const now = clock.now();
			if (isRequested) Object.assign(state, adjustRateAfterPause(state, seconds, now));
			state.pausedUntil = Math.max(state.pausedUntil, now + seconds * 1000);
		},
		/**
		 * Returns the requests per second that the service accepts, or `undefined` if no limit is
		 * known.
		 */
		getRate: (): number | undefined => state.rate && getCurrentRate(state.rate, clock.now()),
	};
}

/** Request queues by account name: at most 200 accounts, each for a day after its last use. */
const trafficByAccount = createBoundedMap<AccountTraffic>(200, 24 * 3600);

/** Returns the request queue that all runs of this process share for an account. */
export function getAccountTraffic(account: string): AccountTraffic {
	const traffic = trafficByAccount.get(account) ?? createAccountTraffic();
	trafficByAccount.set(account, traffic);
	return traffic;
}
