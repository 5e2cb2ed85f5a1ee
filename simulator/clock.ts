/** Simulated time, in Unix seconds. It runs with real time and can be pushed forward. */
export interface Clock {
	now(): number;
	advance(seconds: number): void;
	/** Runs `action` once, `seconds` from now. */
	schedule(seconds: number, action: () => void): void;
	/** Once, `seconds` after `start`, on the clock of the render machines, which `hold` stops. */
	scheduleWork(start: number, seconds: number, action: (at: number) => void): void;
	holdWork(on: boolean): void;
	/** Runs everything that is due; every request does this first. */
	runDueActions(): void;
	clear(): void;
	close(): void;
}

interface ScheduledAction {
	at: number;
	action: (at: number) => void;
}

const maxTimerMs = 1_000_000_000;

export function createClock(): Clock {
	let offset = 0;
	let heldTotal = 0;
	let heldSince: number | null = null;
	let timer: NodeJS.Timeout | undefined;
	let closed = false;
	const lists: { general: ScheduledAction[]; work: ScheduledAction[] } = { general: [], work: [] };

	const now = () => Date.now() / 1000 + offset;
	const workLag = (at = now()) => heldTotal + (heldSince === null ? 0 : at - heldSince);

	// Entries of the work list are kept in work time: general time minus all holds.
	const nextDue = () => {
		const general = lists.general[0];
		const work = heldSince === null ? lists.work[0] : undefined;
		const workAt = work ? work.at + workLag() : Infinity;
		if (general && general.at <= workAt) return { list: lists.general, at: general.at };
		return work ? { list: lists.work, at: workAt } : undefined;
	};

	const insert = (list: ScheduledAction[], due: ScheduledAction) => {
		const index = list.findIndex((other) => other.at > due.at);
		list.splice(index === -1 ? list.length : index, 0, due);
		arm();
	};

	function arm() {
		clearTimeout(timer);
		const next = nextDue();
		if (closed || !next) return;
		const wait = Math.max(0, (next.at - now()) * 1000);
		timer = setTimeout(pump, Math.min(Math.ceil(wait), maxTimerMs));
	}

	function pump() {
		for (let next = nextDue(); next && next.at <= now(); next = nextDue()) {
			next.list.shift()?.action(next.at);
		}
		arm();
	}

	return {
		now,
		runDueActions: pump,
		advance(seconds) {
			offset += seconds;
			pump();
		},
		schedule: (seconds, action) => insert(lists.general, { at: now() + seconds, action }),
		scheduleWork: (start, seconds, action) =>
			insert(lists.work, { at: start - workLag(start) + seconds, action }),
		holdWork(on) {
			pump();
			if (on && heldSince === null) heldSince = now();
			if (!on && heldSince !== null) {
				heldTotal += now() - heldSince;
				heldSince = null;
			}
			arm();
		},
		clear() {
			lists.general.length = 0;
			lists.work.length = 0;
			heldTotal = 0;
			heldSince = null;
			arm();
		},
		close() {
			closed = true;
			clearTimeout(timer);
		},
	};
}
