import type { Log } from '../../tools/child';
import type { Stage, StageOptions } from '../../tools/stage';

/** What a flow gets: the shared n8n and simulator, and the means to start its own. */
export interface FlowContext extends Stage {
	/** The packed package under test. */
	tarball: string;
	/** A new, empty folder, removed after the run. */
	newFolder(name: string): string;
	/** An n8n and a simulator of the flow's own, closed when the flow ends. */
	startOwn(options?: Partial<StageOptions>): Promise<Stage>;
	log: Log;
}

export interface Flow {
	/** What the user gets, as a short sentence. */
	name: string;
	/**
	 * What this machine lacks for it, such as `needs Debian's chromium`: then it is skipped, or
	 * fails where the run may skip none. `.ci/run` installs the packages that flows need.
	 */
	missing?(): string | undefined;
	run(context: FlowContext): Promise<void>;
}
