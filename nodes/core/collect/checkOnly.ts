/** Validates items for the option Check Only. Sends only read requests. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { flattenFields } from '../describe/nodeDescription';
import { getErrorDetails, isNotFoundError } from '../errors/errorDetails';
import { createInvalidValuesError, toNodeError, type NodeError } from '../errors/nodeErrors';
import { uploadBinaryInputs } from '../files/binaryInputs';
import { checkOnlyModes, type CheckOnlyMode } from '../form/commonFields';
import type { IdLookUp } from '../form/field';
import { showHints } from '../hints';
import { type Client, fetchResourceOncePerRun } from '../http/client';
import { fillRequestLine } from '../http/sendWithRetries';
import { createFinishedJobItem } from '../jobs/finishedItem';
import { decideJobState } from '../jobs/jobState';
import { toJobReference, type Job, type JobKind } from '../jobs/types';
import {
	mapStrings,
	omitKeys,
	filterEntries,
	readId,
	readObject,
	readText,
	unwrapSingleProperty,
} from '../json';
import type { InjectedFunctions, Operation, Resource, SampleReply } from '../operation';
import {
	hasCheckOnlyOption,
	findSelectedOperation,
	getPathParameterNames,
	isPaid,
	getAllFields,
} from '../operationTraits';
import {
	groupItemsIntoRequests,
	planItemRequest,
	type ItemPlan,
	listBatchRows,
} from '../plan/groupRequests';
import { checkItemsTogether, createRunClient } from '../plan/readOperationsAndValues';
import { checkBalance } from '../plan/spendingLimits';
import { buildRequest, toValidatedItem, type JsonRequest } from '../send/buildRequest';
import type { ItemCollector } from './collectItems';
import { prepareOutputItems } from './prepareOutputItems';
import { type ItemResult, outcomeOfState, isItemFailure } from './itemResult';
import { createCheckOnlySummaryHint } from './outputHints';
import {
	storeSampleFile,
	createSampleJob,
	createSampleJobOutcome,
	insertItemNumberIntoSample,
} from './sampleResults';

/** Input item whose Check Only option is on. `plan` is an error if the item is invalid. */
export interface ItemToCheck {
	mode: CheckOnlyMode;
	operation: Operation;
	plan: ItemPlan | NodeError;
}

/** Returns an item's Check Only mode. Reads the raw parameter, which even invalid items have. */
function readCheckMode(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	item: number,
): Pick<ItemToCheck, 'mode' | 'operation'> | undefined {
	try {
		const { operation } = findSelectedOperation(n8n, resources, item) ?? {};
		// The options of a node keep their values when the user selects another operation.
		if (!operation || !hasCheckOnlyOption(operation)) return undefined;
		const stored: unknown = n8n.getNodeParameter('options.checkOnly', item, 'off');
		const mode = checkOnlyModes.find((one) => one === stored);
		return mode && { mode, operation };
	} catch {
		// The item has already failed, because one of its expressions cannot be evaluated.
		return undefined;
	}
}

export function selectItemsToCheck(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	planned: ReadonlyMap<number, ItemPlan | NodeError>,
): Map<number, ItemToCheck> {
	const selected = new Map<number, ItemToCheck>();
	for (const [item, plan] of planned) {
		const choice = readCheckMode(n8n, resources, item);
		if (choice) selected.set(item, { ...choice, plan });
	}
	const plans = new Map([...selected].map(([item, { plan }]) => [item, plan]));
	for (const [item, plan] of checkItemsTogether(n8n.getNode(), plans)) {
		const one = selected.get(item);
		if (one) one.plan = plan;
	}
	return selected;
}

interface CheckContext {
	n8n: IExecuteFunctions;
	client: Client;
	ports: InjectedFunctions;
}

interface ItemCheck extends ItemToCheck {
	problems: string[];
	/** Description of the request. Undefined if problems prevent the request from being built. */
	request?: IDataObject;
	references: IdLookUpResult[];
}

function listProblems(error: NodeError): string[] {
	const { complaints } = getErrorDetails(error);
	return Array.isArray(complaints) ? complaints.map(String) : [error.message];
}

/** Returns a request as JSON. For each file to upload, a note names the binary field. */
async function describeRequest(
	client: Client,
	{ line, path: names, query, body }: JsonRequest,
): Promise<IDataObject> {
	const { method, path } = fillRequestLine(client.node, line, names);
	const nameFile = async ({ field }: { field: string }) => `(the file in "${field}")`;
	const parts = { query, body: (await uploadBinaryInputs(body, nameFile)) as IDataObject };
	const filled = Object.entries(parts).filter(([, part]) => Object.keys(part ?? {}).length > 0);
	return { method, path, ...mapStrings(Object.fromEntries(filled), client.removeSecrets) };
}

async function checkItem(
	{ n8n, client }: CheckContext,
	item: number,
	{ plan, ...choice }: ItemToCheck,
): Promise<ItemCheck> {
	if (plan instanceof Error) {
		return { ...choice, plan, problems: listProblems(plan), references: [] };
	}
	const { operation, values } = plan;
	const names = getPathParameterNames(operation);
	const path = filterEntries(values, (_, name) => names.includes(name));
	const references = await verifyIds(client, operation, path);
	const otherProblems: string[] = [];
	let request: IDataObject | undefined;
	// If an ID in the path does not exist, the body cannot be built or checked.
	if (!references.some(({ problem }) => problem)) {
		try {
			const input = n8n.getInputData()[item] ?? { json: {} };
			const items = [toValidatedItem(operation, values, input)];
			const built = await buildRequest(planItemRequest(item, plan), client, items);
			request = await describeRequest(client, built);
			references.push(...(await verifyIds(client, operation, built.body)));
			await operation.reject?.(values, client);
		} catch (error) {
			otherProblems.push(...listProblems(toNodeError(client.node, error)));
		}
	}
	const problems = [...references.flatMap(({ problem }) => problem ?? []), ...otherProblems];
	return { ...choice, plan, problems, request, references };
}

function createCheckJson(
	{ operation, plan, problems, request, references }: ItemCheck,
	itemsPerRequest = 1,
): IDataObject {
	const isCounted = isPaid(operation) && !(plan instanceof Error);
	const isPriced = operation.getPrice !== undefined && !(plan instanceof Error);
	const price = isPriced ? operation.getPrice?.(plan.values) : operation.price;
	return {
		valid: problems.length === 0,
		problems,
		request: request
			? { ...request, ...(itemsPerRequest > 1 && { items: itemsPerRequest }) }
			: null,
		price: price ?? 'The service does not publish a price for this operation',
		jobs: isCounted ? (operation.countJobs?.(plan.values) ?? 1) : null,
		references: references.map((reference) => omitKeys(reference, 'problem')),
	};
}

/**
 * Returns, for each item, the problems found and the request that would be sent. In `sample` mode,
 * returns sample output instead.
 */
export async function createCheckOnlyResults(
	context: CheckContext,
	checked: ReadonlyMap<number, ItemToCheck>,
): Promise<ItemResult[]> {
	const { client, ports } = context;
	const checks = await Promise.all(
		[...checked].map(async ([item, one]) => [item, await checkItem(context, item, one)] as const),
	);
	const sendable = new Map(
		checks.flatMap(([item, { plan, problems }]) =>
			plan instanceof Error || problems.length > 0 ? [] : [[item, plan] as const],
		),
	);
	const requests = groupItemsIntoRequests(sendable);
	const { rejection } = await checkBalance(client, requests, ports);
	const itemsPerRequest = new Map(
		requests.flatMap(({ items }) => items.map(({ item }) => [item, items.length])),
	);
	const results = checks.map(async ([item, check]): Promise<ItemResult[]> => {
		const { mode, plan, problems } = check;
		if (rejection && sendable.has(item)) problems.push(rejection.message);
		if (mode === 'check') {
			const json = createCheckJson(check, itemsPerRequest.get(item));
			return [{ item, output: { json, pairedItem: { item } } }];
		}
		// Invalid items fail, as they would without Check Only.
		if (plan instanceof Error) return [{ item, error: plan, jobs: [] }];
		if (problems.length === 0) return await createSampleItems(context, item, plan);
		return [{ item, error: createInvalidValuesError(client.node, problems), jobs: [] }];
	});
	return (await Promise.all(results)).flat();
}

export async function checkSelectedItems(
	{ n8n, ports, collector }: Omit<CheckContext, 'client'> & { collector: ItemCollector },
	checked: ReadonlyMap<number, ItemToCheck>,
): Promise<void> {
	if (checked.size === 0) return;
	const plans = [...checked.values()].flatMap(({ plan }) => (plan instanceof Error ? [] : [plan]));
	const client = await createRunClient(n8n, plans, { isReadOnly: true });
	const results = await createCheckOnlyResults({ n8n, client, ports }, checked);
	collector.add(results, false);
	collector.throwFailure();
	const invalid = results.filter((one) => !('output' in one) || one.output.json.valid === false);
	showHints(n8n, createCheckOnlySummaryHint(checked.size, invalid.length));
}

/** Returns sample results as if the request had been sent and its jobs had ended. */
function buildSampleResults(item: number, plan: ItemPlan, sample: SampleReply): ItemResult[] {
	const { operation, values } = plan;
	const { reply = {}, starts = operation.starts ?? [] } = sample;
	const started = typeof starts === 'function' ? starts(reply, values) : starts;
	const jobs = Array.isArray(started) ? started : [createSampleJob(started as JobKind)];
	const [first] = jobs;
	const creation = 'created';
	if (!first) return [{ item, creation, output: { json: reply } }];
	const createResult = (job: Job, base: IDataObject, more = {}, pending = job): ItemResult => {
		if (values.waitForCompletion !== true) {
			const json = { ...base, job: toJobReference(pending) };
			return { item, creation, outcome: 'running', output: { json, ...more } };
		}
		const ended = createSampleJobOutcome(job, item);
		const outcome = outcomeOfState[decideJobState(job.kind, ended.data)];
		const { output, result } = createFinishedJobItem({ [job.kind.id]: job.id, ...base }, ended);
		return { item, creation, outcome, output: { ...output, ...more }, result };
	};
	const { rows } = operation.combine ?? {};
	if (!rows) return jobs.map((job) => createResult(job, { [job.kind.id]: job.id, ...reply }));
	return listBatchRows(planItemRequest(item, plan)).rows.map(({ index }) => {
		const job = createSampleJob(rows, index === 0 ? '' : `_${index + 1}`);
		const base = { [first.kind.id]: first.id, item_index: item + index };
		return createResult(job, base, { pairedItem: { item } }, first);
	});
}

/** Returns sample output, with placeholder files if the user has chosen to download files. */
export async function createSampleItems(
	{ n8n, client }: Pick<CheckContext, 'n8n' | 'client'>,
	item: number,
	plan: ItemPlan,
): Promise<ItemResult[]> {
	const { sample = {} } = plan.operation;
	const reply = typeof sample === 'function' ? sample(plan.values) : sample;
	const results = insertItemNumberIntoSample(buildSampleResults(item, plan, reply), item);
	const finished = await prepareOutputItems(
		{ n8n, client },
		{ ...planItemRequest(item, plan), results },
	);
	const file = insertItemNumberIntoSample(reply.file, item);
	const stored =
		file &&
		(await storeSampleFile(n8n, client, async () => ({ ...file.type, url: '', name: file.name })));
	const binary = file && { ...n8n.getInputData()[item]?.binary, [file.field]: stored };
	return finished.map((result): ItemResult => {
		if (isItemFailure(result)) return result;
		const { json } = result.output;
		const output = {
			...result.output,
			json: { ...json, simulated: true },
			...(binary && { binary }),
		};
		return { ...result, output } as ItemResult;
	});
}

interface Reference {
	/** Label of the form field that contains the ID. */
	field: string;
	id: string;
	lookUp: IdLookUp;
}

export interface IdLookUpResult {
	field: string;
	id: string;
	name?: string;
	problem?: string;
	/** Reason why it is unknown whether the ID exists, such as a failed request. */
	unknown?: string;
}

type ReferenceFields = ReadonlyMap<string, Pick<Reference, 'field' | 'lookUp'>>;

/** Returns the form fields for IDs, keyed by the request property that contains the ID. */
function findReferenceFields(operation: Operation): ReferenceFields {
	const fields = flattenFields(getAllFields(operation));
	const allFields = fields.flatMap((field) => [field, ...(field.contains ?? [])]);
	return new Map(
		allFields.flatMap(({ name, displayName, lookUp, asset }) =>
			lookUp === undefined
				? []
				: // In a request, a file's asset ID is under the key `asset_id`.
					[[asset === true ? 'asset_id' : name, { field: displayName, lookUp }] as const],
		),
	);
}

function findReferences(fields: ReferenceFields, content: unknown): Reference[] {
	if (Array.isArray(content)) return content.flatMap((part) => findReferences(fields, part));
	return Object.entries(readObject(content)).flatMap(([key, value]) => {
		const field = fields.get(key);
		if (!field) return findReferences(fields, value);
		const ids = (Array.isArray(value) ? value : [value]).map(readId);
		const references = ids.flatMap((id) => (id === undefined ? [] : [{ ...field, id }]));
		return references.length > 0 ? references : findReferences(fields, value);
	});
}

const readRowsOnce = async (client: Client, line: string): Promise<IDataObject[]> =>
	await client.shareInRun(`rows of ${line}`, async () => {
		const rows: IDataObject[] = [];
		// The style list accepts no larger pages (service.md, Conventions).
		for await (const page of client.fetchPages({ line }, 50)) rows.push(...page.rows);
		return rows;
	});

async function readResource(
	client: Client,
	{ id, lookUp: { line, listKey } }: Reference,
): Promise<IDataObject | undefined> {
	if (listKey !== undefined) {
		return (await readRowsOnce(client, line)).find((row) => readId(row[listKey]) === id);
	}
	const [, name = ''] = /\{(\w+)\}/.exec(line) ?? [];
	const outcome = await fetchResourceOncePerRun(client, line, { [name]: id });
	if (outcome.ok) return unwrapSingleProperty(readObject(outcome.reply.data));
	if (isNotFoundError(outcome.error)) return undefined;
	throw outcome.error;
}

async function lookUpReference(client: Client, reference: Reference): Promise<IdLookUpResult> {
	const { field, id, lookUp } = reference;
	try {
		const resource = await readResource(client, reference);
		if (!resource) return { field, id, problem: `"${field}": ${id} does not exist` };
		const name = readText(resource.name) ?? readText(resource.title);
		const reason = lookUp.explainUnusable?.(resource);
		return {
			field,
			id,
			...(name !== undefined && { name: client.removeSecrets(name) }),
			...(reason !== undefined && { problem: `"${field}": ${id} ${reason}` }),
		};
	} catch (error) {
		return { field, id, unknown: (error as Error).message };
	}
}

/** Looks up the IDs in form values or a request body. Looks up each ID only once per node run. */
export async function verifyIds(
	client: Client,
	operation: Operation,
	content: unknown,
): Promise<IdLookUpResult[]> {
	const references = findReferences(findReferenceFields(operation), content);
	const distinct = new Map(references.map((one) => [`${one.lookUp.line} ${one.id}`, one]));
	return await Promise.all(
		[...distinct.values()].map(async (reference) => await lookUpReference(client, reference)),
	);
}
