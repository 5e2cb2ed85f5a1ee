/**
 * Runs properties with fast-check: counts their inputs, measures the processor time of each, and
 * reports the results to run.ts.
 */
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import fc from 'fast-check';

/** An outcome that the specification forbids, such as a forged delivery that starts an execution. */
export class WrongAcceptance extends Error {}

/** An input that takes much more processor time than a plain one of the same size. */
class SlowInput extends Error {}

/** Result of a property, as run.ts reads it. */
export interface PropertyReport {
	name: string;
	inputs: number;
	/** How the property failed; undefined if it holds. */
	failure?: 'crash' | 'wrong acceptance' | 'slow';
	/** The smallest input that was found to fail, and how it fails. */
	problem?: string;
	slowest: { milliseconds: number; input: string };
}

export interface Property<T> {
	/** What holds for every input. */
	name: string;
	/** Number of inputs of the long form. */
	inputs: number;
	arbitrary: fc.Arbitrary<T>;
	/** Throws unless the property holds for the input. */
	check: (input: T) => Promise<void> | void;
	/**
	 * Returns a plain input of the same size. The input may take at most 100 ms of processor time
	 * more than this one.
	 */
	control?: (input: T) => T;
}

/** Milliseconds after which a check counts as endless. Pauses of the nodes take no time. */
const longestCheck = 60_000;

/** Ends a check that does not end by itself. */
async function bounded(task: Promise<void> | void): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error('does not end')), longestCheck);
	});
	await Promise.race([task, late]).finally(() => clearTimeout(timer));
}

/** Milliseconds on the machine of docs/evidence/fuzz.md. A slower one has as many times more as it is slower. */
const maxExtraMilliseconds = 100;

const referenceText = '{"a":'.repeat(150_000);
const parseReference = () => {
	try {
		JSON.parse(referenceText);
	} catch {
		// It has no end, so that only the time of the parser is measured.
	}
};
/** What `parseReference` takes on the machine of docs/evidence/fuzz.md. */
const referenceMilliseconds = 18;

/** Attempts after which the fastest one counts: other processes and the compiler disturb some. */
const measurements = 8;

const settings = {
	seed: Number(process.env.VIDEOGEN_FUZZ_SEED ?? 1),
	/** Share of the inputs of the long form. */
	share: Number(process.env.VIDEOGEN_FUZZ_SHARE ?? 0.01),
	/** Each of several processes runs the properties with its own remainder. */
	processes: Number(process.env.VIDEOGEN_FUZZ_PROCESSES ?? 1),
	process: Number(process.env.VIDEOGEN_FUZZ_PROCESS ?? 0),
	report: process.env.VIDEOGEN_FUZZ_REPORT,
};

const hash = (text: string) => createHash('sha256').update(text).digest().readInt32BE(0);

/** Whether the part with this name runs in this process. */
export const isOwnPart = (name: string) =>
	Math.abs(hash(name)) % settings.processes === settings.process;

async function measure(act: () => Promise<void> | void): Promise<number> {
	const before = process.cpuUsage();
	await act();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Measures the fastest of several attempts. */
async function measureFastest(act: () => Promise<void> | void): Promise<number> {
	let fastest = Infinity;
	for (let i = 0; i < measurements; i++) fastest = Math.min(fastest, await measure(act));
	return fastest;
}

const showInput = (input: unknown) => fc.stringify(input).slice(0, 200);

const classify = (error: unknown): PropertyReport['failure'] => {
	if (error instanceof WrongAcceptance) return 'wrong acceptance';
	return error instanceof SlowInput ? 'slow' : 'crash';
};

/** Checks a property for its share of generated inputs. */
export async function checkProperty<T>(property: Property<T>): Promise<void> {
	const { name, arbitrary, check, control } = property;
	const report: PropertyReport = { name, inputs: 0, slowest: { milliseconds: 0, input: '' } };
	/** Whether an input did not end. Making it smaller would take a minute for each step. */
	let isStuck = false;
	const run = async (input: T) => {
		if (isStuck) return;
		if (report.failure === undefined) report.inputs++;
		const milliseconds = await measure(async () => await bounded(check(input)));
		if (milliseconds > report.slowest.milliseconds && report.failure === undefined) {
			report.slowest = { milliseconds, input: showInput(input) };
		}
		if (control === undefined || milliseconds <= maxExtraMilliseconds) return;
		const plain = await measureFastest(async () => await check(control(input)));
		if (milliseconds - plain <= maxExtraMilliseconds) return;
		const extra = (await measureFastest(async () => await check(input))) - plain;
		const slowness = (await measureFastest(parseReference)) / referenceMilliseconds;
		if (extra > maxExtraMilliseconds * Math.max(slowness, 1)) {
			throw new SlowInput(`takes ${Math.round(extra)} ms more than a plain input of its size`);
		}
	};
	const numRuns = Math.max(Math.round(property.inputs * settings.share), 1);
	try {
		await fc.assert(
			fc.asyncProperty(arbitrary, async (input) => {
				try {
					await run(input);
				} catch (error) {
					report.failure ??= classify(error);
					isStuck ||= (error as Error).message === 'does not end';
					throw error;
				}
			}),
			{ seed: settings.seed ^ hash(name), numRuns },
		);
	} catch (error) {
		const { message, cause } = error as Error;
		report.problem = `${cause instanceof Error ? cause.message : ''}\n${message}`;
		throw error;
	} finally {
		if (settings.report) appendFileSync(settings.report, `${JSON.stringify(report)}\n`);
	}
}

/** Registers a property as a test. */
export function property<T>(one: Property<T>): void {
	if (isOwnPart(one.name)) test(one.name, async () => await checkProperty(one));
}
