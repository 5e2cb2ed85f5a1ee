/** The limits on the jobs and on the balance of a run. */
import type { IDataObject, INode } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Client } from '../../../nodes/core/http/client';
import type { Operation } from '../../../nodes/core/operation';
import type { ItemPlan, PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import { checkBalance, findJobLimitErrors } from '../../../nodes/core/plan/spendingLimits';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

const plan = (values: IDataObject, more: Partial<Operation> = {}, name = 'Video'): ItemPlan => ({
	resource: { name, value: 'a', operations: [] },
	operation: {
		value: 'a',
		name: 'A',
		action: 'A',
		description: '',
		request: 'POST /a',
		paid: true,
		...more,
	},
	values,
});
const free = { paid: false };
const counted = { countJobs: ({ count }: IDataObject) => Number(count) };

const check = (...plans: ItemPlan[]) =>
	findJobLimitErrors(new Map(plans.map((one, i) => [i + 1, one])));
const exceed = (jobs: string, name: string, limit: string) =>
	`This run would create ${jobs} ${name}; the limit is ${limit} ("Max Jobs per Run")`;

describe('Max Jobs per Run', () => {
	test.each<[string, ItemPlan[]]>([
		['no item', []],
		['no limit', [plan({}), plan({ mostJobs: 'many' })]],
		['as many jobs as the limit', [plan({ mostJobs: 2 }), plan({ mostJobs: 2 })]],
		['a limit of free items', [plan({ mostJobs: 0 }, free), plan({})]],
		['free items beyond the limit', [plan({ mostJobs: 1 }), plan({}, free)]],
	])('allows a run with %s', (_, plans) => {
		expect(check(...plans)).toStrictEqual(new Map());
	});

	test('rejects all paid items if they start more jobs than the smallest limit', () => {
		const plans = [
			plan({ mostJobs: 0 }, free, 'Free Thing'),
			plan({ mostJobs: 3000, count: 1998 }, counted),
			plan({ mostJobs: 2000 }),
			plan({ mostJobs: 2500, count: 2 }, counted),
		];
		const problem = exceed('2,001', 'videos', '2,000');
		expect(check(...plans)).toStrictEqual(new Map([2, 3, 4].map((item) => [item, problem])));
	});

	test.each([
		['Video Batch', 'video batches'],
		['Mesh', 'meshes'],
		['Bus', 'buses'],
		['Fax', 'faxes'],
		['Agent Session', 'agent sessions'],
	])('counts jobs of the resource %s as %s', (name, plural) => {
		const problems = check(plan({ mostJobs: 0 }, {}, name));
		expect(problems).toStrictEqual(new Map([[1, exceed('1', plural, '0')]]));
	});
});

describe('Min Account Balance', () => {
	const client = { node } as Client;

	/** Checks requests with these values, on an account that has 1,000 credits. */
	async function checkRequests(plans: ItemPlan[], failure?: unknown) {
		const before = { left: 1000, unit: 'credits' };
		const balance = jest.fn(async () =>
			failure === undefined
				? await Promise.resolve(before)
				: await Promise.reject(failure as Error),
		);
		const requests = plans.map((one) => ({ ...one, items: [{ item: 0, values: one.values }] }));
		const ports = { balance, upload: jest.fn(), findJobKind: jest.fn() };
		const result = await checkBalance(client, requests as PlannedRequest[], ports);
		return { result, before, calls: balance.mock.calls as unknown[] };
	}

	test.each<[string, ItemPlan[]]>([
		['without the options', [plan({}), plan({ stopBelowBalance: '5', reportCost: false })]],
		['of free requests', [plan({ stopBelowBalance: 5, reportCost: true }, free)]],
		['without requests', []],
	])('does not read the balance for a run %s', async (_, plans) => {
		const { result, calls } = await checkRequests(plans);
		expect([result, calls]).toStrictEqual([{}, []]);
	});

	test.each<[string, ItemPlan[], boolean]>([
		[
			'equal to the limit',
			[plan({ stopBelowBalance: 1000 }), plan({ stopBelowBalance: 5 })],
			false,
		],
		['that is only reported', [plan({}), plan({ reportCost: true })], true],
	])('allows a run with a balance %s', async (_, plans, isOptional) => {
		const { result, before, calls } = await checkRequests(plans);
		expect([result, calls]).toStrictEqual([{ before }, [[client, isOptional]]]);
	});

	test('rejects a run with a balance below the largest limit', async () => {
		const plans = [5, 2000, 1000].map((stopBelowBalance) => plan({ stopBelowBalance }));
		const { result, before } = await checkRequests([...plans, plan({})]);
		expect(result).toStrictEqual({ before, rejection: expect.anything() });
		expect(result.rejection).toMatchObject({
			message:
				'The account has 1,000 credits left, less than the minimum of 2,000 in "Min Account Balance"',
			description: expect.stringContaining('Nothing was created.'),
		});
		expect(result.rejection?.context.details).toStrictEqual({
			code: 'balance_too_low',
			left: 1000,
			unit: 'credits',
		});
	});

	test('rejects a run whose balance cannot be read, unless it is only reported', async () => {
		const error = createOperationError(node, 'No');
		const limited = await checkRequests([plan({ stopBelowBalance: 5 })], error);
		expect(limited.result).toStrictEqual({ rejection: error });
		const reported = await checkRequests([plan({ reportCost: true })], Error('Broken'));
		expect(reported.result).toStrictEqual({ before: expect.anything() });
		expect(reported.result.before).toMatchObject({ name: 'NodeOperationError', message: 'Broken' });
	});
});
