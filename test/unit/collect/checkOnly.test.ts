/** What Check Only outputs for each item: its problems, its request, its price, or a sample. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { createCheckOnlyResults, type ItemToCheck } from '../../../nodes/core/collect/checkOnly';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { CheckOnlyMode } from '../../../nodes/core/form/commonFields';
import type { Client } from '../../../nodes/core/http/client';
import type { ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import type { InjectedFunctions, Operation } from '../../../nodes/core/operation';
import { videoJob } from '../../../nodes/jobKinds/catalog';

const node = { name: 'Node', type: 'video', parameters: {} } as unknown as INode;
const fail = (message: string, details = {}) =>
	createOperationError(node, message, undefined, details);

const voiceField = {
	...{ displayName: 'Voice', name: 'voice_id', type: 'string', default: '', description: '' },
	lookUp: { line: 'GET /v3/voices/{voice_id}' },
};
const paid = {
	...{ request: 'POST /v3/voices/{voice_id}/videos', fields: [voiceField], starts: videoJob },
	body: async ({ values }: { values: IDataObject }) => ({ script: values.script }),
} as unknown as Operation;

/** Checks items with these operations and values. The only voices are v1 and v2. */
async function check(
	items: ReadonlyArray<readonly [Partial<Operation>, IDataObject | Error]>,
	{ mode = 'check' as CheckOnlyMode, left = 10 } = {},
) {
	const shared = new Map<string, unknown>();
	const requests: unknown[] = [];
	const client = {
		node,
		removeSecrets: (text: string) => text.replaceAll('secret', '***'),
		shareInRun: (key: string, create: () => unknown) => {
			if (!shared.has(key)) shared.set(key, create());
			return shared.get(key);
		},
		tryRequest: async ({ line, path }: ServiceRequest) => {
			requests.push([line, path]);
			const id = String(path?.voice_id);
			if (/^v[12]$/.test(id)) return { ok: true, reply: { data: { name: `Voice ${id}` } } };
			return { ok: false, error: fail('Missing', { status: 404 }) };
		},
	} as unknown as Client;
	const n8n = { getNode: () => node, getInputData: () => [{ json: { from: 'input' } }] };
	const balance = jest.fn(async () => ({ left, unit: 'USD' }));
	const resource = { value: 'video', name: 'Video', id: 'video_id', operations: [] };
	const checked = new Map(
		items.map(([more, values], i): [number, ItemToCheck] => {
			const operation = { ...more } as Operation;
			const plan = values instanceof Error ? values : { resource, operation: more, values };
			return [i, { mode, operation, plan: plan as ItemToCheck['plan'] }];
		}),
	);
	const ports = { balance } as unknown as InjectedFunctions;
	const context = { n8n: n8n as unknown as IExecuteFunctions, client, ports };
	const results = await createCheckOnlyResults(context, checked);
	const outputs = results.map((one) => ('output' in one ? one.output.json : one.error.message));
	return { results, outputs, requests, balance };
}

const v1 = { voice_id: 'v1', script: 'Hi' };
const voice1 = { field: 'Voice', id: 'v1', name: 'Voice v1' };
const unknownPrice = 'The service does not publish a price for this operation';
const request = { method: 'POST', path: '/v3/voices/v1/videos', body: { script: 'Hi' } };
const valid = {
	...{ valid: true, problems: [], request, price: unknownPrice, jobs: 1 },
	references: [voice1],
};

test('a valid item has its request, its price and the names of its IDs', async () => {
	const { results, balance } = await check([[paid, v1]]);
	expect(results).toStrictEqual([{ item: 0, output: { json: valid, pairedItem: { item: 0 } } }]);
	expect(balance).not.toHaveBeenCalled();
});

test.each<[string, Partial<Operation>, IDataObject, object]>([
	['a price', { ...paid, price: '1 USD' }, v1, { price: '1 USD' }],
	['several jobs', { ...paid, countJobs: ({ n }) => Number(n) }, { ...v1, n: 3 }, { jobs: 3 }],
	['no cost', { ...paid, paid: false }, v1, { jobs: null }],
	[
		'a query',
		{ ...paid, query: () => ({ q: 'secret' }) },
		v1,
		{ request: { ...request, query: { q: '***' } } },
	],
	[
		'no content',
		{ ...paid, body: () => ({}) },
		v1,
		{ request: { method: 'POST', path: '/v3/voices/v1/videos' } },
	],
	[
		'a file and a secret',
		{ ...paid, body: () => ({ a: { type: 'binary', field: 'data' }, b: 'a secret' }) },
		v1,
		{
			request: {
				...request,
				body: { a: { type: 'asset_id', asset_id: '(the file in "data")' }, b: 'a ***' },
			},
		},
	],
	[
		'the input item',
		{ ...paid, body: ({ input }) => input.json },
		v1,
		{ request: { ...request, body: { from: 'input' } } },
	],
	[
		'IDs in its body',
		{ ...paid, body: () => ({ voice_id: 'v2' }) },
		v1,
		{
			request: { ...request, body: { voice_id: 'v2' } },
			references: [voice1, { field: 'Voice', id: 'v2', name: 'Voice v2' }],
		},
	],
])('an item may have %s', async (_, operation, values, expected) => {
	expect((await check([[operation, values]])).outputs).toStrictEqual([{ ...valid, ...expected }]);
});

const missing = '"Voice": no does not exist';
const invalid = { ...valid, valid: false };

test.each<[string, Partial<Operation>, IDataObject | Error, object]>([
	[
		'its values',
		paid,
		fail('First', { complaints: ['First', 2] }),
		{ problems: ['First', '2'], request: null, jobs: null, references: [] },
	],
	[
		'an expression',
		paid,
		fail('No'),
		{ problems: ['No'], request: null, jobs: null, references: [] },
	],
	[
		'an ID in its path',
		{ ...paid, reject: () => Promise.reject(fail('Never')) },
		{ voice_id: 'no' },
		{ problems: [missing], request: null, references: [{ field: 'Voice', id: 'no' }] },
	],
	[
		'an ID in its body, and more',
		{
			...paid,
			body: () => ({ voice_id: 'no' }),
			reject: () => Promise.reject(fail('No', { complaints: ['More'] })),
		},
		v1,
		{
			problems: [missing, 'More'],
			request: { ...request, body: { voice_id: 'no' } },
			references: [voice1, { field: 'Voice', id: 'no' }],
		},
	],
	[
		'its body',
		{ ...paid, body: () => Promise.reject(fail('Bad', { complaints: ['A', 'B'] })) },
		v1,
		{ problems: ['A', 'B'], request: null },
	],
	[
		'what it refers to',
		{ ...paid, reject: () => Promise.reject(fail('No')) },
		v1,
		{ problems: ['No'] },
	],
])('an item may have a problem with %s', async (_, operation, values, expected) => {
	const { outputs } = await check([[operation, values]]);
	expect(outputs).toStrictEqual([{ ...invalid, ...expected }]);
});

test('items of a request say how many there are, without those that have a problem', async () => {
	const operation = { ...paid, combine: { list: 'x', maxSize: 2 } };
	const values = [v1, v1, { voice_id: 'no' }, v1];
	const { outputs, requests } = await check(values.map((one) => [operation, one] as const));
	expect(outputs.map((json) => (json as IDataObject).request)).toStrictEqual([
		...[{ ...request, items: 2 }, { ...request, items: 2 }, null, request],
	]);
	expect(requests).toHaveLength(2);
});

test('a low balance is a problem of the items that could be sent', async () => {
	const limited = { ...v1, stopBelowBalance: 11 };
	const { outputs, balance } = await check([
		[paid, limited],
		[paid, { ...limited, voice_id: 'no' }],
		[paid, fail('No')],
	]);
	const low = expect.stringContaining('less than the minimum of 11') as unknown;
	expect(outputs).toMatchObject([
		{ valid: false, problems: [low], request },
		{ valid: false, problems: [missing] },
		{ valid: false, problems: ['No'] },
	]);
	expect(balance).toHaveBeenCalledTimes(1);
	const invalidOnly = await check([[paid, { ...limited, voice_id: 'no' }]]);
	expect(invalidOnly.balance).not.toHaveBeenCalled();
});

test('a sample is output for valid items only, and the others fail', async () => {
	const rejected = fail('No');
	const sampled = { ...paid, sample: { reply: { id: 'sample' } }, starts: undefined };
	const { results, outputs } = await check(
		[
			[sampled, v1],
			[sampled, { voice_id: 'no' }],
			[sampled, rejected],
		],
		{ mode: 'sample' },
	);
	expect(outputs).toStrictEqual([{ video_id: 'sample', simulated: true }, missing, 'No']);
	expect(results.slice(1)).toStrictEqual([
		{ item: 1, error: expect.anything(), jobs: [] },
		{ item: 2, error: rejected, jobs: [] },
	]);
	expect(results[1]).toMatchObject({
		error: { context: { details: { code: 'invalid_value', complaints: [missing] } } },
	});
});
