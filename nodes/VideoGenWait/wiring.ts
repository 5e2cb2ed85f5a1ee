/**
 * Determines from the wait node's connections whether the execution may be suspended and which
 * outputs should receive the finished items.
 */
import type {
	IExecuteFunctions,
	INodeExecutionData,
	IRunData,
	RelatedExecution,
} from 'n8n-workflow';
import { isN8n1 } from '../core/errors/n8n1Compat';

/**
 * Incoming connections of a node: for each input, the source nodes and the indexes of their
 * outputs.
 */
type Connections = ReadonlyArray<ReadonlyArray<{ node: string; index: number }> | null | undefined>;

/**
 * Parts of n8n's execution context that exist in n8n 1 and n8n 2 but are missing from n8n's types.
 */
interface ContextInternals {
	getConnections?(destination: { name: string }, type: 'main'): Connections;
	runExecutionData?: {
		parentExecution?: RelatedExecution;
		resultData: { runData: IRunData };
	} | null;
}

type WiringContext = Pick<IExecuteFunctions, 'getNode' | 'getChildNodes'> & ContextInternals;

/** How the wait node's outputs are connected, and what follows from it. */
export interface OutputWiring {
	/**
	 * Whether the node may suspend the execution. When the execution resumes, n8n sends the node's
	 * input items to the Still Running output.
	 */
	canSuspend: boolean;
	/**
	 * Whether the Still Running output is connected back to the node's input, directly or through
	 * other nodes.
	 */
	isLooped: boolean;
	/**
	 * Which outputs receive the finished items: the first value is for Still Running, the second
	 * for Finished. Depending on the connections, finished items may also go to Still Running.
	 */
	outputs: readonly [boolean, boolean];
	/** Whether an output that emits the finished items is connected back to the node. */
	returnsToNode: boolean;
}

/**
 * Pattern that matches the type name of n8n's Loop Over Items node. A loop through that node is the
 * user's own loop, so it does not count as a connection from the wait node back to itself.
 */
const loopOverItems = /(^|\.)splitInBatches$/;
const videoGenNode = /(^|\.)videoGen/i;
const waitNode = /(^|\.)videoGenWait$/i;

interface Edge {
	from: string;
	output: number;
	to: string;
}

/**
 * Returns the names of the nodes reachable from an output. Does not continue beyond the wait node
 * itself or any node for which `isBarrier` returns true.
 */
function findReachable(
	edges: readonly Edge[],
	self: string,
	output: number,
	isBarrier: (name: string) => boolean,
): Set<string> {
	const reached = new Set<string>();
	const next = edges.filter(({ from, output: own }) => from === self && own === output);
	for (let edge = next.pop(); edge; edge = next.pop()) {
		const { to } = edge;
		if (reached.has(to)) continue;
		reached.add(to);
		if (to !== self && !isBarrier(to)) next.push(...edges.filter(({ from }) => from === to));
	}
	return reached;
}

/**
 * Returns whether the parent workflow could lose items if this sub-workflow were suspended. On n8n
 * 1, a waiting parent never receives the items of a suspended sub-workflow. On later versions,
 * items are lost only in the "Run once for each item" mode, because the parent continues after the
 * first suspended call. That mode passes one item per call, so a call with several items is safe.
 */
function wouldParentLoseItems(n8n: WiringContext): boolean {
	const { runExecutionData: data } = n8n;
	if (!data?.parentExecution || data.parentExecution.shouldResume === false) return false;
	const [start] = Object.values(data.resultData.runData);
	const itemCount = start?.[0]?.data?.main?.[0]?.length ?? 0;
	return isN8n1(n8n) || itemCount <= 1;
}

/**
 * Determines from the wait node's connections whether the execution may be suspended and where to
 * send finished items. If n8n does not provide the connections, assumes that Still Running is
 * connected back to the node.
 */
export function readWiring(n8n: WiringContext): OutputWiring {
	const getConnections = n8n.getConnections?.bind(n8n);
	if (!getConnections) {
		return { canSuspend: true, isLooped: true, outputs: [false, true], returnsToNode: false };
	}
	const { name: self } = n8n.getNode();
	const children = n8n.getChildNodes(self);
	const types = new Map(children.map(({ name, type }) => [name, type]));
	const edges = [...new Set([self, ...types.keys()])].flatMap((to) =>
		getConnections({ name: to }, 'main').flatMap((sources) =>
			(sources ?? []).map(({ node, index }): Edge => ({ from: node, output: index, to })),
		),
	);
	const isOfType = (name: string, type: RegExp) => type.test(types.get(name) ?? '');
	const isLoopOverItems = (name: string) => isOfType(name, loopOverItems);
	const isBarrier = (name: string) => isLoopOverItems(name) || isOfType(name, videoGenNode);
	// Another wait node passes on what it gets from Still Running, unless it has its own loop.
	const isBarrierOfLoop = (name: string) => isBarrier(name) && !isOfType(name, waitNode);
	const stillRunning = {
		// Create nodes are not barriers here: finished items must not reach one and be paid for again.
		targets: findReachable(edges, self, 0, isLoopOverItems),
		isLooped: findReachable(edges, self, 0, isBarrierOfLoop).has(self),
	};
	const finished = {
		targets: findReachable(edges, self, 1, isLoopOverItems),
		isLooped: findReachable(edges, self, 1, isBarrier).has(self),
	};

	const isFinishedConnected = finished.targets.size > 0;
	const isReturning = stillRunning.targets.has(self);
	const isShared = [...stillRunning.targets].some((name) => finished.targets.has(name));
	const isOnward =
		stillRunning.targets.size > 0 &&
		!isReturning &&
		// A node that both outputs lead to must get each item once.
		(!isShared || finished.isLooped);
	const isSubWorkflow = n8n.runExecutionData?.parentExecution !== undefined;
	const getsFirst =
		isOnward ||
		(!isFinishedConnected && (!isReturning || (stillRunning.isLooped && isSubWorkflow)));
	const getsSecond = !finished.isLooped || !getsFirst;
	return {
		canSuspend: stillRunning.isLooped && !wouldParentLoseItems(n8n),
		isLooped: stillRunning.isLooped,
		outputs: [getsFirst, getsSecond],
		returnsToNode: (getsFirst && stillRunning.isLooped) || (getsSecond && finished.isLooped),
	};
}

/**
 * Returns the items for each output. Each output gets its own list, because n8n may empty the lists
 * that a node returns.
 */
export function copyItemsToOutputs(
	items: readonly INodeExecutionData[],
	[first, second]: OutputWiring['outputs'],
	hasErrorOutput: boolean,
): INodeExecutionData[][] {
	// n8n moves error items from each output to the error output, which must get them once.
	const isKept = ({ json }: INodeExecutionData) =>
		!(second && hasErrorOutput && json.error !== undefined && json.details !== undefined);
	return [first ? items.filter(isKept) : [], second ? [...items] : []];
}
