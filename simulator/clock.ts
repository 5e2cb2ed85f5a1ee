/** Simulated time in Unix seconds. It runs with real time and can be advanced. */
export interface Clock {
	now(): number;
	advance(seconds: number): void;
	/** Runs the action once, `seconds` from now. */
	schedule(seconds: number, action: () => void): void;
	/** Runs the action once, `seconds` after `start`. `holdWork` stops this time, so that jobs pause. */
	scheduleWork(start: number, seconds: number, action: (at: number) => void): void;
	holdWork(on: boolean): void;
	/** Runs all due actions. Every request calls it first, because timers may be late. */
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
	const getWorkLag = (at = now()) => heldTotal + (heldSince === null ? 0 : at - heldSince);

	// The work list is in work time: the general time minus all holds.
	const findNextDue = () => {
		const general = lists.general[0];
		const work = heldSince === null ? lists.work[0] : undefined;
		const workAt = work ? work.at + getWorkLag() : Infinity;
		if (general && general.at <= workAt) return { list: lists.general, at: general.at };
		return work ? { list: lists.work, at: workAt } : undefined;
	};

	const insert = (list: ScheduledAction[], due: ScheduledAction) => {
		const index = list.findIndex((other) => other.at > due.at);
		list.splice(index === -1 ? list.length : index, 0, due);
		armTimer();
	};

	function armTimer() {
		clearTimeout(timer);
		const next = findNextDue();
		if (closed || !next) return;
		const wait = Math.max(0, (next.at - now()) * 1000);
		timer = setTimeout(runDueActions, Math.min(Math.ceil(wait), maxTimerMs));
	}

	function runDueActions() {
		for (let next = findNextDue(); next && next.at <= now(); next = findNextDue()) {
			next.list.shift()?.action(next.at);
		}
		armTimer();
	}

	return {
		now,
		runDueActions,
		advance(seconds) {
			offset += seconds;
			runDueActions();
		},
		schedule: (seconds, action) => insert(lists.general, { at: now() + seconds, action }),
		scheduleWork: (start, seconds, action) =>
			insert(lists.work, { at: start - getWorkLag(start) + seconds, action }),
		holdWork(on) {
			runDueActions();
			if (on && heldSince === null) heldSince = now();
			if (!on && heldSince !== null) {
				heldTotal += now() - heldSince;
				heldSince = null;
			}
			armTimer();
		},
		clear() {
			lists.general.length = 0;
			lists.work.length = 0;
			heldTotal = 0;
			heldSince = null;
			armTimer();
		},
		close() {
			closed = true;
			clearTimeout(timer);
		},
	};
}
