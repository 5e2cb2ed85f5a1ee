/** What the form and the items ask for, checked before anything is read. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { operationError, type NodeError } from '../core/errors/words';
import { readValues } from '../core/form/values';
import { objectOf } from '../core/json';
import { located } from '../core/run/outcome';
import { fields, options } from './form';
import { isNamed, namedBy, namedByHand } from './named';
import type { Asked } from './results';

/** What the form says for an item; an error where a value is wrong. */
export function valuesOf(n8n: IExecuteFunctions, itemIndex: number): IDataObject | NodeError {
	const { values, complaints } = readValues(n8n, fields, options, itemIndex);
	const [first, ...others] = complaints;
	if (first === undefined) return values;
	const node = n8n.getNode();
	return operationError(node, first, others.join('\n'), { code: 'invalid_value', complaints });
}

/** The items with the jobs that they name; an error stands where an item names none. */
export function askedOf(n8n: IExecuteFunctions, values: ReadonlyArray<IDataObject | NodeError>) {
	const node = n8n.getNode();
	const all = n8n.getInputData();
	return all.map((input, item): Asked => {
		const place = { item, items: all.length };
		const own = values[item];
		if (own instanceof Error) return { input, item, named: located(own, place) };
		const { jobs, kind, job_id } = objectOf(own);
		const named = jobs === 'id' ? namedByHand(kind, job_id) : namedBy(input.json);
		if (isNamed(named)) return { input, item, named };
		const error = operationError(node, named.problem, named.advice, { code: 'invalid_value' });
		return { input, item, named: located(error, place) };
	});
}
