/**
 * Virtual time, which passes only when the nodes are idle.
 *
 * Pauses of a running node (`clock.sleep`) take no real time: as soon as no request is in flight, the
 * clocks of the nodes and of the service advance to the end of the shortest pause. Order and lengths of
 * the pauses do not change, and a wait of half an hour takes only as long as its polls. Between runs,
 * and while a request is in flight, time is real.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Control } from '../../../simulator';
import { clock } from './core';

type ServiceClock = Control['clock'];

interface Pause {
	/** Milliseconds, by the monotonic clock of the nodes. */
	end: number;
	resume: () => void;
}

interface Condition {
	condition: () => boolean;
	resolve: () => void;
}

const { now: realNow } = clock;

/** Milliseconds by which virtual time is ahead of real time. */
let ahead = 0;
const elapsed = () => realNow() + ahead;

/** How far the system's clock has been set back, in milliseconds. */
let setBack = 0;
const now = () => elapsed() - setBack;

/** Pauses that have not ended yet, sorted by their end. */
let pauses: Pause[] = [];
let conditions: Condition[] = [];

/** Runs of nodes, and the clocks of the services that they call. */
let runs = 0;
const services = new Map<ServiceClock, number>();

/** Requests of this process: their total number, and those without a complete response. */
let requests = 0;
const inFlight = new Set<ClientRequest>();
function countRequest(message: unknown) {
	const { request } = message as { request: ClientRequest };
	requests++;
	inFlight.add(request);
	let isCompressed = false;
	const remove = () => inFlight.delete(request);
	// Another thread decompresses a response, and may do so after its connection has closed.
	const end = () => (isCompressed ? setTimeout(remove, 2_000) : remove());
	request.once('close', end);
	request.once('response', (response: IncomingMessage) => {
		// n8n's HTTP client has already removed the header from `headers`.
		isCompressed = response.rawHeaders.some((name) => /^content-encoding$/i.test(name));
		// If the response is complete before the server has read the body, `close` may come much later.
		response.once('close', end);
	});
}
const created = 'http.client.request.created';
subscribe(created, countRequest);

/**
 * Rounds of the event loop that must find the nodes idle before time advances. Several, because a
 * round can end between two steps of the same work.
 */
const idleChecksBeforePush = 16;
let idleChecks = 0;
let requestsBefore = 0;
let isCheckScheduled = false;

/** Returns whether this process waits for a file, an address or another result of the system. */
const isSystemBusy = () => process.getActiveResourcesInfo().some((name) => /Req/.test(name));

/** Says what a test waits for that has been running for a minute: the runner knows only the file. */
function watchForHangs() {
	let watched = '';
	let rounds = 0;
	setInterval(() => {
		const test = getTest();
		rounds = test === watched && (runs > 0 || inFlight.size > 0) ? rounds + 1 : 0;
		watched = test;
		if (rounds !== 2) return;
		const open = [...inFlight].map(({ method, path }) => `${method} ${path}`);
		console.error(`${test} is still running. ${runs} runs, ${pauses.length} pauses
${conditions.length} conditions, requests in flight: ${open.join(', ')}
waits of Node: ${process.getActiveResourcesInfo().join(', ')}`);
	}, 20_000).unref();
}
watchForHangs();

function advance(milliseconds: number) {
	ahead += milliseconds;
	for (const service of services.keys()) service.advance(milliseconds / 1000);
}

/** Ends the pauses that are over. */
function endPauses() {
	while (pauses[0] && pauses[0].end <= elapsed()) pauses[0].resume();
}

function check() {
	isCheckScheduled = false;
	if (runs === 0) pauses = [];
	endPauses();
	const fulfilled = conditions.filter(({ condition }) => condition());
	conditions = conditions.filter((one) => !fulfilled.includes(one));
	for (const { resolve } of fulfilled) resolve();

	const busy =
		fulfilled.length > 0 || inFlight.size > 0 || requests > requestsBefore || isSystemBusy();
	requestsBefore = requests;
	idleChecks = busy ? 0 : idleChecks + 1;
	if (idleChecks > idleChecksBeforePush && pauses[0]) {
		idleChecks = 0;
		advance(Math.max(pauses[0].end - elapsed(), 0));
		endPauses();
	}
	scheduleCheck();
}

/** Schedules the next check: after this round of the event loop if it can advance time. */
function scheduleCheck() {
	if (isCheckScheduled || pauses.length + conditions.length === 0) return;
	isCheckScheduled = true;
	if (pauses.length > 0 && inFlight.size === 0) setImmediate(check);
	else setTimeout(check, 1);
}

/** The test that is running: a pause that one test leaves behind must not continue in another. */
function getTest(): string {
	const { testPath, currentTestName } = expect.getState();
	return `${testPath} ${currentTestName}`;
}

async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
	const test = getTest();
	await pause(milliseconds, signal);
	if (test !== getTest()) await new Promise(() => {});
}

async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	if (milliseconds <= 0) return await nextRound();
	await new Promise<void>((resolve, reject) => {
		const finish = (act: () => void) => {
			clearTimeout(timer);
			signal?.removeEventListener('abort', stop);
			pauses = pauses.filter((one) => one !== own);
			act();
		};
		const stop = () => finish(() => reject(signal?.reason as Error));
		const own: Pause = { end: elapsed() + milliseconds, resume: () => finish(resolve) };
		// If a request is in flight for that long, real time ends the pause.
		const timer = setTimeout(own.resume, milliseconds).unref();
		signal?.addEventListener('abort', stop, { once: true });
		const later = pauses.findIndex(({ end }) => end > own.end);
		pauses.splice(later === -1 ? pauses.length : later, 0, own);
		scheduleCheck();
	});
}

/** Makes nodes use virtual time, also those of a second process. */
export const useVirtualTime = (nodes: typeof clock) =>
	Object.assign(nodes, { now, elapsed, sleep, tick: nextRound });
useVirtualTime(clock);

/**
 * Runs an action in virtual time, for nodes that call this service.
 *
 * @param service if it is a simulator, its clock advances too
 */
export async function withVirtualTime<T>(
	service: { control?: Control },
	act: () => Promise<T>,
): Promise<T> {
	const own = service.control?.clock;
	if (own) {
		own.advance(Math.max(now() / 1000 - own.now(), 0));
		services.set(own, (services.get(own) ?? 0) + 1);
	}
	runs++;
	try {
		return await act();
	} finally {
		runs--;
		if (own) {
			const others = (services.get(own) ?? 1) - 1;
			if (others > 0) services.set(own, others);
			else services.delete(own);
		}
	}
}

/**
 * Stops this process for N seconds, as a laptop that sleeps does: all pauses that end meanwhile end
 * together after that.
 */
export const stopProcess = (seconds: number) => advance(seconds * 1000);

/** Sets the system's clock back by N seconds, or to the right time with 0. */
export const setClockBack = (seconds: number) => void (setBack = seconds * 1000);

/** Runs an action during a run, N seconds from now by the clock of the nodes. */
export const runAfter = (seconds: number, act: () => void) =>
	void clock.sleep(seconds * 1000).then(act, act);

/** Waits for a condition. Virtual time does not advance between that and the next step of the test. */
export async function waitFor(condition: () => boolean): Promise<void> {
	if (condition()) return;
	await new Promise<void>((resolve) => {
		conditions.push({ condition, resolve });
		scheduleCheck();
	});
}
