/**
 * Tests that every operation must pass on n8n's engine: the exact request that it sends, the items that
 * it returns, their input item, and the error item of Continue On Fail.
 */
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	NodeParameterValueType,
} from 'n8n-workflow';
import type { Simulator } from '../../../simulator';
import type { Fault } from '../../../simulator/faults';
import { readRetryRule } from '../../../tools/retries';
import { z } from 'zod';
import {
	getErrorDetails,
	isObject,
	getOptionFields,
	hasCheckOnlyOption,
	hasRequestBody,
	isPaid,
	type Field,
	type Operation,
	type Resource,
} from './core';
import { runForItems, runNode } from './engine';
import { buildExpectedRequest, completeParameters, type RequestCase } from './expectedRequest';
import { listAllTrials } from './walk';
import { media } from './media';
import { useService } from './service';
import { expectOnPage } from './shown';

/** A test case for one operation. */
export interface Case extends RequestCase {
	/** Creates the resources whose IDs the request needs. */
	before?: (service: Simulator) => Promise<IDataObject>;
	/** The input items; one empty item by default. */
	items?: INodeExecutionData[];
	/** Whether the request has an idempotency key. */
	keyed?: boolean;
	/** How the error begins if the service denies access, if the operation has its own text. */
	denied?: string;
	/** What the items hold in addition to the job or the IDs of the path, which are always tested. */
	returns?: (
		items: INodeExecutionData[],
		ids: IDataObject,
		service: Simulator,
	) => void | Promise<void>;
}

/** A case by operation; only its line if that says it all. */
export type Cases = Record<string, Case | string>;

export const first = (items: INodeExecutionData[]): IDataObject => items[0]?.json ?? {};
/** The fields that such a create adds to its item. */
export const isRunning = { outcome: 'running', creation: 'created' };
export const url = (value: string) => ({ __rl: true as const, mode: 'url', value });

/** IDs for requests that are not carried out: every key has one. */
const anyIds = new Proxy({} as IDataObject, {
	get: (_, key) => (typeof key === 'string' ? `any-${key}` : undefined),
});

export const readCase = (one: Case | string): Case =>
	typeof one === 'string' ? { line: one } : one;

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Runs a node, and returns the JSON of its first item. */
export const runForJson = async (...call: Parameters<typeof runNode>): Promise<IDataObject> =>
	first(await runForItems(...call));

/** Uploads an image as an asset. */
export const uploadAsset = async (service: Simulator) => {
	const data = media('thumbnail.jpg').toString('base64');
	return await runForJson(
		service,
		'VideoGenAsset',
		{ operation: 'upload', binaryPropertyName: 'data' },
		{
			items: [{ json: {}, binary: { data: { data, mimeType: 'image/jpeg', fileName: 'me.jpg' } } }],
		},
	);
};

/** Options of the body that an operation shares with others, instead of defining them itself. */
const sharedBodyOptions = (operation: Operation): Field[] =>
	getOptionFields(operation).filter(
		(field) =>
			hasRequestBody(operation) &&
			!operation.options?.includes(field) &&
			((field.in ?? 'body') === 'body' || field.name === 'additionalBodyFields'),
	);

/** A value of an option as n8n stores it, and as the body must have it. */
function createOptionTrial({ name, type }: Field): {
	stored: NodeParameterValueType;
	sent: IDataObject;
} {
	if (type === 'json') return { stored: '{"not_in_form": "here"}', sent: { not_in_form: 'here' } };
	const stored = type === 'number' ? 1 : type === 'boolean' ? true : 'here';
	return { stored, sent: { [name]: stored } };
}

/** Whether a body, or a form with parts, has these values. */
function hasValues(body: unknown, sent: IDataObject): boolean {
	const { multipart = [], ...object } = (body ?? {}) as { multipart?: IDataObject[] };
	const parts = multipart.map(({ name, value }) => [String(name), value]);
	const all: Record<string, unknown> = { ...object, ...Object.fromEntries(parts) };
	return Object.entries(sent).every(([key, value]) => all[key] === value);
}

/** Expects that a sample has the keys of a real item, and values of the same types unless one is null. */
function expectSameShape(sample: IDataObject, real: IDataObject = {}) {
	expect(Object.keys(sample).sort()).toEqual(Object.keys(real).sort());
	for (const [key, value] of Object.entries(sample)) {
		const types = [value, real[key]].filter((one) => one !== null);
		const names = types.map((one) => (Array.isArray(one) ? 'list' : typeof one));
		expect([key, new Set(names).size]).toEqual([key, names.length > 0 ? 1 : 0]);
	}
}

/** Expects items with the job that the operation starts, or else with the IDs of its path. */
function expectJobOrIds(
	{ starts, request, list }: Operation,
	path: string,
	items: INodeExecutionData[],
): void {
	expect(items).not.toEqual([]);
	const { job, ...item } = first(items);
	if (typeof starts === 'object') {
		expect(job).toEqual({ kind: starts.name, id: expect.any(String) });
		expect(Object.values(item)).toContain((job as IDataObject).id);
	} else if (!list) {
		const names = request.split('/');
		// VideoGen Job Status reads jobs of many kinds: the kind is in the path, but no ID.
		const ids = path
			.split('/')
			.filter((_, i) => names[i]?.startsWith('{') && names[i] !== '{kind}');
		expect(Object.values(item).map(String)).toEqual(expect.arrayContaining(ids));
	}
}

/**
 * Tests the operations of a node; each must have a case. The key of a case is the operation, or
 * `resource.operation` if the node has several resources.
 *
 * @param open trials for which our fields and the service differ on purpose: values that only the
 * service can check, and values that it does not document
 */
export function describeOperations(
	node: string,
	resources: readonly Resource[],
	cases: Cases,
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

		const tested = operations.flatMap(({ operation, name, chosen }) => {
			const given = cases[name];
			if (given === undefined) return [];
			const one = readCase(given);
			const getParameters = (ids: IDataObject): INodeParameters => ({
				...chosen,
				...completeParameters(operation, one, ids),
			});
			const getRequest = (ids: IDataObject) => buildExpectedRequest(operation, one, ids);
			return [{ operation, name, one, getParameters, getRequest }];
		});

		test('every operation has a case and a unique value', () => {
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

		test('no limit is tighter than the limit of the service', async () => {
			const wrong: string[] = [];
			for (const { operation, name: operationName, one, getParameters } of tested) {
				for (const trial of listAllTrials(operation, getParameters(anyIds))) {
					const { what, name, beyond, parameters } = trial;
					const field = trial.field as { -readonly [K in keyof Field]: Field[K] };
					if (!beyond || field.in === 'local') continue;
					service.control.reset();
					const { schema } = field;
					// The service checks the value that our own schema would reject.
					field.schema = z.any();
					const result = await runNode(service, node, parameters, { items: one.items }).finally(
						() => (field.schema = schema),
					);
					const { code } = getErrorDetails(result.error);
					const trialName = `${operationName}, ${name}, ${what}`;
					// If our node rejects a parent or sibling of the field, the value stays unchecked.
					if (code === 'invalid_value' || code === 'invalid_parameter' || open.includes(trialName))
						continue;
					const accepted = 'accepted: its body in simulator/resources knows another limit, or none';
					wrong.push(`${trialName}: ${result.error?.message ?? accepted}`);
				}
			}
			expect(wrong).toEqual([]);
		}, 120_000);

		test('every field rejects values beyond its limits before a request is sent, and accepts all others', async () => {
			const wrong: string[] = [];
			const tried = new Map<unknown, Set<string>>();
			let count = 0;
			for (const { operation, name: operationName, one, getParameters } of tested) {
				const right = getParameters(anyIds);
				for (const { what, name, good, field, parameters } of listAllTrials(operation, right)) {
					// A value that is not sent has the same outcome in all operations with the field.
					if (!good || field.in === 'local') {
						const ofSchema = tried.get(field.schema) ?? new Set();
						if (ofSchema.has(`${name} ${what}`)) continue;
						tried.set(field.schema, ofSchema.add(`${name} ${what}`));
					}
					service.control.reset();
					// The fault fails values that must not be sent. Other values are checked by the limits of the
					// service, so that a limit of ours that is too wide is found.
					if (!good) {
						service.control.fail({ path: /^\/v/, status: 400, code: 'content_policy_violation' });
					}
					// n8n itself checks some values before the node runs, and throws.
					const error = await runNode(service, node, parameters, { items: one.items }).then(
						(result) => result.error,
						(thrown: Error) => thrown,
					);
					// Errors about combinations of values do not count.
					const complains = new RegExp(
						`"${escapePattern(name)}[^"]*" (must|is required|is empty|is not valid)|^The 'Node' node has issues`,
					).test(error?.message ?? '');
					const sent = service.control.requests().length > 0;
					const rejected = getErrorDetails(error).code === 'invalid_parameter';
					const trial = `${operationName}, ${name}, ${what}`;
					count++;
					if (complains === good || (!good && sent) || (rejected && !open.includes(trial))) {
						wrong.push(
							`${trial}: ${rejected ? 'rejected by the service' : good ? 'rejected' : 'accepted'}${sent ? ', sent' : ''}: ${error?.message ?? 'no error'}`,
						);
					}
				}
			}
			expect(wrong).toEqual([]);
			expect(count).toBeGreaterThan(operations.length);
		}, 120_000);

		test('shared options of the body are in the body of each operation', async () => {
			const lost: string[] = [];
			for (const { operation, name, one, getParameters, getRequest } of tested) {
				for (const field of sharedBodyOptions(operation)) {
					service.control.reset();
					const ids = (await one.before?.(service)) ?? {};
					const from = service.control.requests().length;
					const right = getParameters(ids);
					const { stored, sent } = createOptionTrial(field);
					const options = { ...(right.options as INodeParameters), [field.name]: stored };
					await runNode(service, node, { ...right, options }, { items: one.items });
					const [method, path] = getRequest(ids).line.split(' ');
					const reached = service.control
						.requests()
						.slice(from)
						.some((r) => r.method === method && r.path === path && hasValues(r.body, sent));
					if (!reached) lost.push(`${name}: "${field.displayName}" is not in its body`);
				}
			}
			if (lost.length > 0) {
				const task =
					'Send it for all operations at once: in buildRequest, nodes/core/send/buildRequest.ts';
				throw new Error([task, ...lost].join('\n'));
			}
		});

		describe.each(tested)('$name', ({ operation, name: value, one, getParameters, getRequest }) => {
			const expectReturned = async (items: INodeExecutionData[], ids: IDataObject) => {
				expectJobOrIds(operation, getRequest(ids).line.split(' ')[1] ?? '', items);
				await one.returns?.(items, ids, service);
			};

			if (hasRequestBody(operation)) {
				test('is retried as its page documents', async () => {
					const rule = readRetryRule(operation);

					/** Runs the case with a fault on its request. Counts how often the request is sent. */
					const runWithFault = async (fault: Fault) => {
						service.control.reset();
						const ids = (await one.before?.(service)) ?? {};
						const from = service.control.requests().length;
						const [method, path = ''] = getRequest(ids).line.split(' ');
						service.control.fail({ method, path, ...fault });
						const parameters = getParameters(ids);
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
							const { error, items, ids, sent } = await runWithFault({ status, times });
							expect(sent === times + 1).toBe(rule.afterServiceRejection);
							expect(error).toBeUndefined();
							await expectReturned(items, ids);
						}
					}
					const { error, sent } = await runWithFault({ status: 503, proxy: true });
					expect(sent > 1).toBe(rule.afterProxyRejection);
					const { uncertain = false, idempotency_key: key } = getErrorDetails(error);
					expect(error?.httpCode).toBe('503');
					expect(uncertain).toBe(rule.safeBecause !== 'same effect');
					// The error explains how to find out what was created, or shows the idempotency key.
					const description = error?.description ?? '';
					if (rule.safeBecause === undefined)
						expect(description).toContain(operation.uncertainOutcomeHint);
					if (rule.safeBecause === 'key') expect(description).toContain(key);
				});
			}

			if (hasCheckOnlyOption(operation)) {
				/** Runs the case for an item and a copy of it, in this mode of Check Only. */
				const runChecked = async (checkOnly: string, more: INodeParameters = {}) => {
					const ids = (await one.before?.(service)) ?? {};
					const from = service.control.requests().length;
					const right = getParameters(ids);
					const options = { ...(right.options as INodeParameters), checkOnly };
					const [item = { json: {} }] = one.items ?? [];
					const result = await runNode(
						service,
						node,
						{ ...right, ...more, options },
						{ items: [item, item] },
					);
					const requests = service.control.requests().slice(from);
					// Neither a create nor an upload. The storage receives files in requests, too.
					expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
					expect(result.error).toBeUndefined();
					return { items: result.items, expected: getRequest(ids) };
				};

				test('with Check Only, outputs what would be sent, and creates nothing', async () => {
					const { items, expected } = await runChecked('check');
					expect(items).toHaveLength(2);
					for (const [i, { json, pairedItem }] of items.entries()) {
						const { method, path, body } = json.request as IDataObject;
						expect(json.problems).toEqual([]);
						expect(json).toMatchObject({ valid: true, price: expect.any(String) });
						if (isPaid(operation)) expect(json.jobs).toBeGreaterThan(0);
						else expect(json.jobs).toBeNull();
						expect(`${String(method)} ${String(path)}`).toBe(expected.line);
						if (!JSON.stringify(body ?? '').includes('(the file in')) {
							// An idempotency key in the body exists only once the request is sent.
							const key =
								typeof operation.idempotent === 'object' ? operation.idempotent.bodyField : '';
							const sent = isObject(expected.body) ? { ...expected.body } : expected.body;
							if (isObject(sent)) delete sent[key];
							// Uploads read their files only when they send them.
							const unread = isPaid(operation) ? [] : ['files', 'multipart'];
							for (const name of unread) if (isObject(sent)) delete sent[name];
							expect(body ?? {}).toEqual(sent ?? {});
						}
						expect(pairedItem).toEqual({ item: i });
					}
				});

				const testIfPaid = isPaid(operation) ? test : undefined;
				testIfPaid?.('with Sample Result, outputs items like those of a finished run', async () => {
					const waiting = operation.starts === undefined ? {} : { waitForCompletion: true };
					const { items: samples } = await runChecked('sample', waiting);
					service.control.reset();
					const ids = (await one.before?.(service)) ?? {};
					const parameters = { ...getParameters(ids), ...waiting };
					const real = await runNode(service, node, parameters, { items: one.items });
					const ofFirst = samples.filter(
						({ pairedItem }) => isObject(pairedItem) && pairedItem.item === 0,
					);
					expect(ofFirst).toHaveLength(real.items.length);
					for (const [i, { json, binary = {} }] of ofFirst.entries()) {
						const { simulated, ...sample } = json;
						expect(simulated).toBe(true);
						expectSameShape(sample, real.items[i]?.json);
						expect(Object.keys(binary)).toEqual(Object.keys(real.items[i]?.binary ?? {}));
					}
				});
			}

			test('sends the exact request, and returns items that are paired with their input item', async () => {
				const ids = (await one.before?.(service)) ?? {};
				const from = service.control.requests().length;
				const result = await runNode(service, node, getParameters(ids), {
					items: one.items,
				});
				if (result.error) {
					// The response of the simulator to an unknown endpoint.
					const lacks = /\/\S+ does not exist/.test(result.error.message);
					const task = lacks ? 'Write the endpoint in simulator/resources, if it lacks it\n' : '';
					throw new Error(`${task}${result.error.message}\n${result.error.description}`);
				}

				const expected = getRequest(ids);
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

				await expectReturned(result.items, ids);
				for (const item of result.items) expect(item.pairedItem).toEqual({ item: 0 });
			});

			test('outputs the item on its page', async () => {
				const ids = (await one.before?.(service)) ?? {};
				// A finished job has more to show than a new one.
				const awaited = operation.starts === undefined ? {} : { waitForCompletion: true };
				// All rows, in pages that the service allows; the options of the case may select none.
				const parameters = operation.list
					? { ...getParameters(ids), options: {}, simple: true, returnAll: true }
					: { ...getParameters(ids), ...awaited };
				const { items, error } = await runNode(service, node, parameters, { items: one.items });
				expect(error).toBeUndefined();
				expectOnPage(node, value, items[0]);
			});

			test('returns an error item with the details of a rejection on Continue On Fail, and stops otherwise', async () => {
				const ids = (await one.before?.(service)) ?? {};
				service.control.fail({
					path: /^\/v/,
					status: 403,
					code: 'resource_access_denied',
					message: 'Not yours',
				});
				const parameters = getParameters(ids);
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
							// Responses of v1 have no request ID.
							...(getRequest(ids).line.includes('/v1/')
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
