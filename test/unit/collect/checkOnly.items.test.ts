/** The items whose Check Only option is on. */
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Operation, Resource } from '../../../nodes/core/operation';
import { selectItemsToCheck } from '../../../nodes/core/collect/checkOnly';
import type { ItemPlan } from '../../../nodes/core/plan/groupRequests';

const createOperation = (value: string, more: Partial<Operation>): Operation => ({
	value,
	name: 'A',
	action: 'A',
	description: '',
	request: 'POST /a',
	...more,
});
const paid = createOperation('paid', { paid: true });
const create = createOperation('create', {});
const read = createOperation('read', { request: 'GET /a' });
const resources: Resource[] = [{ name: 'Thing', value: 'thing', operations: [paid, create, read] }];

/** Selects from an item for each operation and mode. Without a mode, the option is not set. */
function select(...items: Array<[string | Error, string?]>) {
	const n8n = {
		getNode: () => ({ name: 'Node' }),
		getNodeParameter(name: string, item: number, fallback: unknown) {
			const [operation, mode = fallback] = items[item] ?? [];
			if (name === 'resource') return 'thing';
			if (name === 'options.checkOnly') return mode;
			if (operation instanceof Error) throw operation;
			return operation;
		},
	} as unknown as IExecuteFunctions;
	const plans = items.map(
		(_, item) =>
			[item, { operation: create, values: { number: item } } as unknown as ItemPlan] as const,
	);
	return [...selectItemsToCheck(n8n, resources, new Map(plans))];
}

test('are selected with their operation and what to do', () => {
	expect(
		select(['paid', 'check'], ['paid', 'off'], ['create', 'sample'], ['paid'], ['paid', 'other']),
	).toStrictEqual([
		[0, { mode: 'check', operation: paid, plan: { operation: create, values: { number: 0 } } }],
		[2, { mode: 'sample', operation: create, plan: { operation: create, values: { number: 2 } } }],
	]);
});

test('have an operation that creates something, and that can be read', () => {
	expect(
		select(['read', 'check'], ['unknown', 'check'], [Error('No'), 'check'], ['paid', 'check']),
	).toMatchObject([[3, { mode: 'check' }]]);
});
