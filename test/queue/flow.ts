import type { Log } from '../../tools/child';
import type { AnyFlow } from '../e2e/running';
import type { Cluster, ClusterOptions } from './cluster';

/** What a flow gets: all processes, and the simulator. */
export interface QueueContext extends Cluster {
	/** Smaller numbers. */
	short: boolean;
	/** Processes and a simulator of the flow's own, with further settings; ended when the flow ends. */
	startOwn(env: Record<string, string>, simulator?: ClusterOptions['simulator']): Promise<Cluster>;
	/** A new, empty folder, removed after the run. */
	newFolder(name: string): string;
	/** Notes what was measured, for the end of the run. */
	measured(what: string, value: string): void;
	log: Log;
}

export interface QueueFlow extends AnyFlow<QueueContext> {
	/** Part of the short form. */
	short: boolean;
}
