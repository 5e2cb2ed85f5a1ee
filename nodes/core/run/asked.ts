/** What the items ask for: operations with checked values, before anything is sent. */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { asNodeError, operationError, type NodeError } from '../errors/words';
import { binaryInputs } from '../files/inputs';
import type { Complaint } from '../form/complaints';
import { readValues, type Checked } from '../form/values';
import { callbackField, chosenIn, formFields, optionFields, type Resource } from '../operation';
import { callsThisExecution } from './callBack';
import { tooManyJobs } from './guard';
import { sameKeys, type Plan } from './plan';
import { isTool, toolRefusal } from './tool';
import type { Try } from './tries';

function wrongValue(node: INode, complaints: readonly Complaint[]): NodeError {
	return operationError(
		node,
		complaints[0] ?? 'A value is wrong',
		[...complaints.slice(1), 'Nothing was sent to the service.'].join('\n'),
		{ code: 'invalid_value', complaints: [...complaints] },
	);
}

/** The operation that an item chooses, by the names that workflows store. */
function chosenBy(n8n: IExecuteFunctions, resources: readonly Resource[], itemIndex: number) {
	const names = ['resource', 'operation'].map((choice) =>
		String(n8n.getNodeParameter(choice, itemIndex)),
	);
	const use = chosenIn(resources, names);
	if (use) return use;
	throw operationError(n8n.getNode(), `The operation "${names[1]}" is not known`);
}

/** What is wrong with values that are right one by one. */
function complaintsAbout({ operation, values }: Plan, { binary }: INodeExecutionData): Complaint[] {
	const complaints = (operation.check?.(values) ?? []).filter((one) => one !== false);
	if (values.payOncePer === 'ownKey' && values.idempotencyKey === undefined) {
		complaints.push('"Own Key" is required: "Pay Once Per" is set to it');
	}
	if (callsThisExecution(values) && values[callbackField] !== undefined) {
		complaints.push(
			'"Callback URL" and "Call Back This Execution" cannot both be used: the service calls one address',
		);
	}
	for (const { field } of binaryInputs(values)) {
		if (binary?.[field] === undefined) {
			complaints.push(`The item has no file in a binary field "${field}"`);
		}
	}
	return complaints;
}

/** The plan of an item. Throws what is wrong with it. */
function planOf(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	itemIndex: number,
	item: INodeExecutionData,
): Plan {
	const use = chosenBy(n8n, resources, itemIndex);
	const refusal = isTool(n8n) ? toolRefusal(n8n.getNode(), use.operation) : undefined;
	if (refusal) throw refusal;
	const fields = [formFields(use.operation), optionFields(use.operation)] as const;
	const checked: Checked = readValues(n8n, ...fields, itemIndex);
	const plan: Plan = { ...use, values: checked.values };
	// What goes together is only looked at when each value is right.
	const { complaints } = checked;
	const wrong = complaints.length > 0 ? complaints : complaintsAbout(plan, item);
	if (wrong.length > 0) throw wrongValue(n8n.getNode(), wrong);
	for (const input of binaryInputs(plan.values)) input.item = itemIndex;
	return plan;
}

/**
 * The plans of all items; an error stands where an item cannot be carried out. What was right at an
 * earlier try, and may have been sent then, stays what it was where it is wrong now.
 */
export function plansOf(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	{ known }: Try,
): Array<Plan | NodeError> {
	const node = n8n.getNode();
	const plans = n8n.getInputData().map((item, i) => {
		try {
			return (known.plans[i] = planOf(n8n, resources, i, item));
		} catch (error) {
			return known.plans[i] ?? asNodeError(node, error);
		}
	});
	for (const wrong of [sameKeys(plans), tooManyJobs(plans)]) {
		for (const [i, complaint] of wrong) plans[i] = wrongValue(node, [complaint]);
	}
	return plans;
}
