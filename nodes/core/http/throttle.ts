/**
 * The pace of an account whose service says that it is too much: for as long as it asks, nothing goes
 * at all; then requests go as fast as it has shown that it takes them, and now and then a little
 * faster, to find out whether it takes more.
 */
import { clock } from '../clock';

/** Answers in a row, since the service last held all back. Times in milliseconds. */
export interface ResponseBurst {
	from: number;
	last: number;
	count: number;
}

/** What the service is believed to take. */
export interface RequestRate {
	perSecond: number;
	/** Since when (milliseconds), and for how many seconds no more is tried. */
	since: number;
	quiet: number;
	/** How often in a row it was too much although no more was tried. */
	doubts: number;
}

/** Never slower than this: a service that counts otherwise holds all back by itself. */
const minPerSecond = 0.5;
/** Requests do not take equally long on their way: two may come nearer to each other than they went. */
const rateMargin = 0.97;
/** For so many seconds no more is tried at first. */
const minProbeInterval = 4;
/** A try for more costs the pause that follows it: the longest time between two, in seconds. */
const maxProbeInterval = 64;
/** Where the quiet is over, the pace doubles each second; after so many it is no limit any more. */
const secondsOfGrowth = 10;
/** After so many slower paces that were too much as well, it is not the pace that is refused. */
const maxDoubts = 2;
/** Then none is kept for so long (milliseconds): all obey the service's pauses, and no more. */
const unlimitedPeriod = 60_000;
/** A row of answers ends with a pause of so many milliseconds. */
const burstGap = 2_000;

/** The row of answers after one more, to a request that was sent at that time. */
export function extendBurst(
	burst: ResponseBurst | undefined,
	sent: number,
	now: number,
): ResponseBurst {
	if (!burst || sent - burst.last > burstGap) return { from: sent, last: now, count: 1 };
	return { from: burst.from, last: now, count: burst.count + 1 };
}

/** What may go now, per second; nothing where it is without limit again. */
export function currentRate(
	{ perSecond, quiet, since }: RequestRate,
	now: number,
): number | undefined {
	const grown = Math.max(0, (now - since) / 1000 - quiet);
	return grown < secondsOfGrowth ? perSecond * 2 ** grown : undefined;
}

/**
 * The pace after the service has held all back.
 *
 * @param seconds for which it has, from now
 */
export function learnRate(
	before: RequestRate | undefined,
	burst: ResponseBurst | undefined,
	seconds: number,
	now: number,
): RequestRate {
	const since = now + seconds * 1000;
	const took = burst ? Math.max(seconds, (now - burst.from) / 1000) : seconds;
	const seen = burst ? (rateMargin * burst.count) / Math.max(took, 0.1) : 0;
	if (!before || currentRate(before, now) === undefined) {
		return { perSecond: Math.max(seen, minPerSecond), since, quiet: minProbeInterval, doubts: 0 };
	}
	const quiet = Math.min(before.quiet * 4, maxProbeInterval);
	// A try for more has failed; otherwise it takes less than was believed.
	const isTry = (now - before.since) / 1000 > before.quiet;
	const perSecond = isTry
		? Math.max(before.perSecond * 1.01, seen)
		: Math.max(Math.min(seen, before.perSecond), before.perSecond / 2);
	const doubts = isTry ? 0 : before.doubts + 1;
	return { perSecond: Math.max(perSecond, minPerSecond), since, quiet, doubts };
}

/** What holds back all who share it. */
export interface Throttle {
	/** Holds all back for so many seconds; `told`: the service has said so. */
	hold(seconds: number, told: boolean): void;
	/** Told of each answer that is no refusal of that kind, with the time of its sending. */
	passed(sent: number): void;
	/** Ends when it is one's turn, or when the signal comes. */
	turn(signal: AbortSignal): Promise<void>;
	/** Requests that may go in a second; nothing where there is no limit. */
	perSecond(): number | undefined;
}

/** A turn may make up for so many milliseconds by which those before it came late. */
const maxCatchUp = 20;

/** Ends with the task, or when the signal comes. */
async function untilAborted(task: Promise<void>, signal: AbortSignal): Promise<void> {
	await new Promise<void>((resolve) => {
		const end = () => {
			signal.removeEventListener('abort', end);
			resolve();
		};
		if (signal.aborted) end();
		signal.addEventListener('abort', end, { once: true });
		void task.then(end);
	});
}

/** The throttle of one account. */
export function createThrottle(): Throttle {
	let heldUntil = 0;
	let pace: RequestRate | undefined;
	let burst: ResponseBurst | undefined;
	let nextTurn = 0;
	let unpacedUntil = 0;
	let queue = Promise.resolve();

	const perSecond = () => pace && currentRate(pace, clock.now());
	const pause = async (milliseconds: number, signal: AbortSignal) =>
		await clock.sleep(milliseconds, signal).catch(() => undefined);

	/** Waits for the end of what the service asks for. */
	async function over(signal: AbortSignal): Promise<void> {
		while (!signal.aborted && heldUntil > clock.now()) {
			// Who goes at a pace goes one by one anyway.
			const spread = pace ? 0 : Math.random() * 250;
			await pause(heldUntil - clock.now() + spread, signal);
		}
	}

	/** Waits for the time of the next turn. */
	async function next(signal: AbortSignal): Promise<void> {
		const rate = perSecond();
		if (rate === undefined) return;
		const now = clock.now();
		const at = Math.max(nextTurn, now - maxCatchUp, heldUntil);
		nextTurn = at + 1000 / rate;
		if (at > now) await pause(at - now, signal);
	}

	return {
		perSecond,
		hold(seconds, told) {
			const now = clock.now();
			// Refusals of requests that were on their way together count once.
			if (told && heldUntil <= now && unpacedUntil <= now) {
				pace = learnRate(pace, burst, seconds, now);
				burst = undefined;
				if (pace.doubts > maxDoubts) {
					pace = undefined;
					unpacedUntil = now + unlimitedPeriod;
				}
			}
			heldUntil = Math.max(heldUntil, now + seconds * 1000);
		},
		passed(sent) {
			if (sent >= heldUntil) burst = extendBurst(burst, sent, clock.now());
		},
		async turn(signal) {
			await over(signal);
			if (perSecond() === undefined) return;
			const mine = queue.then(async () => {
				do {
					await over(signal);
					if (!signal.aborted) await next(signal);
				} while (!signal.aborted && heldUntil > clock.now());
			});
			queue = mine;
			// Whoever is before may wait longer than this one wants to.
			await untilAborted(mine, signal);
		},
	};
}
