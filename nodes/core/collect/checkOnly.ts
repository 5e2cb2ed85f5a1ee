/** Validates items for the option Check Only. Sends only read requests. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { getErrorDetails } from '../errors/errorDetails';
import { createInvalidValuesError, toNodeError, type NodeError } from '../errors/nodeErrors';
import { uploadBinaryInputs } from '../files/binaryInputs';
import { checkOnlyModes, type CheckOnlyMode } from '../form/commonFields';
import type { Client } from '../http/client';
import { fillRequestLine } from '../http/serviceRequest';
import { mapStrings, omitKeys } from '../json';
import type { InjectedFunctions, Operation, Resource, SampleReply } from '../operation';
import { canCheckOnly, findSelectedOperation, isPaid } from '../operationTraits';
import { checkItemsTogether } from '../plan/readOperationsAndValues';
import {
	groupItemsIntoRequests,
	planItemRequest,
	type ItemOperation,
	listBatchRows,
} from '../plan/groupRequests';
import { verifyIdsInBody, verifyIdsInPath, type IdLookUpResult } from '../plan/lookUps';
import { openReadOnlyClient } from '../plan/openClient';
import { checkBalance } from '../plan/spendingLimits';
import { buildRequest, toOperationItem, type JsonRequest } from '../send/buildRequest';
import type { ItemCollector } from './collectItems';
import { type ItemResult, outcomeOfState, isItemFailure } from './itemResult';
import { showHints } from '../hints';
import { createCheckOnlySummaryHint } from './outputHints';
import { storeSampleFile } from '../files/sampleFiles';
import { createFinishedJobItem } from '../jobs/finishedItem';
import {
	createSampleJob,
	createSampleJobOutcome,
	insertItemNumberIntoSample,
} from '../jobs/sampleJobs';
import { decideJobState } from '../jobs/jobState';
import { toJobReference, type Job } from '../jobs/types';
import { finishItems } from './finishItems';

/** Item whose Check Only option is on, with its plan, or why it is invalid. */
export interface ItemToCheck {
	mode: CheckOnlyMode;
	operation: Operation;
	plan: ItemOperation | NodeError;
}

/** Reads the raw parameters, because an invalid item has no validated values. */
function readCheckMode(
	n8n: IExecuteFunctions,
	resources: readonly Resource[],
	item: number,
): Pick<ItemToCheck, 'mode' | 'operation'> | undefined {
	try {
		const { operation } = findSelectedOperation(n8n, resources, item) ?? {};
		// The options of a node keep their values when the user selects another operation.
		if (!operation || !canCheckOnly(operation)) return undefined;
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
	planned: ReadonlyMap<number, ItemOperation | NodeError>,
): Map<number, ItemToCheck> {
	const chosen = [...planned].flatMap(([item, plan]) => {
		const choice = readCheckMode(n8n, resources, item);
		return choice ? [{ item, plan, choice }] : [];
	});
	const plans = checkItemsTogether(
		n8n.getNode(),
		new Map(chosen.map(({ item, plan }) => [item, plan])),
	);
	return new Map(
		chosen.map(({ item, plan, choice }) => [item, { ...choice, plan: plans.get(item) ?? plan }]),
	);
}

interface CheckContext {
	n8n: IExecuteFunctions;
	client: Client;
	ports: InjectedFunctions;
}

interface ItemCheck {
	problems: string[];
	/** Undefined if the problems make it impossible to build the request. */
	request?: IDataObject;
	references: IdLookUpResult[];
}

function listProblems(error: NodeError): string[] {
	const { complaints } = getErrorDetails(error);
	return Array.isArray(complaints) ? complaints.map(String) : [error.message];
}

async function buildItemRequest(
	{ n8n, client }: CheckContext,
	item: number,
	plan: ItemOperation,
): Promise<JsonRequest> {
	const { operation, values } = plan;
	const input = n8n.getInputData()[item] ?? { json: {} };
	const operationItem = toOperationItem(operation, values, input);
	return await buildRequest(planItemRequest(item, plan), client, [operationItem]);
}

/** Replaces each file to upload with a note that names its binary field. */
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
	context: CheckContext,
	item: number,
	plan: ItemOperation,
): Promise<ItemCheck> {
	const { client } = context;
	const { operation, values } = plan;
	const references = await verifyIdsInPath(client, operation, values);
	const problems: string[] = [];
	let request: IDataObject | undefined;
	// If an ID in the path does not exist, the body cannot be built or checked.
	if (listProblemsOf(references).length === 0) {
		try {
			const built = await buildItemRequest(context, item, plan);
			request = await describeRequest(client, built);
			references.push(...(await verifyIdsInBody(client, operation, built.body)));
			await operation.reject?.(values, client);
		} catch (error) {
			problems.push(...listProblems(toNodeError(client.node, error)));
		}
	}
	return { problems: [...listProblemsOf(references), ...problems], request, references };
}

const listProblemsOf = (references: readonly IdLookUpResult[]) =>
	references.flatMap(({ problem }) => problem ?? []);

function createCheckJson(
	{ operation, plan }: ItemToCheck,
	{ problems, request, references }: ItemCheck,
	itemsPerRequest = 1,
): IDataObject {
	const isCounted = isPaid(operation) && !(plan instanceof Error);
	const jobs = isCounted ? (operation.countJobs?.(plan.values) ?? 1) : null;
	const shared = itemsPerRequest > 1 ? { items: itemsPerRequest } : {};
	return {
		valid: problems.length === 0,
		problems,
		request: request ? { ...request, ...shared } : null,
		price: operation.price ?? 'The service publishes no price for it',
		jobs,
		references: references.map((reference) => omitKeys(reference, 'problem')),
	};
}

/** Returns the problems and the request of each item or, in the mode `sample`, sample output. */
export async function createCheckOnlyResults(
	context: CheckContext,
	checked: ReadonlyMap<number, ItemToCheck>,
): Promise<ItemResult[]> {
	const { client, ports } = context;
	const checks = new Map(
		await Promise.all(
			[...checked].map(async ([item, { plan }]): Promise<[number, ItemCheck]> => [
				item,
				plan instanceof Error
					? { problems: listProblems(plan), references: [] }
					: await checkItem(context, item, plan),
			]),
		),
	);
	const sendable = new Map(
		[...checked].flatMap(([item, { plan }]): Array<[number, ItemOperation]> =>
			plan instanceof Error || checks.get(item)?.problems.length !== 0 ? [] : [[item, plan]],
		),
	);
	const requests = groupItemsIntoRequests(sendable);
	const { rejection } = await checkBalance(client, requests, ports);
	const itemsPerRequest = new Map(
		requests.flatMap(({ items }) => items.map(({ item }) => [item, items.length])),
	);
	const results = [...checks].map(async ([item, check]): Promise<ItemResult[]> => {
		if (rejection && sendable.has(item)) check.problems.push(rejection.message);
		const itemToCheck = checked.get(item) as ItemToCheck;
		if (itemToCheck.mode === 'sample')
			return await createSampleResults(context, item, itemToCheck.plan, check);
		const json = createCheckJson(itemToCheck, check, itemsPerRequest.get(item));
		return [{ item, output: { json, pairedItem: { item } } }];
	});
	return (await Promise.all(results)).flat();
}

export async function checkSelectedItems(
	{ n8n, ports, collector }: Omit<CheckContext, 'client'> & { collector: ItemCollector },
	checked: ReadonlyMap<number, ItemToCheck>,
): Promise<void> {
	if (checked.size === 0) return;
	const plans = [...checked].flatMap(([item, { plan }]) =>
		plan instanceof Error ? [] : [[item, plan] as const],
	);
	const client = await openReadOnlyClient(n8n, new Map(plans));
	const results = await createCheckOnlyResults({ n8n, client, ports }, checked);
	collector.add(results, false);
	collector.throwFailure();
	const invalid = results.filter((one) => !('output' in one) || one.output.json.valid === false);
	showHints(n8n, createCheckOnlySummaryHint({ items: checked.size, invalid: invalid.length }));
}

/** Invalid items fail, as they would without Check Only. */
async function createSampleResults(
	{ n8n, client }: CheckContext,
	item: number,
	plan: ItemToCheck['plan'],
	{ problems }: ItemCheck,
): Promise<ItemResult[]> {
	if (plan instanceof Error) return [{ item, error: plan, jobs: [] }];
	if (problems.length === 0) return await createSampleItems({ n8n, client }, item, plan);
	return [{ item, error: createInvalidValuesError(client.node, problems), jobs: [] }];
}

interface SampleContext {
	n8n: IExecuteFunctions;
	client: Client;
}

function findSampleJobs(
	{ operation: { starts }, values }: ItemOperation,
	{ reply = {}, starts: kind }: SampleReply,
): Job[] {
	if (kind) return [createSampleJob(kind)];
	if (starts === undefined) return [];
	const kindOrJobs = typeof starts === 'function' ? starts(reply, values) : starts;
	return Array.isArray(kindOrJobs) ? kindOrJobs : [createSampleJob(kindOrJobs)];
}

/** As if the jobs had ended. */
function buildSampleResults(item: number, plan: ItemOperation, sample: SampleReply): ItemResult[] {
	const { operation, values } = plan;
	const { reply = {} } = sample;
	const jobs = findSampleJobs(plan, sample);
	const [first] = jobs;
	if (!first) return [{ item, output: { json: reply } }];
	const createResult = (started: Job, job: Job, base: IDataObject, more = {}): ItemResult => {
		if (values.waitForCompletion !== true) {
			return { item, output: { json: { ...base, job: toJobReference(started) }, ...more } };
		}
		const ended = createSampleJobOutcome(job);
		const outcome = outcomeOfState[decideJobState(job.kind, ended.data)];
		const { output, result } = createFinishedJobItem({ [job.kind.id]: job.id, ...base }, ended);
		return { item, outcome, output: { ...output, ...more }, result };
	};
	const { rows } = operation.combine ?? {};
	if (!rows) return jobs.map((job) => createResult(job, job, { [job.kind.id]: job.id, ...reply }));
	return listBatchRows(planItemRequest(item, plan)).rows.map(({ index }) => {
		const job = createSampleJob(rows, index === 0 ? '' : `_${index + 1}`);
		const base = { [first.kind.id]: first.id, item_index: item + index };
		return createResult(first, job, base, { pairedItem: { item } });
	});
}

/**
 * Returns sample output as if the request had been sent and its jobs had ended, with placeholder
 * files if the user has chosen to download files.
 */
export async function createSampleItems(
	{ n8n, client }: SampleContext,
	item: number,
	plan: ItemOperation,
): Promise<ItemResult[]> {
	const { operation, values } = plan;
	const storeOwnFile = async (file: SampleReply['file']) => {
		if (!file) return {};
		const { field, name, type } = file;
		const stored = await storeSampleFile(n8n, client, async () => ({ ...type, url: '', name }));
		return { binary: { ...n8n.getInputData()[item]?.binary, [field]: stored } };
	};
	const sample =
		typeof operation.sample === 'function' ? operation.sample(values) : (operation.sample ?? {});
	const isPending = operation.starts !== undefined && values.waitForCompletion !== true;
	const results = insertItemNumberIntoSample(buildSampleResults(item, plan, sample), item).map(
		(result): ItemResult => ({
			...(isPending && { outcome: 'running' }),
			creation: 'created',
			...result,
		}),
	);
	const finished = await finishItems(
		{ n8n, client, download: storeSampleFile },
		{ ...planItemRequest(item, plan), results },
	);
	const binary = await storeOwnFile(insertItemNumberIntoSample(sample.file, item));
	return finished.map((result): ItemResult => {
		if (isItemFailure(result)) return result;
		const output = { ...result.output, ...binary };
		return { ...result, output: { ...output, json: { ...output.json, simulated: true } } };
	});
}
