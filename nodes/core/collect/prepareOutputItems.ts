/** Completes output items: adds IDs and files, links them to input items, and simplifies them. */
import type { IDataObject } from 'n8n-workflow';
import { toNodeError } from '../errors/nodeErrors';
import { addResultFiles } from '../jobs/finishedItem';
import { readAtPath, readObject, readText } from '../json';
import type { Operation } from '../operation';
import {
	getOutputIdKey,
	getResultFileTypes,
	hasOutcomeFields,
	waitsForJobs,
	runsAsAgentTool,
} from '../operationTraits';
import type { SentRequest, PlannedRequest } from '../plan/groupRequests';
import type { RunContext } from '../send/sendPlannedRequest';
import { convertTimesToIso } from '../time';
import { awaitJobsOfRequest } from './awaitJobsOfRequest';
import {
	createFailedRequest,
	type FinishedRequest,
	toOutcomeFields,
	copyIdToSpecificKey,
	omitRedundantId,
	isItemFailure,
	type ItemResult,
} from './itemResult';
import { storeSampleFile } from './sampleResults';

type FinishContext = Pick<RunContext, 'n8n' | 'client'>;

/** Waits for the jobs of a request, and completes its output items. Never throws. */
export async function finishRequest(
	context: RunContext,
	sent: SentRequest,
): Promise<FinishedRequest> {
	try {
		const awaited = await awaitJobsOfRequest(context, sent);
		return { ...awaited, results: await prepareOutputItems(context, awaited) };
	} catch (thrown) {
		return createFailedRequest(context, sent, toNodeError(context.client.node, thrown));
	}
}

export async function prepareOutputItems(
	context: FinishContext,
	awaited: PlannedRequest & { results: readonly ItemResult[] },
): Promise<ItemResult[]> {
	const results = awaited.results.flatMap((result) => shapeResult(awaited, result));
	return await addFiles(context, awaited, results);
}

/** Converts a result to output items. An operation may turn one result into several items. */
function shapeResult(request: PlannedRequest, result: ItemResult): ItemResult[] {
	if (isItemFailure(result)) return [result];
	const { operation, values } = request;
	const origins = request.items.map(({ item }) => ({ item }));
	const origin = origins.length === 1 ? origins[0] : origins;
	if (result.isPassedOn) {
		return [{ ...result, output: { ...result.output, pairedItem: origin } }];
	}
	const idKey = getOutputIdKey(request.resource, operation);
	const withId = copyIdToSpecificKey(result.output, idKey, request);
	const shaped = operation.reshapeItems?.([withId], values) ?? [withId];
	return shaped.map((output, number) => {
		const json = values.simple === false ? output.json : cleanJson(output.json, operation, idKey);
		const part = { ...result, output, part: { number, count: shaped.length } };
		const fields = hasOutcomeFields(operation) ? toOutcomeFields(part) : {};
		return {
			...part,
			...fields,
			output: {
				...output,
				json: addRowFields(json, fields),
				pairedItem: output.pairedItem ?? origin,
			},
		};
	});
}

/** Adds the row's `outcome` and `creation` to an item. n8n 1 needs them in an error's `details`. */
const addRowFields = (json: IDataObject, fields: IDataObject): IDataObject =>
	readText(json.error) === undefined
		? { ...json, ...fields }
		: { ...json, details: { ...fields, ...readObject(json.details) } };

/** Converts times to ISO 8601. With Simplify, keeps only the ID and the keys in `simple`. */
function cleanJson(json: IDataObject, { simple }: Operation, idKey?: string): IDataObject {
	const clean = convertTimesToIso(omitRedundantId(json));
	return simple ? simplifyJson(clean, idKey ? [idKey, ...simple] : simple) : clean;
}

/** Downloads the selected files into binary fields, in addition to those of the input items. */
async function addFiles(
	{ n8n, client }: FinishContext,
	{ operation, items }: PlannedRequest,
	results: readonly ItemResult[],
): Promise<ItemResult[]> {
	// Language models accept no files.
	if (runsAsAgentTool(n8n)) return [...results];
	const input = n8n.getInputData();
	const added = results.map(async (result): Promise<ItemResult> => {
		if (isItemFailure(result)) return result;
		// Each item of a batch may set its own files and names.
		const { values = {} } = items.find(({ item }) => item === result.item) ?? {};
		const { download: chosen, binaryPropertyName } = values;
		const selected = Array.isArray(chosen) ? chosen : [];
		const offered = operation.awaits ? result.result?.kind.files : getResultFileTypes(operation);
		const files = (offered ?? []).filter(({ value }) => selected.includes(value));
		if (files.length === 0 || !waitsForJobs(operation, values)) return result;
		const field = String(binaryPropertyName ?? 'data');
		const isShared = results.filter(({ item }) => item === result.item).length > 1;
		const fileName = readText(values.fileName);
		const download = result.result?.isSample ? storeSampleFile : undefined;
		const main = offered?.[0]?.value;
		const choice = { files, main, field, fileName, isShared, download };
		try {
			const before = input[result.item]?.binary;
			return { ...result, output: await addResultFiles(n8n, client, result, choice, before) };
		} catch (thrown) {
			const { item, creation, part, result: job } = result;
			const error = toNodeError(client.node, thrown);
			// If only the download has failed, the job itself is still finished.
			return { item, error, jobs: job ? [job] : [], outcome: 'finished', creation, part };
		}
	});
	return await Promise.all(added);
}

/** Keeps only the values at these paths. The value at `event_data.video_id` becomes `video_id`. */
export function simplifyJson(json: IDataObject, paths: readonly string[]): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const path of paths) {
		const keys = path.split('.');
		const value = readAtPath(json, keys);
		if (value !== undefined && value !== null) simple[keys.at(-1) ?? ''] = value;
	}
	return simple as IDataObject;
}
