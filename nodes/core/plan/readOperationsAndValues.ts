/**
 * Reads and validates the parameters of all input items before any request is sent, and opens the
 * node run's client.
 */
import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	NodeParameterValueType,
} from 'n8n-workflow';
import { combineSignals } from '../clock';
import {
	createInvalidValuesError,
	createOperationError,
	toNodeError,
	type NodeError,
} from '../errors/nodeErrors';
import { findBinaryInputs, describeMissingFiles } from '../files/binaryInputs';
import { readParameters, explainEmptyExpression } from '../form/readParameters';
import type { ValidationProblem } from '../form/validation';
import { escapeHtml, showHints } from '../hints';
import { createClient, type Client } from '../http/client';
import { readObject } from '../json';
import type { NodeRun } from '../ledger/ledger';
import type { Operation, Resource } from '../operation';
import {
	findSelectedOperation,
	getNonOptionFields,
	getOptionFields,
	runsAsAgentTool,
	findToolRejection,
} from '../operationTraits';
import { isGeneratedBatchKey } from './deriveIdempotencyKeys';
import { toUnixSeconds } from '../time';
import {
	findIdempotencyKeyConflicts,
	getOwnIdempotencyKey,
	getPayOnceScope,
	type ItemPlan,
} from './groupRequests';
import { findJobLimitErrors } from './spendingLimits';

/** Maximum number of hints about values. Each item may cause several. */
const maxHints = 3;

function checkCombinations(
	n8n: IExecuteFunctions,
	{ operation, values }: ItemPlan,
	{ binary }: INodeExecutionData,
): ValidationProblem[] {
	const problems = (operation.check?.(values) ?? []).filter((problem) => problem !== false);
	if (values.payOncePer === 'ownKey' && values.idempotencyKey === undefined) {
		problems.push('"Custom Key" is required because "Pay Once Per" is set to it');
	}
	if (getPayOnceScope(values) !== 'ownKey' && values.idempotencyKey !== undefined) {
		problems.push(
			'"Custom Key" has no effect unless "Pay Once Per" is set to it: change that choice, or remove the key',
		);
	}
	const after = toUnixSeconds(values.createdAfter, n8n.getTimezone());
	const before = toUnixSeconds(values.createdBefore, n8n.getTimezone());
	if (after !== undefined && before !== undefined && before < after) {
		problems.push('"Created Before" must not be earlier than "Created After"');
	}
	const { list } = operation.combine ?? {};
	if (list !== undefined && readObject(values.additionalBodyFields)[list] !== undefined) {
		problems.push(
			`"Additional Body Fields" cannot contain "${list}": its entries come from the items`,
		);
	}
	return [...problems, ...describeMissingFiles(values, binary)];
}

/**
 * Returns the operation that creates a batch's row in its own request, if Pay Once Per requires
 * that. Keeps the batch operation if the user's own key is a batch's key from n8n's log.
 */
function selectRowOperation({ operation, values }: ItemPlan): Operation {
	const { rowOperation = operation } = operation;
	const isPaidPerExecution = getPayOnceScope(values) === 'execution';
	return isPaidPerExecution || isGeneratedBatchKey(getOwnIdempotencyKey(values) ?? '')
		? operation
		: rowOperation;
}

function readItemPlan(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	itemIndex: number,
	item: INodeExecutionData,
	isSent: boolean,
	hints: Set<string>,
): ItemPlan {
	const selected = findSelectedOperation(n8n, resources, itemIndex);
	if (!selected) {
		const name = String(n8n.getNodeParameter('operation', itemIndex));
		throw createOperationError(n8n.getNode(), `The operation "${name}" is unknown`);
	}
	const { operation } = selected;
	const rejection = runsAsAgentTool(n8n) ? findToolRejection(n8n.getNode(), operation) : undefined;
	if (rejection) throw rejection;
	const read = readParameters(
		n8n,
		getNonOptionFields(operation),
		getOptionFields(operation),
		itemIndex,
		({ name, displayName }, key) => {
			const parameter = n8n.getNode().parameters[name];
			if (key === undefined) return explainEmptyExpression(parameter, item.json, displayName);
			const entry = readObject(readObject(parameter).value)[key] as NodeParameterValueType;
			return explainEmptyExpression(entry, item.json, key);
		},
	);
	const { values, problems } = read;
	for (const hint of read.hints ?? []) hints.add(hint);
	const plan: ItemPlan = { ...selected, values };
	const allProblems = problems.length > 0 ? problems : checkCombinations(n8n, plan, item);
	// The values of an item that was sent no longer matter: its job or its key identifies the result.
	if (allProblems.length > 0 && !isSent) throw createInvalidValuesError(n8n.getNode(), allProblems);
	for (const hint of operation.listHints?.(values) ?? []) if (hint !== false) hints.add(hint);
	for (const input of findBinaryInputs(values)) input.item = itemIndex;
	return { ...plan, operation: selectRowOperation(plan) };
}

/** Creates the error for a second copy of an error item. Only one copy may continue the row. */
const createCopyError = (node: INode) =>
	createOperationError(
		node,
		'This error item has come back to the node more than once',
		'The node continues with the other copy and creates nothing for this one. Connect the error output to the input only once.',
		{ code: 'copied_row' },
	);

/**
 * Creates the error for an item that was sent with another operation, for example before the
 * workflow was changed. With the new operation, it would be paid for again.
 */
const createOtherOperationError = (node: INode, line: string) =>
	createOperationError(
		node,
		`This row was already sent with another operation (${line})`,
		"With the currently selected operation, the row's job would be created and charged again. Select the earlier operation and its Pay Once Per option again, or start a new execution.",
		{ code: 'other_operation', outcome: 'unknown' },
	);

/**
 * Returns the plan of each valid item, and an error for each invalid one. An item that was sent in
 * an earlier attempt counts as valid, because it may be paid for.
 */
export function readOperationsAndValues(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	{ creates, origins, sentItems, copies }: NodeRun,
): Map<number, ItemPlan | NodeError> {
	const planned = new Map<number, ItemPlan | NodeError>();
	const hints = new Set<string>();
	const lines = new Map(
		Object.values(creates).flatMap(({ sent, line }) => sent.map((one) => [one, line] as const)),
	);
	for (const [i, item] of n8n.getInputData().entries()) {
		try {
			if (copies.has(i)) throw createCopyError(n8n.getNode());
			const plan = readItemPlan(n8n, resources, i, item, sentItems.has(i), hints);
			const line = lines.get(origins[i] ?? '');
			const isSame = line === undefined || line === plan.operation.request;
			planned.set(i, isSame ? plan : createOtherOperationError(n8n.getNode(), line));
		} catch (error) {
			planned.set(i, toNodeError(n8n.getNode(), error));
		}
	}
	showHints(n8n, ...[...hints].slice(0, maxHints).map(escapeHtml));
	return planned;
}

/**
 * Rejects items with the same Custom Key as an earlier item, and all paid items if they would start
 * more jobs than the user allows. Returns the plans, with an error in place of each rejected one.
 */
export function checkItemsTogether(
	node: INode,
	planned: ReadonlyMap<number, ItemPlan | NodeError>,
): Map<number, ItemPlan | NodeError> {
	const valid = new Map(
		[...planned].flatMap(([i, plan]) => (plan instanceof Error ? [] : [[i, plan] as const])),
	);
	const checked = new Map(planned);
	for (const [i, problem] of [
		...findIdempotencyKeyConflicts(valid),
		...findJobLimitErrors(valid),
	]) {
		checked.set(i, createInvalidValuesError(node, [problem]));
	}
	return checked;
}

/**
 * Creates the client of a node run. Its requests are aborted when the user stops the execution or
 * the signal aborts. After a suspension, returns the error if n8n cannot read the credential: it
 * may have been deleted, or n8n's database may be busy.
 */
export async function tryCreateRunClient(
	n8n: IExecuteFunctions,
	{ wait }: NodeRun,
	plans: ReadonlyMap<number, ItemPlan>,
	signal: AbortSignal,
): Promise<Client | NodeError> {
	try {
		return await createRunClient(n8n, [...plans.values()], { signal });
	} catch (thrown) {
		if (!wait) throw toNodeError(n8n.getNode(), thrown);
		return createOperationError(
			n8n.getNode(),
			"This node's credential cannot be used",
			`Select a credential in the node, save the workflow, and retry this execution with n8n's "Retry with currently saved workflow". The jobs continue to run in the service: do not create them again. Reason: ${(thrown as Error).message}`,
			{ code: 'credential_unusable' },
		);
	}
}

/** Creates a client with the first item's settings. Stopping the execution aborts its requests. */
export async function createRunClient(
	n8n: IExecuteFunctions,
	[first]: readonly ItemPlan[],
	{ signal: halt, isReadOnly }: { signal?: AbortSignal; isReadOnly?: boolean },
): Promise<Client> {
	const fixed = first?.values.requestsAtOnce;
	return await createClient(n8n, {
		requestsAtOnce: typeof fixed === 'number' && fixed > 0 ? fixed : undefined,
		signal: combineSignals(n8n.getExecutionCancelSignal(), halt),
		isReadOnly,
	});
}

/** Finds problems that only the service can detect. Returns errors in place of invalid plans. */
export async function validateWithService(
	client: Client,
	plans: ReadonlyMap<number, ItemPlan>,
	{ sentItems }: NodeRun,
): Promise<Map<number, ItemPlan | NodeError>> {
	const validated = [...plans].map(
		async ([item, plan]): Promise<[number, ItemPlan | NodeError]> => {
			try {
				// An item that was sent earlier is not rejected: it may be paid for.
				if (!sentItems.has(item)) await plan.operation.reject?.(plan.values, client);
				return [item, plan];
			} catch (error) {
				return [item, toNodeError(client.node, error)];
			}
		},
	);
	return new Map(await Promise.all(validated));
}
