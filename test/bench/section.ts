import type { Log } from '../../tools/child';
import type { Stage, StageOptions } from '../../tools/stage';

/** What a section gets. */
export interface BenchContext {
	/** The packed package. */
	tarball: string;
	/** An n8n and a simulator of the section's own, closed when it ends. */
	startOwn(options?: Partial<StageOptions>): Promise<Stage>;
	/** A new, empty folder, removed after the run. */
	newFolder(name: string): string;
	log: Log;
}

/** What a measure must come to: at most, or at least, so much. */
export type Goal = { most: number } | { least: number };

/** One line of a table in docs/evidence/benchmarks.md. */
export interface Measure {
	what: string;
	/** The value to compare with; undefined if there is none. */
	beside?: string;
	/** With its unit. */
	ours: string;
	theirs?: string;
	/** What the goal is about: a ratio, a share, or megabytes. */
	value?: number;
	goal?: Goal;
	/** Facts that must be so, and are not; the run fails. */
	wrong?: string[];
}

/** What a file of this folder exports to be found by `npm run bench`. */
export interface BenchFile {
	title: string;
	/** How it was measured, for who reads the table. */
	how: string;
	run(context: BenchContext): Promise<Measure[]>;
}
