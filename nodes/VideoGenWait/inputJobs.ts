/** What the form and the items ask for, checked before anything is read. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createOperationError, type NodeError } from '../core/errors/nodeErrors';
import { readParameters } from '../core/form/readParameters';
import { readObject } from '../core/json';
import { waitFields, waitOptions } from './form';
import { isNamedJob, findJobInItem, parseJobId } from './jobReference';
import type { ItemJob } from './finishedItems';

/** What the form says for an item; an error where a value is wrong. */
export function readItemParameters(
	n8n: IExecuteFunctions,
	itemIndex: number,
): IDataObject | NodeError {
	const { values, problems: complaints } = readParameters(n8n, waitFields, waitOptions, itemIndex);
	const [first, ...others] = complaints;
	if (first === undefined) return values;
	const node = n8n.getNode();
	return createOperationError(node, first, others.join('\n'), {
		code: 'invalid_value',
		complaints,
	});
}

/** The items with the jobs that they name; an error stands where an item names none. */
export function findItemJobs(
	n8n: IExecuteFunctions,
	values: ReadonlyArray<IDataObject | NodeError>,
) {
	const node = n8n.getNode();
	const all = n8n.getInputData();
	return all.map((input, item): ItemJob => {
		const own = values[item];
		if (own instanceof Error) return { input, item, job: own };
		const { jobs, kind, job_id } = readObject(own);
		const named = jobs === 'id' ? parseJobId(kind, job_id) : findJobInItem(input.json);
		if (isNamedJob(named)) return { input, item, job: named };
		const error = createOperationError(node, named.problem, named.advice, {
			code: 'invalid_value',
		});
		return { input, item, job: error };
	});
}
