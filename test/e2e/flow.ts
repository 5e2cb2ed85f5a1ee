import type { Log } from '../../tools/child';
import type { Stage, StageOptions } from '../../tools/stage';
import type { AnyFlow } from './running';

/** What a flow gets: the shared n8n and simulator, and a function that starts its own. */
export interface FlowContext extends Stage {
	/** The packed package under test. */
	tarball: string;
	/** A new, empty folder, removed after the run. */
	newFolder(name: string): string;
	/** An n8n and a simulator of the flow's own, closed when the flow ends. */
	startOwn(options?: Partial<StageOptions>): Promise<Stage>;
	/** Whether the flow runs in its long form, as the weekly workflow does. */
	isLong: boolean;
	log: Log;
}

export interface Flow extends AnyFlow<FlowContext> {
	/**
	 * On older versions of n8n, `main` flows always run, flows with a reason never, others in the long
	 * form or if they are named.
	 */
	older?: 'main' | { cannot: string };
	/** Takes minutes: runs only in the long form, as in the weekly workflow, or if it is named. */
	isWeekly?: boolean;
	/** Waits for minutes: starts first, so that a run does not end with it alone. */
	startsFirst?: boolean;
}
