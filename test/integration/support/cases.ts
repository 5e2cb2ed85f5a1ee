/**
 * What is asked of every operation on n8n's engine: the exact request that it sends, the items
 * that it returns, which item they come from, and what Continue On Fail makes of a refusal.
 */
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';
import type { Simulator } from '../../../simulator';
import type { Fault } from '../../../simulator/faults';
import { getOperationTitle, readRetryRules } from '../../../tools/retries';
import { z } from 'zod';
import {
	getErrorDetails,
	getOptionFields,
	hasRequestBody,
	type Field,
	type Operation,
	type Resource,
} from './core';
import { itemsOf, runNode } from './engine';
import { walk } from './walk';
import { media } from './media';
import { useService } from './service';
import { showsOnPage } from './shown';

/** One operation, tried once. */
export interface Case {
	/** Makes the things whose ids the parameters need. */
	before?: (service: Simulator) => Promise<IDataObject>;
	/** The parameters of the node, without `operation`. */
	parameters: (ids: IDataObject) => INodeParameters;
	/** The items that come in; one empty item by default. */
	items?: INodeExecutionData[];
	/** Method and path; the body (writes) or the query (reads), exactly. */
	sends: (ids: IDataObject) => { line: string; body?: unknown; query?: IDataObject };
	/** Whether an idempotency key goes with it. */
	keyed?: boolean;
	/** How the error begins when the service denies access, where it has words of its own. */
	denied?: string;
	returns: (
		items: INodeExecutionData[],
		ids: IDataObject,
		service: Simulator,
	) => void | Promise<void>;
}

export const first = (items: INodeExecutionData[]): IDataObject => items[0]?.json ?? {};
/** For what is tried at the create alone; waits take no time here either. */
export const noWait = { waitForCompletion: false };
/** The first three of a list, with all that is told of them. */
export const few = { returnAll: false, limit: 3, simple: false };
export const url = (value: string) => ({ __rl: true as const, mode: 'url', value });

/** Ids for parameters of requests that will not be carried out: every key has one. */
const anyIds = new Proxy({} as IDataObject, {
	get: (_, key) => (typeof key === 'string' ? `any-${key}` : undefined),
});

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Runs a node for what it makes; the first item's json. */
export const made = async (...call: Parameters<typeof runNode>): Promise<IDataObject> =>
	first(await itemsOf(...call));

/** A picture uploaded as an asset of the account. */
export const anAsset = async (service: Simulator) => {
	const data = media('thumbnail.jpg').toString('base64');
	return await made(
		service,
		'VideoGenAsset',
		{ operation: 'upload', binaryPropertyName: 'data' },
		{
			items: [{ json: {}, binary: { data: { data, mimeType: 'image/jpeg', fileName: 'me.jpg' } } }],
		},
	);
};

/** Options of the body that an operation has not of its own, but because others have them too. */
const sharedBodyOptions = (operation: Operation): Field[] =>
	getOptionFields(operation).filter(
		(field) =>
			hasRequestBody(operation) &&
			!operation.options?.includes(field) &&
			((field.in ?? 'body') === 'body' || field.name === 'additionalBodyFields'),
	);

/** A value of an option as n8n stores it, and what it is to become in the body. */
function trialOf({ name, type }: Field): { stored: NodeParameterValueType; sent: IDataObject } {
	if (type === 'json') return { stored: '{"not_in_form": "here"}', sent: { not_in_form: 'here' } };
	const stored = type === 'number' ? 1 : type === 'boolean' ? true : 'here';
	return { stored, sent: { [name]: stored } };
}

/** Whether a body, or a form with its parts, holds these values. */
function holds(body: unknown, sent: IDataObject): boolean {
	const { multipart = [], ...object } = (body ?? {}) as { multipart?: IDataObject[] };
	const parts = multipart.map(({ name, value }) => [String(name), value]);
	const all: Record<string, unknown> = { ...object, ...Object.fromEntries(parts) };
	return Object.entries(sent).every(([key, value]) => all[key] === value);
}

/**
 * Tests the operations of a node; each must have a case. Cases go by the operation, or by
 * `resource.operation` where the node has several resources.
 *
 * @param open trials about which our fields and the service differ on purpose: values that only the
 * service can judge, and values of which it says nothing
 */
export function describeOperations(
	node: string,
	resources: readonly Resource[],
	cases: Record<string, Case>,
	open: readonly string[] = [],
): void {
	describe(node, () => {
		const service = useService();

		const operations = resources.flatMap((resource) =>
			resource.operations.map((operation) => ({
				operation,
				name: resources.length > 1 ? `${resource.value}.${operation.value}` : operation.value,
				chosen: { resource: resource.value, operation: operation.value },
			})),
		);

		const parametersOf = (wanted: string, one: Case, ids: IDataObject): INodeParameters => ({
			...operations.find(({ name }) => name === wanted)?.chosen,
			...one.parameters(ids),
		});

		test('every operation has a case, and a value of its own', () => {
			const names = operations.map(({ name }) => name);
			const file = `test/integration/nodes/${node}.test.ts`;
			const tasks = [
				...names
					.filter((name) => !(name in cases))
					.map((name) => `Write a case "${name}" in ${file}`),
				...Object.keys(cases)
					.filter((name) => !names.includes(name))
					.map((name) => `List the operation of the case "${name}", or remove it from ${file}`),
			];
			if (tasks.length > 0) throw new Error(tasks.join('\n'));
			expect(new Set(names).size).toBe(names.length);
		});

		test('no limit is tighter than that of the service', async () => {
			const wrong: string[] = [];
			for (const { operation, name: tested } of operations) {
				const one = cases[tested];
				if (!one) continue;
				const right = parametersOf(tested, one, anyIds);
				for (const trial of walk(operation, right)) {
					const { what, name, beyond, parameters } = trial;
					const field = trial.field as { -readonly [K in keyof Field]: Field[K] };
					if (!beyond || field.in === 'local') continue;
					service.control.reset();
					const { schema } = field;
					// The service judges what our own schema would refuse.
					field.schema = z.any();
					const result = await runNode(service, node, parameters, { items: one.items }).finally(
						() => (field.schema = schema),
					);
					const { code } = getErrorDetails(result.error);
					const tried = `${tested}, ${name}, ${what}`;
					// What holds the field, or stands beside it, may be refused by us: then nobody has judged.
					if (code === 'invalid_value' || code === 'invalid_parameter' || open.includes(tried))
						continue;
					const taken = 'taken: its body in simulator/resources knows another limit, or none';
					wrong.push(`${tried}: ${result.error?.message ?? taken}`);
				}
			}
			expect(wrong).toEqual([]);
		}, 120_000);

		test('every field refuses what is out of bounds before anything is sent, and nothing else', async () => {
			const wrong: string[] = [];
			let tried = 0;
			for (const { operation, name: tested } of operations) {
				const one = cases[tested];
				if (!one) continue;
				const right = parametersOf(tested, one, anyIds);
				for (const { what, name, good, parameters } of walk(operation, right)) {
					service.control.reset();
					// What should not be sent is refused. What should be is checked by the service's own limits,
					// or a limit of ours that is too wide would pass.
					if (!good) {
						service.control.fail({ path: /^\/v/, status: 400, code: 'content_policy_violation' });
					}
					// n8n checks some of it before the node runs, and throws.
					const error = await runNode(service, node, parameters, { items: one.items }).then(
						(result) => result.error,
						(thrown: Error) => thrown,
					);
					// What two values make together is another matter.
					const complains = new RegExp(
						`"${escaped(name)}[^"]*" (must|is required|is not valid)`,
					).test(error?.message ?? '');
					const sent = service.control.requests().length > 0;
					const refused = getErrorDetails(error).code === 'invalid_parameter';
					const trial = `${tested}, ${name}, ${what}`;
					tried++;
					if (complains === good || (!good && sent) || (refused && !open.includes(trial))) {
						wrong.push(
							`${trial}: ${refused ? 'refused by the service' : good ? 'refused' : 'taken'}${sent ? ', sent' : ''}: ${error?.message ?? 'no error'}`,
						);
					}
				}
			}
			expect(wrong).toEqual([]);
			expect(tried).toBeGreaterThan(operations.length);
		}, 120_000);

		test('options of the body that operations share reach the body of each', async () => {
			const lost: string[] = [];
			for (const { operation, name: tested } of operations) {
				const one = cases[tested];
				if (!one) continue;
				for (const field of sharedBodyOptions(operation)) {
					service.control.reset();
					const ids = (await one.before?.(service)) ?? {};
					const from = service.control.requests().length;
					const right = parametersOf(tested, one, ids);
					const { stored, sent } = trialOf(field);
					const options = { ...(right.options as INodeParameters), [field.name]: stored };
					await runNode(service, node, { ...right, options }, { items: one.items });
					const [method, path] = one.sends(ids).line.split(' ');
					const reached = service.control
						.requests()
						.slice(from)
						.some((r) => r.method === method && r.path === path && holds(r.body, sent));
					if (!reached) lost.push(`${tested}: "${field.displayName}" is not in its body`);
				}
			}
			if (lost.length > 0) {
				const task =
					'Send it for all operations at once: in buildRequest, nodes/core/send/buildRequest.ts';
				throw new Error([task, ...lost].join('\n'));
			}
		});

		describe.each(Object.entries(cases))('%s', (value, one) => {
			const own = operations.find(({ name }) => name === value)?.operation;
			if (own && hasRequestBody(own)) {
				test('is retried as its page says', async () => {
					const resource = resources.find(({ operations: all }) => all.includes(own));
					const title = getOperationTitle(own, resources.length > 1 ? resource : undefined);
					const rule = readRetryRules(node).get(title);

					/** Runs the case while its request meets a fault so often; tells how often it was sent. */
					const tried = async (fault: Fault) => {
						service.control.reset();
						const ids = (await one.before?.(service)) ?? {};
						const from = service.control.requests().length;
						const [method, path = ''] = one.sends(ids).line.split(' ');
						service.control.fail({ method, path, ...fault });
						const parameters = parametersOf(value, one, ids);
						const { error, items } = await runNode(service, node, parameters, { items: one.items });
						const sent = service.control
							.requests()
							.slice(from)
							.filter((r) => r.method === method && r.path === path);
						const keys = new Set(sent.map(({ headers }) => headers['idempotency-key']));
						expect(keys.size).toBe(1);
						return { error, items, ids, sent: sent.length };
					};

					for (const status of [503, 429]) {
						for (const times of [1, 2]) {
							const { error, items, ids, sent } = await tried({ status, times });
							expect(sent === times + 1).toBe(rule?.afterServiceRefusal);
							expect(error).toBeUndefined();
							await one.returns(items, ids, service);
						}
					}
					const { error, sent } = await tried({ status: 503, proxy: true });
					expect(sent > 1).toBe(rule?.afterProxyRefusal);
					const { uncertain = false, idempotency_key: key } = getErrorDetails(error);
					expect(error?.httpCode).toBe('503');
					expect(uncertain).toBe(rule?.safeBecause !== 'same effect');
					// Who cannot repeat is told what may exist; who could has the key of it.
					const told = error?.description ?? '';
					if (rule?.safeBecause === undefined) expect(told).toContain(own.uncertainOutcomeHint);
					if (rule?.safeBecause === 'key') expect(told).toContain(key);
				});
			}

			test('sends the exact request, and returns items that know their item', async () => {
				const ids = (await one.before?.(service)) ?? {};
				const from = service.control.requests().length;
				const result = await runNode(service, node, parametersOf(value, one, ids), {
					items: one.items,
				});
				if (result.error) {
					// So the simulator says of what it does not serve.
					const lacks = /\/\S+ does not exist/.test(result.error.message);
					const task = lacks ? 'Write the endpoint in simulator/resources, if it lacks it\n' : '';
					throw new Error(`${task}${result.error.message}\n${result.error.description}`);
				}

				const expected = one.sends(ids);
				const [method, path] = expected.line.split(' ');
				const request = service.control
					.requests()
					.slice(from)
					.find((r) => r.method === method && r.path === path);
				expect(request).toBeDefined();
				if ('body' in expected) expect(request?.body ?? null).toEqual(expected.body);
				if (expected.query) expect(request?.query).toEqual(expected.query);
				expect(request?.headers['x-api-key']).toBe(service.apiKey);
				if (one.keyed) expect(request?.headers['idempotency-key']).toMatch(/^n8n-[0-9a-f]{48}$/);
				else expect(request?.headers['idempotency-key']).toBeUndefined();

				await one.returns(result.items, ids, service);
				for (const item of result.items) expect(item.pairedItem).toEqual({ item: 0 });
			});

			test('gives out what its page shows', async () => {
				const ids = (await one.before?.(service)) ?? {};
				// What a job becomes tells more than that it began.
				const awaited = own?.starts === undefined ? {} : { waitForCompletion: true };
				// A list is shown as it comes, also where its case asks for what there is not.
				const parameters = own?.list
					? { ...parametersOf(value, one, ids), options: {}, simple: true }
					: { ...parametersOf(value, one, ids), ...awaited };
				const { items, error } = await runNode(service, node, parameters, { items: one.items });
				expect(error).toBeUndefined();
				showsOnPage(node, value, items[0]);
			});

			test('continues on fail with the facts of the refusal, and stops without', async () => {
				const ids = (await one.before?.(service)) ?? {};
				service.control.fail({
					path: /^\/v/,
					status: 403,
					code: 'resource_access_denied',
					message: 'Not yours',
				});
				const parameters = parametersOf(value, one, ids);
				const continued = await runNode(service, node, parameters, {
					items: one.items,
					node: { onError: 'continueRegularOutput' },
				});
				expect(continued.error).toBeUndefined();
				expect(continued.items).toHaveLength(1);
				expect(continued.items[0]).toMatchObject({
					pairedItem: { item: 0 },
					json: {
						error: expect.stringContaining(
							`${one.denied ?? 'belongs to another user or organization'}: Not yours`,
						),
						details: {
							status: 403,
							code: 'resource_access_denied',
							// The envelope of v1 has no request id.
							...(one.sends(ids).line.includes('/v1/')
								? {}
								: { request_id: expect.stringMatching(/^[0-9a-f]{32}$/) }),
						},
					},
				});

				const stopped = await runNode(service, node, parameters, { items: one.items });
				expect(stopped.error?.message).toContain('Not yours');
				expect(stopped.error?.httpCode).toBe('403');
			});
		});
	});
}
