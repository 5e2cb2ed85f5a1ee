/** Check Only looks up the IDs that the user has entered. */
import type { IDataObject, INode } from 'n8n-workflow';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { Field, IdLookUp } from '../../../nodes/core/form/field';
import type { Client } from '../../../nodes/core/http/client';
import type { Operation } from '../../../nodes/core/operation';
import { verifyIds } from '../../../nodes/core/collect/checkOnly';

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

const field = (name: string, displayName: string, lookUp?: IdLookUp, more: Partial<Field> = {}) =>
	({ name, displayName, type: 'string', default: '', lookUp, ...more }) as Field;

const voice: IdLookUp = {
	line: 'GET /voices/{voice_id}',
	explainUnusable: ({ ready }) => (ready === false ? 'is not ready' : undefined),
};
const style: IdLookUp = { line: 'GET /styles', listKey: 'style_id' };

const operation: Operation = {
	value: 'a',
	name: 'A',
	action: 'A',
	description: '',
	request: 'POST /{voice_id}/{other}',
	fields: [
		field('voice_id', 'Voice', voice),
		field('other', 'Other'),
		field('file', 'File', { line: 'GET /assets/{id}' }, { asset: true }),
		field('scenes', 'Scenes', undefined, {
			contains: [field('look_id', 'Look', { line: 'GET /looks/{id}' })],
		}),
	],
	options: [field('style_id', 'Style', style)],
};

const resources: Record<string, IDataObject> = {
	v1: { name: 'Ada', title: 'Not this' },
	v2: { voice: { title: 'My secret', ready: false } },
	v3: { name: '', ready: true },
};

/** A client for a service that has these voices, and two pages of styles. */
function createClient() {
	const shared = new Map<string, unknown>();
	const tryRequest = jest.fn(async ({ path }: { line: string; path: Record<string, string> }) => {
		const [id = ''] = Object.values(path);
		const data = resources[id];
		const status = id === 'denied' ? 403 : 404;
		return await Promise.resolve(
			data
				? { ok: true, reply: { data } }
				: { ok: false, error: createOperationError(node, `No ${id}`, [], { status }) },
		);
	});
	const fetchPages = jest.fn(async function* () {
		yield await Promise.resolve({ rows: [{ style_id: 1, name: 'One' }] });
		yield { rows: [{ style_id: 's2' }] };
	});
	const client = {
		tryRequest,
		fetchPages,
		removeSecrets: (text: string) => text.replace('secret', '***'),
		shareInRun<T>(key: string, make: () => T) {
			if (!shared.has(key)) shared.set(key, make());
			return shared.get(key);
		},
	};
	return { client: client as unknown as Client, tryRequest, fetchPages };
}

test('the IDs in a body are looked up, at any depth, and each of them once', async () => {
	const { client, tryRequest, fetchPages } = createClient();
	const body = {
		voice_id: 'v1',
		other: 'v9',
		title: null,
		file: { type: 'asset_id', asset_id: 'denied' },
		scenes: [{ look_id: 'v1' }, { look_id: 'gone', voice_id: 'v1' }, { part: { voice_id: 'v2' } }],
		style_id: [1, 's2', 's3', 's2'],
	};
	expect(await verifyIds(client, operation, body)).toStrictEqual([
		{ field: 'Voice', id: 'v1', name: 'Ada' },
		{ field: 'File', id: 'denied', unknown: 'No denied' },
		{ field: 'Look', id: 'v1', name: 'Ada' },
		{ field: 'Look', id: 'gone', problem: '"Look": gone does not exist' },
		{ field: 'Voice', id: 'v2', name: 'My ***', problem: '"Voice": v2 is not ready' },
		{ field: 'Style', id: '1', name: 'One' },
		{ field: 'Style', id: 's2' },
		{ field: 'Style', id: 's3', problem: '"Style": s3 does not exist' },
	]);
	const requests = tryRequest.mock.calls.map(([request]) => request);
	expect(requests).toStrictEqual([
		{ line: 'GET /voices/{voice_id}', path: { voice_id: 'v1' } },
		{ line: 'GET /assets/{id}', path: { id: 'denied' } },
		{ line: 'GET /looks/{id}', path: { id: 'v1' } },
		{ line: 'GET /looks/{id}', path: { id: 'gone' } },
		{ line: 'GET /voices/{voice_id}', path: { voice_id: 'v2' } },
	]);
	expect(fetchPages.mock.calls).toStrictEqual([[{ line: 'GET /styles' }, 50]]);
	await verifyIds(client, operation, body);
	expect([tryRequest.mock.calls.length, fetchPages.mock.calls.length]).toStrictEqual([5, 1]);
});

test.each<[string, unknown]>([
	['without a body', undefined],
	['with empty IDs', { voice_id: '', style_id: [], scenes: [null, { look_id: null }] }],
	['with an object in place of an ID', { voice_id: { name: 'v1' } }],
])('nothing is looked up for a request %s', async (_, body) => {
	const { client, tryRequest } = createClient();
	expect(await verifyIds(client, operation, body)).toStrictEqual([]);
	expect(tryRequest).not.toHaveBeenCalled();
});

test('an ID in an object in place of an ID is looked up', async () => {
	const body = { voice_id: { voice_id: 'v3' } };
	expect(await verifyIds(createClient().client, operation, body)).toStrictEqual([
		{ field: 'Voice', id: 'v3' },
	]);
});
