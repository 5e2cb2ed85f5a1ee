/**
 * Where a connection breaks: `before` the handler runs, `after` it but before the response, or in
 * the response: after its `head`, `midway` through its body, or at its `tail`, when the whole body
 * was sent and only the end marker is missing.
 */
export type CutPoint = 'before' | 'after' | 'head' | 'midway' | 'tail';

/** An error to inject, and the requests it applies to. Without `method` and `path`, it applies to all. */
export interface Fault {
	method?: string;
	path?: string | RegExp;
	/** Responds with this status instead of running the handler. */
	status?: number;
	code?: string;
	message?: string;
	param?: string | null;
	/** In seconds, sent as `Retry-After`. */
	retryAfter?: number;
	/** Sent unchanged instead of an error body. Strings are sent as plain text. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Responds like a proxy in front of the service: with an HTML page instead of the error body. */
	proxy?: boolean;
	/** Runs the handler, then sets these fields in `data` of the response, in a list in every row. */
	data?: Record<string, unknown>;
	/** Runs the handler, then removes these fields from `data` of the response. */
	without?: string[];
	cut?: CutPoint;
	/** Real milliseconds before the handler runs. */
	delayMs?: number;
	/** Real milliseconds between the handler and its response. */
	lateMs?: number;
	times?: number;
	probability?: number;
}

export interface ArmedFault extends Fault {
	timesLeft: number;
	/** Aborted by `clearFaults`, which ends the delays in progress. */
	cleared: AbortController;
}

export const matchesPath = (pattern: string | RegExp | undefined, path: string) =>
	pattern === undefined ||
	(typeof pattern === 'string'
		? pattern === path
		: new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(path));

/** Returns the first fault that applies to the request and counts its use. */
export function takeFault(
	faults: ArmedFault[],
	random: () => number,
	method: string,
	path: string,
): ArmedFault | undefined {
	for (const fault of faults) {
		if (fault.timesLeft <= 0) continue;
		if (fault.method !== undefined && fault.method.toUpperCase() !== method) continue;
		if (!matchesPath(fault.path, path)) continue;
		if (random() >= (fault.probability ?? 1)) continue;
		fault.timesLeft -= 1;
		return fault;
	}
	return undefined;
}

/** Returns the response body with the fields of `data` that the fault sets or removes. */
export function changeResponseData({ data: change, without }: Fault, body: unknown): unknown {
	const hasData = typeof body === 'object' && body !== null && 'data' in body;
	if (!hasData || (!change && !without)) return body;
	const changeRow = (row: unknown) => {
		const changed: Record<string, unknown> = { ...(row as object), ...change };
		for (const name of without ?? []) delete changed[name];
		return changed;
	};
	const { data } = body;
	return { ...body, data: Array.isArray(data) ? data.map(changeRow) : changeRow(data) };
}

/** Creates a seeded random generator (mulberry32), so that a run with probabilities can be repeated. */
export function createRandom(seed: number) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}
