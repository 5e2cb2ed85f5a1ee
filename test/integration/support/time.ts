/**
 * Time that passes only when nothing else is left to do.
 *
 * While a node runs, its pauses (`clock.sleep`) are not waited for: as soon as no request is on its
 * way and nothing happens any more, the time of the nodes and of the service that they call is
 * pushed on to the end of the shortest pause. Order and lengths of the pauses stay what they are, and a
 * wait of half an hour takes as long as its looks. Between runs, and while a request is on its way,
 * time is real.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Control } from '../../../simulator';
import { clock } from './core';

type ServiceClock = Control['clock'];

interface Pause {
	/** Milliseconds, in the time of the nodes. */
	end: number;
	wake: () => void;
}

interface Awaited {
	condition: () => boolean;
	resolve: () => void;
}

const { now: realNow, sleep: realSleep } = clock;

/** How far the time of the nodes is ahead of real time (milliseconds). */
let ahead = 0;
const now = () => realNow() + ahead;

/** Those that have not ended yet; the one that ends first stands first. */
let pauses: Pause[] = [];
let awaited: Awaited[] = [];

/** What is going on: runs of nodes, those of them that want real time, and the services they call. */
let runs = 0;
let realRuns = 0;
const services = new Map<ServiceClock, number>();

/** Requests of this process: how many there were, and how many have not got their whole answer. */
let requests = 0;
let onTheWay = 0;
function count(message: unknown) {
	requests++;
	onTheWay++;
	(message as { request: ClientRequest }).request.once('close', () => onTheWay--);
}
const created = 'http.client.request.created';
beforeAll(() => subscribe(created, count));
afterAll(() => unsubscribe(created, count));

/** Looks (one each millisecond) that must find nothing going on before time is pushed. */
const looksBeforePush = 3;
let looks = 0;
let requestsBefore = 0;
let watching: NodeJS.Timeout | undefined;

function push(milliseconds: number) {
	ahead += milliseconds;
	for (const service of services.keys()) service.advance(milliseconds / 1000);
}

/** Ends the pauses whose time has come. */
function wake() {
	while (pauses[0] && pauses[0].end <= now()) pauses[0].wake();
}

function look() {
	watching = undefined;
	if (runs === 0) pauses = [];
	wake();
	const met = awaited.filter(({ condition }) => condition());
	awaited = awaited.filter((one) => !met.includes(one));
	for (const { resolve } of met) resolve();

	const busy = met.length > 0 || onTheWay > 0 || requests > requestsBefore || realRuns > 0;
	requestsBefore = requests;
	looks = busy ? 0 : looks + 1;
	if (looks > looksBeforePush && pauses[0]) {
		looks = 0;
		push(Math.max(pauses[0].end - now(), 0));
		wake();
	}
	watch();
}

function watch() {
	if (pauses.length + awaited.length > 0) watching ??= setTimeout(look, 1);
}

/** Counts tests: what one of them has left behind does not go on in another. */
let tests = 0;
afterEach(() => void tests++);

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const test = tests;
	await pause(milliseconds, signal);
	if (test !== tests) await new Promise(() => {});
}

async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	if (milliseconds <= 0) return await realSleep(milliseconds, signal);
	signal?.throwIfAborted();
	await new Promise<void>((resolve, reject) => {
		const finish = (act: () => void) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', stop);
			pauses = pauses.filter((one) => one !== own);
			act();
		};
		const stop = () => finish(() => reject(signal?.reason as Error));
		const own: Pause = { end: now() + milliseconds, wake: () => finish(resolve) };
		// Should a request be on its way for so long, the real time ends the pause.
		const timer = setTimeout(own.wake, milliseconds).unref();
		signal?.addEventListener('abort', stop, { once: true });
		const later = pauses.findIndex(({ end }) => end > own.end);
		pauses.splice(later === -1 ? pauses.length : later, 0, own);
		watch();
	});
}

/** Puts the nodes on this time; for those of a second process, too. */
export const runOn = (nodes: typeof clock) => Object.assign(nodes, { now, sleep });
runOn(clock);

/**
 * Does something in this time, for nodes that call this service.
 *
 * @param service brings its own clock along, where it is a simulator
 * @param realTime pauses are waited for
 */
export async function during<T>(
	service: { control?: Control },
	act: () => Promise<T>,
	realTime = false,
): Promise<T> {
	const own = service.control?.clock;
	if (own) {
		own.advance(Math.max(now() / 1000 - own.now(), 0));
		services.set(own, (services.get(own) ?? 0) + 1);
	}
	runs++;
	if (realTime) realRuns++;
	try {
		return await act();
	} finally {
		runs--;
		if (realTime) realRuns--;
		if (own) {
			const others = (services.get(own) ?? 1) - 1;
			if (others > 0) services.set(own, others);
			else services.delete(own);
		}
	}
}

/** Does something in the middle of a run, so many seconds from now in the time of the nodes. */
export const after = (seconds: number, act: () => void) =>
	void clock.sleep(seconds * 1000).then(act, act);

/** Waits until something has happened; time is not pushed on between that and what the test does then. */
export async function until(condition: () => boolean): Promise<void> {
	if (condition()) return;
	await new Promise<void>((resolve) => {
		awaited.push({ condition, resolve });
		watch();
	});
}
