/** The HTTP request that is built from an operation and the values of its items. */
import type { IDataObject } from 'n8n-workflow';
import type { Client } from '../../../nodes/core/http/client';
import type { Operation } from '../../../nodes/core/operation';
import {
	addIdempotencyKey,
	buildRequest,
	toValidatedItem,
} from '../../../nodes/core/send/buildRequest';
import { videoJob } from '../../../nodes/jobKinds/catalog';
import { createField } from '../plan/itemParameters';

const client = {} as Client;

const createOperation = (request: string, more: Partial<Operation> = {}): Operation => ({
	value: 'a',
	name: 'A',
	action: 'A',
	description: '',
	request,
	fields: [
		createField('thing_id'),
		createField('tags'),
		createField('page', { in: 'query' }),
		createField('text', { in: 'body' }),
		createField('secret', { in: 'local' }),
	],
	options: [
		createField('look', {
			type: 'collection',
			default: {},
			options: [createField('tags', { displayName: 'Inner Tags' }), createField('inner')],
		}),
	],
	...more,
});

/** Builds the request for items with these values. */
const build = async (operation: Operation, all: IDataObject[], body?: IDataObject) => {
	const [values = {}] = all;
	const items = all.map((one, item) => ({ item, values: one })) as never;
	const resource = { name: 'Thing', value: 'thing', operations: [] };
	return await buildRequest(
		{ resource, operation, values, items },
		client,
		all.map((one) => toValidatedItem(operation, one, { json: {} })),
		body,
	);
};

const values = {
	thing_id: 5,
	tags: ['a', 'b'],
	page: [1, 2],
	text: ['c', 'd'],
	secret: 's',
	unknown: 'u',
	additionalBodyFields: { extra: 1, text: 'e' },
};

const unset = {
	uncertainOutcomeHint: undefined,
	explanations: undefined,
	labels: expect.any(Function),
	survivesStop: false,
	repeatable: undefined,
	timeout: undefined,
	perMinuteLimit: undefined,
};

test('values go into the path, the query or the body, depending on the operation', async () => {
	expect(await build(createOperation('POST /a/{thing_id}/{other_id}'), [values])).toStrictEqual({
		...unset,
		line: 'POST /a/{thing_id}/{other_id}',
		path: { thing_id: '5', other_id: '' },
		query: { page: '1,2' },
		body: { tags: ['a', 'b'], extra: 1, text: 'e' },
	});
	expect(await build(createOperation('GET /a'), [values])).toStrictEqual({
		...unset,
		line: 'GET /a',
		path: {},
		query: { thing_id: 5, tags: 'a,b', page: '1,2' },
	});
	expect(toValidatedItem(createOperation('GET /a'), values, { json: { i: 1 } })).toStrictEqual({
		values,
		payload: { text: ['c', 'd'] },
		input: { json: { i: 1 } },
	});
});

test('the properties of the operation apply to its request', async () => {
	const more = {
		uncertainOutcomeHint: 'Look for it',
		explanations: { status_404: { message: 'No', advice: 'Go' } },
		repeatable: true,
		timeout: 7,
		perMinuteLimit: { name: 'x', requests: 1 } as never,
	};
	const { labels, ...built } = await build(
		createOperation('PUT /a', { ...more, starts: videoJob }),
		[{}],
	);
	expect(built).toStrictEqual({
		...more,
		line: 'PUT /a',
		path: {},
		query: {},
		survivesStop: true,
		body: {},
	});
	expect(labels?.()).toMatchObject({ tags: 'The tags', inner: 'The inner', look: 'The look' });
});

test('a body of the caller replaces the body of the operation, but not the fields of the user', async () => {
	const operation = createOperation('POST /a', {
		body: () => ({ made: 1 }),
		query: () => ({ q: 1 }),
	});
	expect(await build(operation, [values])).toMatchObject({
		query: { q: 1 },
		body: { made: 1, extra: 1, text: 'e' },
	});
	const { body } = await build(operation, [values], { other: 1, extra: 2 });
	expect(body).toStrictEqual({ other: 1, extra: 1, text: 'e' });
});

test('the functions of an operation receive the first item, or all that it combines', async () => {
	const read = jest.fn(() => ({}));
	const combine = jest.fn(() => ({ all: 1 }));
	const operation = createOperation('POST /a', { query: read, body: read });
	await build(operation, [{ tags: 'a' }, { tags: 'b' }]);
	expect(read.mock.calls).toStrictEqual(
		Array(2).fill([{ values: { tags: 'a' }, payload: { tags: 'a' }, input: { json: {} } }, client]),
	);
	const combined = { ...operation, combine: { maxSize: 2, body: combine } };
	expect(await build(combined, [{ tags: 'a' }, { tags: 'b' }])).toMatchObject({
		query: {},
		body: { all: 1 },
	});
	expect(combine.mock.calls).toMatchObject([
		[[{ values: { tags: 'a' } }, { values: { tags: 'b' } }]],
	]);
});

const inBody = { idempotencyKey: 'k', isKeyInBody: true };

test.each<[string, Operation['idempotent'], IDataObject]>([
	['nowhere', undefined, {}],
	['into a header', true, { idempotencyKey: 'k' }],
	['into a header that may have no effect', 'unconfirmed', { idempotencyKey: 'k' }],
	['into the body', { bodyField: 'key' }, { body: { key: 'k', text: 'a' }, ...inBody }],
	[
		'into the body, unless the user filled that field',
		{ bodyField: 'text' },
		{ ...inBody, idempotencyKey: 'a' },
	],
])('the idempotency key goes %s', (_, idempotent, changes) => {
	const request = { line: 'POST /a', body: { text: 'a' } };
	const ready = addIdempotencyKey(request, createOperation('POST /a', { idempotent }), 'k');
	expect(ready).toStrictEqual({ ...request, ...changes });
	expect([ready === request, request]).toStrictEqual([
		false,
		{ line: 'POST /a', body: { text: 'a' } },
	]);
});
