/**
 * Where a connection breaks: `before` the work, or `after` it without an answer, or in the answer:
 * behind its `head`, `midway` through its body, or at its `tail`, when the body was sent whole and
 * only the mark of its end is missing.
 */
export type CutPoint = 'before' | 'after' | 'head' | 'midway' | 'tail';

/** What goes wrong, and for which requests. Without `method` and `path` it meets every request. */
export interface Fault {
	method?: string;
	path?: string | RegExp;
	/** Answers with this status instead of doing the work. */
	status?: number;
	code?: string;
	message?: string;
	param?: string | null;
	/** Seconds, sent as `Retry-After`. */
	retryAfter?: number;
	/** Sent as it is instead of an error body; text goes out as text. */
	body?: unknown;
	headers?: Record<string, string>;
	/** Answers as a proxy in front of the service does: a page instead of the service's own error. */
	proxy?: boolean;
	/** The work is done; these fields stand in `data` of its answer, in each row if it is a list. */
	data?: Record<string, unknown>;
	/** The work is done; these fields are missing from `data` of its answer. */
	without?: string[];
	/** Breaks the connection. */
	cut?: CutPoint;
	/** Real milliseconds before the work. */
	delayMs?: number;
	/** Real milliseconds between the work and its answer. */
	lateMs?: number;
	times?: number;
	probability?: number;
}

export interface ArmedFault extends Fault {
	timesLeft: number;
	/** Ends the delays that are under way. */
	cleared: AbortController;
}

export const matchesPath = (pattern: string | RegExp | undefined, path: string) =>
	pattern === undefined ||
	(typeof pattern === 'string'
		? pattern === path
		: new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(path));

/** The first armed fault that meets this request, if chance wants it. */
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

/** An answer's body as the fault wants it: fields changed and left out. */
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

/** A small seeded generator (mulberry32), so that a chance can be repeated. */
export function createRandom(seed: number) {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}
