/** The last step of a request: its items get their IDs, their shape, their origin and their files. */
import type { IDataObject } from 'n8n-workflow';
import { toUnixSeconds } from '../time';
import type { PlannedRequest } from '../plan/groupRequests';
import type { RunContext } from '../send/sendRequest';
import type { AwaitedRequest } from './awaitJobs';
import { isFailure, type ItemResult } from './collectItems';
import { addFiles } from './downloads';
import { addId, getIdKey } from './itemIds';

export async function finishItems(
	context: RunContext,
	awaited: AwaitedRequest,
): Promise<ItemResult[]> {
	const results = awaited.results.flatMap((result) => shapeResult(awaited, result));
	return awaited.jobs.length === 0 ? results : await addFiles(context, awaited, results);
}

/** The output items of a result, in the shape that the operation gives them. */
function shapeResult(request: PlannedRequest, result: ItemResult): ItemResult[] {
	if (isFailure(result)) return [result];
	const { operation, values, itemIndexes } = request;
	const origins = itemIndexes.map((item) => ({ item }));
	const origin = origins.length === 1 ? origins[0] : origins;
	const idKey = getIdKey(request);
	const withId = addId(result.output, idKey, request);
	const shaped = operation.reshapeItems?.([withId], values) ?? [withId];
	const keys = values.simple === false ? undefined : operation.simple;
	return shaped.map((output) => ({
		item: result.item,
		output: {
			...output,
			json: keys ? simplifyJson(output.json, idKey ? [idKey, ...keys] : keys) : output.json,
			pairedItem: output.pairedItem ?? origin,
		},
	}));
}

/** Lists have some times as Unix seconds and some as ISO 8601: an item has ISO 8601 only. */
function toIsoTime(key: string, value: unknown): unknown {
	const seconds = key.endsWith('_at') ? toUnixSeconds(value) : undefined;
	return seconds === undefined ? value : new Date(seconds * 1000).toISOString();
}

/**
 * The values that Simplify keeps. A nested key such as `event_data.video_id` is kept under its last
 * part; empty values are dropped.
 */
export function simplifyJson(json: IDataObject, paths: readonly string[]): IDataObject {
	const simple: Record<string, unknown> = {};
	for (const path of paths) {
		const parts = path.split('.');
		const value = parts.reduce<unknown>(
			(inner, part) => (inner as IDataObject | null | undefined)?.[part],
			json,
		);
		const key = parts.at(-1) ?? path;
		if (value !== undefined && value !== null) simple[key] = toIsoTime(key, value);
	}
	return simple as IDataObject;
}
