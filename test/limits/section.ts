import type { BenchContext } from '../bench/section';

/** A row of docs/evidence/limits.md. */
export interface Limit {
	/** What was done, with its size. */
	what: string;
	/** What was measured, with units. */
	figure: string;
	/** The same work by a node of n8n; undefined if none does it. */
	theirs?: string;
	/** What happens beyond the figure, for users. */
	beyond: string;
	/** Promises that did not hold. The run fails. */
	wrong?: string[];
}

export interface LimitContext extends BenchContext {
	/** Adds a row, and prints it. */
	report(limit: Limit): void;
}

/** What a file of this folder exports to be found by `npm run limits`. */
export interface LimitFile {
	title: string;
	/** How it is measured, for readers of the table. */
	how: string;
	run(context: LimitContext): Promise<void>;
}
