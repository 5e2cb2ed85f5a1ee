/**
 * A real n8n and a simulator that share one clock, which skips the time in which neither does
 * anything. While a request, a response or a query is in flight, time passes at its real speed, so
 * the timeouts of n8n and of the nodes keep their meaning.
 */
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Simulator } from '../../tools/stage';

/** Longest skip, in milliseconds: the clock of the service is never further ahead of n8n's. */
const longestSkip = 60_000;

/** Shortest skip, in milliseconds. A timer of n8n may run this much late, as on a busy machine. */
const shortestSkip = 1_000;

/** How late repeating timers may run, in milliseconds: n8n has dozens of them, some for each second. */
const longestDelay = 60_000;

/**
 * Code that n8n loads at its start. It sets the clock ahead of real time by `offset`, which this
 * process changes, and reports when nothing is in flight and how long n8n's next timer still takes.
 */
const hook = (port: number, startOffset: number) => `
const { isMainThread } = require('node:worker_threads');
// Task runners and worker threads of n8n keep real time.
if (isMainThread && /[\\\\/]n8n$/.test(process.argv[1]) && process.argv[2] === 'start') install();

function install() {
	let offset = ${startOffset};
	const RealDate = Date;
	const realNow = Date.now.bind(Date);
	const now = () => realNow() + offset;
	globalThis.Date = new Proxy(RealDate, {
		construct: (target, args, newTarget) =>
			Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
		apply: () => String(new Date()),
		get: (target, key) => (key === 'now' ? now : target[key]),
	});
	RealDate.prototype.constructor = Date;
	// Caches measure the age of their entries with it.
	const realPerformanceNow = performance.now.bind(performance);
	performance.now = () => realPerformanceNow() + offset;

	const { AsyncResource } = require('node:async_hooks');
	const { promisify } = require('node:util');
	const timers = require('node:timers');
	const promises = require('node:timers/promises');
	const { setTimeout, setInterval, clearTimeout, clearInterval } = timers;
	const all = new Set();
	const byId = new Map();
	class Timer {
		constructor(run, delay, args, repeats) {
			Object.assign(this, { delay, repeats, hasRef_: true });
			this.run = AsyncResource.bind(() => run(...args));
			this.refresh();
		}
		refresh() {
			this.due = now() + this.delay;
			all.add(this);
			return this.arm();
		}
		arm() {
			clearTimeout(this.timer);
			this.timer = setTimeout(() => this.fire(), Math.max(this.due - now(), 1));
			if (!this.hasRef_) this.timer.unref();
			return this;
		}
		fire() {
			if (this.repeats) this.refresh();
			else this.close();
			this.run();
		}
		close() {
			clearTimeout(this.timer);
			all.delete(this);
			byId.delete(Number(this.id));
			return this;
		}
		ref() { this.hasRef_ = true; this.timer.ref(); return this; }
		unref() { this.hasRef_ = false; this.timer.unref(); return this; }
		hasRef() { return this.hasRef_; }
		[Symbol.dispose]() { this.close(); }
		[Symbol.toPrimitive]() {
			this.id ??= Number(this.timer);
			byId.set(this.id, this);
			return this.id;
		}
	}
	// Node.js runs longer ones after a millisecond, and shorter ones need no skips.
	const isOurs = (delay) => delay >= 100 && delay < 2 ** 31;
	const create = (real, repeats) => (run, delay, ...args) =>
		isOurs(Number(delay)) ? new Timer(run, Number(delay), args, repeats) : real(run, delay, ...args);
	const clear = (real) => (timer) => {
		const own = timer instanceof Timer ? timer : byId.get(Number(timer));
		if (own) own.close();
		else real(timer);
	};
	promises.setTimeout = (delay, value, { signal, ref = true } = {}) =>
		new Promise((resolve, reject) => {
			const abort = () => {
				clearNew(timer);
				reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR', cause: signal.reason }));
			};
			const timer = timers.setTimeout(() => {
				signal?.removeEventListener('abort', abort);
				resolve(value);
			}, delay);
			if (!ref) timer.unref();
			if (signal?.aborted) abort();
			else signal?.addEventListener('abort', abort, { once: true });
		});
	timers.setTimeout = Object.assign(create(setTimeout, false), { [promisify.custom]: promises.setTimeout });
	timers.setInterval = create(setInterval, true);
	timers.clearTimeout = clear(clearTimeout);
	timers.clearInterval = clear(clearInterval);
	const clearNew = timers.clearTimeout;
	for (const name of ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval']) globalThis[name] = timers[name];
	require('node:module').syncBuiltinESMExports();

	let inFlight = 0;
	const count = (emitter) => {
		inFlight++;
		emitter.once('close', () => inFlight--);
	};
	const { subscribe } = require('node:diagnostics_channel');
	subscribe('http.client.request.start', ({ request }) => count(request));
	// n8n responds to Retry when the execution has ended or is suspended.
	subscribe('http.server.request.start', ({ request, response }) => {
		if (!request.url.endsWith('/retry')) count(response);
	});
	const Module = require('node:module');
	const load = Module._extensions['.js'];
	Module._extensions['.js'] = function (module, file) {
		load.apply(this, arguments);
		if (!/[\\\\/]sqlite3[\\\\/]lib[\\\\/]sqlite3\\.js$/.test(file)) return;
		const { prototype } = module.exports.Database;
		for (const name of ['run', 'get', 'all', 'exec']) {
			const query = prototype[name];
			prototype[name] = function (sql, ...args) {
				const done = args.at(-1);
				if (typeof done === 'function') {
					inFlight++;
					args[args.length - 1] = function (...results) {
						inFlight--;
						return done.apply(this, results);
					};
				}
				// SQLite has its own clock.
				const shifted = sql.replace(/'now'/gi, \`'now', '+\${offset / 1000} seconds'\`);
				return query.call(this, shifted, ...args);
			};
		}
	};

	const isBusy = () =>
		inFlight > 0 || process.getActiveResourcesInfo().some((name) => /^(FSReq|TCPConnect|GetAddrInfo)/.test(name));
	let quiet = 0;
	const socket = require('node:net').connect(${port}, '127.0.0.1');
	const report = () => {
		quiet = isBusy() ? 0 : quiet + 1;
		// Results of worker threads are not counted, so it has to be quiet for a moment.
		if (quiet < 2) return void setTimeout(report, 1);
		quiet = 0;
		// n8n's housekeeping repeats, some of it each second, and may be late.
		const times = [...all].map(({ due, repeats }) => (repeats ? Math.max(due, now() + ${longestDelay}) : due));
		socket.write(\`\${Math.round(Math.min(...times) - now())}\\n\`);
	};
	const measure = async () => {
		require('node:v8').setFlagsFromString('--expose-gc');
		const gc = require('node:vm').runInNewContext('gc');
		for (let i = 0; i < 5; i++) {
			gc();
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		const { readdirSync, readlinkSync } = require('node:fs');
		const files = readdirSync('/proc/self/fd').flatMap((name) => {
			try {
				return [readlinkSync('/proc/self/fd/' + name)];
			} catch {
				return [];
			}
		});
		const sockets = files.filter((name) => name.startsWith('socket:')).length;
		const { rss, heapUsed } = process.memoryUsage();
		socket.write(JSON.stringify({ rss, heapUsed, files: files.length, sockets }) + '\\n');
	};
	socket.unref();
	socket.on('error', () => undefined);
	require('node:readline').createInterface({ input: socket }).on('line', (line) => {
		if (line === 'measure') return void measure();
		offset = Number(line);
		for (const timer of [...all].sort((a, b) => a.due - b.due)) timer.arm();
		setTimeout(report, 1);
	});
}
`;

/** What the process of n8n holds: bytes of memory, and open file descriptors. */
export interface Holdings {
	rss: number;
	heapUsed: number;
	/** Sockets included. */
	files: number;
	sockets: number;
}

export interface SkippedTime {
	/** Environment for an n8n that uses this clock. */
	env: Record<string, string>;
	/** Unix time in milliseconds. */
	now(): number;
	/** Lets time pass until then. n8n and the simulator do in it what falls due. */
	passUntil(simulator: Simulator, time: number): Promise<void>;
	/** Lets time pass for the simulator alone, while n8n is off. */
	passWithoutN8n(simulator: Simulator, time: number): Promise<void>;
	/** Makes n8n collect its garbage, and returns what it then holds. */
	measure(): Promise<Holdings>;
	close(): void;
}

export async function skipTime(folder: string): Promise<SkippedTime> {
	let offset = 0;
	let n8n: Socket | undefined;
	let receive: ((line: string) => void) | undefined;
	const server = createServer((socket) => {
		n8n = socket;
		socket.on('error', () => undefined);
		createInterface({ input: socket }).on('line', (line) => receive?.(line));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const file = join(folder, 'skipTime.cjs');
	// Read again by each start of n8n.
	const save = () => writeFileSync(file, hook(port, offset));
	save();
	const now = () => Date.now() + offset;
	const ask = async (line: string): Promise<string> =>
		await new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`n8n did not answer: ${line}`)), 600_000);
			receive = (answer) => {
				clearTimeout(timer);
				resolve(answer);
			};
			n8n?.write(`${line}\n`);
		});
	const skip = ({ control }: Simulator, milliseconds: number) => {
		offset += milliseconds;
		control.clock.advance(milliseconds / 1000);
	};
	return {
		env: {
			NODE_OPTIONS: `--require=${file}`,
			// Housekeeping of n8n that would stop each skip after some seconds.
			N8N_DISABLED_MODULES: 'insights',
			N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '300000',
			// n8n's task runner keeps real time, so n8n would miss its heartbeats.
			N8N_RUNNERS_HEARTBEAT_INTERVAL: '2000000',
		},
		now,
		async passUntil(simulator, time) {
			while (now() < time) {
				const next = Math.max(Number(await ask(String(offset))), shortestSkip);
				await simulator.control.idle();
				skip(simulator, Math.max(0, Math.min(next, longestSkip, time - now())));
			}
			await ask(String(offset));
			save();
		},
		async passWithoutN8n(simulator, time) {
			while (now() < time) {
				skip(simulator, Math.min(longestSkip, time - now()));
				await simulator.control.idle();
			}
			save();
		},
		measure: async () => JSON.parse(await ask('measure')) as Holdings,
		close: () => {
			n8n?.destroy();
			server.close();
		},
	};
}
