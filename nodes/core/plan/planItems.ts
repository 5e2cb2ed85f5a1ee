/** What the items ask for: operations with checked values, before anything is sent. */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { toNodeError, createOperationError, type NodeError } from '../errors/nodeErrors';
import { findBinaryInputs } from '../files/binaryInputs';
import type { Problem } from '../form/validation';
import { readParameters, type ParameterValues } from '../form/readParameters';
import {
	callbackField,
	findOperation,
	getFormFields,
	getOptionFields,
	type Resource,
} from '../operation';
import { resumesThisExecution } from './resumeCallback';
import { findJobsOverLimit } from './spendingLimits';
import { findRepeatedKeys, type ItemPlan } from './groupRequests';
import { isTool, refuseInTool } from './agentTool';
import type { Attempt } from './retryState';

function createInvalidValueError(node: INode, complaints: readonly Problem[]): NodeError {
	return createOperationError(
		node,
		complaints[0] ?? 'A value is wrong',
		[...complaints.slice(1), 'Nothing was sent to the service.'].join('\n'),
		{ code: 'invalid_value', complaints: [...complaints] },
	);
}

/** The operation that an item chooses, by the names that workflows store. */
function readOperation(n8n: IExecuteFunctions, resources: readonly Resource[], itemIndex: number) {
	const names = ['resource', 'operation'].map((choice) =>
		String(n8n.getNodeParameter(choice, itemIndex)),
	);
	const use = findOperation(resources, names);
	if (use) return use;
	throw createOperationError(n8n.getNode(), `The operation "${names[1]}" is not known`);
}

/** What is wrong with values that are right one by one. */
function checkCombinations(
	{ operation, values }: ItemPlan,
	{ binary }: INodeExecutionData,
): Problem[] {
	const complaints = (operation.check?.(values) ?? []).filter((one) => one !== false);
	if (values.payOncePer === 'ownKey' && values.idempotencyKey === undefined) {
		complaints.push('"Own Key" is required: "Pay Once Per" is set to it');
	}
	if (resumesThisExecution(values) && values[callbackField] !== undefined) {
		complaints.push(
			'"Callback URL" and "Call Back This Execution" cannot both be used: the service calls one address',
		);
	}
	for (const { field } of findBinaryInputs(values)) {
		if (binary?.[field] === undefined) {
			complaints.push(`The item has no file in a binary field "${field}"`);
		}
	}
	return complaints;
}

/** The plan of an item. Throws what is wrong with it. */
function planItem(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	itemIndex: number,
	item: INodeExecutionData,
): ItemPlan {
	const use = readOperation(n8n, resources, itemIndex);
	const refusal = isTool(n8n) ? refuseInTool(n8n.getNode(), use.operation) : undefined;
	if (refusal) throw refusal;
	const fields = [getFormFields(use.operation), getOptionFields(use.operation)] as const;
	const checked: ParameterValues = readParameters(n8n, ...fields, itemIndex);
	const plan: ItemPlan = { ...use, values: checked.values };
	// What goes together is only looked at when each value is right.
	const { problems: complaints } = checked;
	const wrong = complaints.length > 0 ? complaints : checkCombinations(plan, item);
	if (wrong.length > 0) throw createInvalidValueError(n8n.getNode(), wrong);
	for (const input of findBinaryInputs(plan.values)) input.item = itemIndex;
	return plan;
}

/**
 * The plans of all items; an error stands where an item cannot be carried out. What was right at an
 * earlier try, and may have been sent then, stays what it was where it is wrong now.
 */
export function planItems(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	{ known }: Attempt,
): Array<ItemPlan | NodeError> {
	const node = n8n.getNode();
	const plans = n8n.getInputData().map((item, i) => {
		try {
			return (known.plans[i] = planItem(n8n, resources, i, item));
		} catch (error) {
			return known.plans[i] ?? toNodeError(node, error);
		}
	});
	for (const wrong of [findRepeatedKeys(plans), findJobsOverLimit(plans)]) {
		for (const [i, complaint] of wrong) plans[i] = createInvalidValueError(node, [complaint]);
	}
	return plans;
}
