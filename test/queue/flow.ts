import type { Log } from '../../tools/child';
import type { AnyFlow } from '../e2e/running';
import type { Cluster } from './cluster';

/** What a flow gets: all processes, and the simulator. */
export interface QueueContext extends Cluster {
	/** Smaller numbers. */
	short: boolean;
	/** Notes what was measured, for the end of the run. */
	measured(what: string, value: string): void;
	log: Log;
}

export interface QueueFlow extends AnyFlow<QueueContext> {
	/** Part of the short form. */
	short: boolean;
}
