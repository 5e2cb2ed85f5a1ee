import type { Log } from '../../tools/child';
import type { Stage, StageOptions } from '../../tools/stage';

/** What a scenario gets: a shared n8n and simulator, and the means to start its own. */
export interface FaultContext {
	/** An n8n and a simulator that scenarios share, empty of faults and jobs. */
	shared(): Promise<Stage>;
	/** Of the scenario's own; closed when it ends. */
	startOwn(options?: Partial<StageOptions>): Promise<Stage>;
	/** The short form: fewer rounds, smaller numbers. */
	short: boolean;
	/** From 0 to 1, the same order for the same seed. */
	random: () => number;
	log: Log;
}

/** One line of the table in docs/evidence/faults.md. */
export interface Row {
	/** By which documents refer to it, such as `K1`. It stays the same from run to run. */
	id: string;
	/** What was done. */
	what: string;
	/** What was seen, under the columns of the file. */
	cells: Array<string | number>;
	/** Sentences about what must be so and is not; none where all holds. */
	wrong: string[];
	/** Why the package cannot do what the user wants. Such a row does not fail the command. */
	known?: string;
}

export interface Scenario {
	/** As the progress of a run shows it. */
	name: string;
	/** Part of the short form. */
	short: boolean;
	run(context: FaultContext): Promise<Row[]>;
}

/**
 * What a file of this folder exports to be found by `npm run faults`.
 *
 * `title` and `columns` are those of its table; a file without a `scenario` holds helpers.
 */
export interface FaultFile {
	title: string;
	columns: readonly string[];
	scenario: readonly Scenario[];
}
