/**
 * Suspends an execution so that n8n runs the node again when the execution resumes. n8n itself does
 * not offer this: after its `putExecutionToWait`, it resumes by passing the node's input on. Only
 * this file relies on n8n's internals to suspend. It relies on the following, in all versions of
 * n8n-core from 1.122.48 to 2.41.1:
 *
 * - `runExecutionData.executionData.nodeExecutionStack` holds the entries of nodes that still have
 *   to run, and is stored with the execution. The running node's own entry, `getExecuteData()`, is
 *   not in it. After `putExecutionToWait`, n8n puts that entry in front and stops.
 * - On resume, n8n deactivates the first entry's node, removes the node's last recorded run, and
 *   continues with the stack. It skips a deactivated node whose input is `null`, without a record.
 * - An entry may contain the `runIndex` under which the run is recorded.
 * - n8n's Retry with the currently saved workflow replaces the node of each entry with the node of
 *   the same name, and refuses to start if there is none.
 *
 * `test/e2e/flows/51-suspended-create.ts` fails if a version of n8n changes any of this.
 */
import type { IExecuteData, IExecuteFunctions, INode, IRunExecutionData } from 'n8n-workflow';
import { isN8n1 } from '../errors/n8n1Compat';
import { isObject, readObject, readText } from '../json';

/** Entry of n8n's stack of nodes to run. n8n 1 has no type for `runIndex`. */
type StackEntry = IExecuteData & { runIndex?: number };

interface ContextInternals {
	runExecutionData?: IRunExecutionData & { version?: unknown };
}

const readRunData = (n8n: IExecuteFunctions) =>
	(n8n as IExecuteFunctions & ContextInternals).runExecutionData;

const readStack = (n8n: IExecuteFunctions): StackEntry[] | undefined =>
	readRunData(n8n)?.executionData?.nodeExecutionStack;

/** Whether this n8n stores executions in a format (`version`) that this package does not know. */
function isUnknownN8n(n8n: IExecuteFunctions): boolean {
	const stack = readStack(n8n);
	const entry = n8n.getExecuteData() as StackEntry | undefined;
	const { version } = readRunData(n8n) ?? {};
	return (
		!(version === undefined || version === 1) ||
		!Array.isArray(stack) ||
		Object.isFrozen(stack) ||
		!Array.isArray(entry?.data.main) ||
		Object.isFrozen(entry) ||
		!isObject(entry.node) ||
		stack.includes(entry)
	);
}

/** Whether a webhook or chat awaits the last node's output. A suspension would send it an error. */
function isLastNodeAwaited(n8n: IExecuteFunctions): boolean {
	const { runData = {} } = readRunData(n8n)?.resultData ?? {};
	const parents = n8n.getParentNodes(n8n.getNode().name, { includeNodeParameters: true });
	return parents.some(({ name, type, parameters }) => {
		if (!Object.hasOwn(runData, name)) return false;
		const { responseMode, options } = readObject(parameters);
		const mode = readText(responseMode) ?? readText(readObject(options).responseMode);
		if (/\.chatTrigger$/.test(type)) return (mode ?? 'lastNode') === 'lastNode';
		return /\.(webhook|formTrigger)$/.test(type) && mode === 'lastNode';
	});
}

/**
 * Whether the parent workflow would lose items if this sub-workflow were suspended. On n8n 1, the
 * parent never gets them. On n8n 2, it loses them in the mode "Run once for each item", which
 * passes one item to each call.
 */
function wouldParentLoseItems(n8n: IExecuteFunctions): boolean {
	const data = readRunData(n8n);
	if (!data?.parentExecution || data.parentExecution.shouldResume === false) return false;
	const [start] = Object.values(data.resultData.runData);
	const itemCount = start?.[0]?.data?.main?.[0]?.length ?? 0;
	return isN8n1(n8n) || itemCount <= 1;
}

/**
 * Returns why the execution cannot be suspended, as the end of a sentence that begins with "It was
 * not suspended, because". Undefined if it can be suspended.
 */
export function findReasonNotToSuspend(n8n: IExecuteFunctions): string | undefined {
	if (n8n.getNode().type.endsWith('Tool')) return 'an AI agent waits for its result';
	if (['cli', 'evaluation'].includes(n8n.getMode()))
		return 'n8n waits for the end of the execution';
	if (isUnknownN8n(n8n)) return 'this package does not know this version of n8n';
	if (n8n.getExecuteData().data.main?.length !== 1) return 'the node has several inputs';
	if (n8n.getWorkflowSettings().executionOrder !== 'v1') {
		return "the workflow's setting Execution Order is v0";
	}
	if (isLastNodeAwaited(n8n)) {
		return "the workflow's webhook, form or chat responds when the last node finishes";
	}
	if (wouldParentLoseItems(n8n)) {
		return 'the calling workflow would not get all items. Call it with "Run once with all items", on n8n 2';
	}
	return undefined;
}

/**
 * Returns the name of a node that does not exist. n8n shows it in an error if the user chooses the
 * wrong kind of Retry, so the name says which kind to use.
 */
const getGuardName = (node: INode) => `${node.name}: use Retry with original workflow`;

/**
 * Suspends the execution. Must be the last action before the node outputs `[[]]`: n8n then runs the
 * node again with the same items when the execution resumes.
 */
export async function suspendAndRunAgain(n8n: IExecuteFunctions, until: Date): Promise<void> {
	await n8n.putExecutionToWait(until);
	const stack = readStack(n8n);
	const entry = n8n.getExecuteData() as StackEntry;
	const { node } = entry;
	const again: StackEntry = {
		...entry,
		node: { ...node },
		data: { ...entry.data },
		...(entry.metadata && { metadata: { ...entry.metadata } }),
		// The run replaces the suspended one, so that the editor shows a single run.
		runIndex: Number(n8n.getWorkflowDataProxy(0).$runIndex),
	};
	// Retry with the currently saved workflow would deactivate both entries, and pass the input on as
	// if it were the result. Because of the guard's name, n8n refuses to start that Retry.
	const guard: StackEntry = {
		...entry,
		node: { ...node, id: `${node.id}-guard`, name: getGuardName(node) },
		data: { main: [[{ json: {} }]] },
		source: null,
	};
	stack?.unshift(again, guard);
	entry.data = { main: [null] };
	entry.node = { ...node, alwaysOutputData: false };
}

/** Removes the guard entry that `suspendAndRunAgain` has added to the stack. */
export function removeGuardFromStack(n8n: IExecuteFunctions): void {
	const stack = readStack(n8n);
	const index = stack?.findIndex(({ node }) => node.name === getGuardName(n8n.getNode())) ?? -1;
	if (index >= 0) stack?.splice(index, 1);
}
