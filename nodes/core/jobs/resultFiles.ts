/** Files of a result: where a status response holds their URLs, and what to do if it does not. Pure. */
import type { IDataObject } from 'n8n-workflow';
import { readObject, readText } from '../json';
import { describeFailure, readState } from './state';
import { describeKind, type JobKind, type ResultFile } from './types';

/** Where a file is, or why there is none. */
export type ResultFileUrl =
	| {
			url: string;
			mimeType: string;
			/** Name of the file without an extension, unless the user chooses one. */
			name: string;
			/** Extension if the URL has none; empty if the name has its own. */
			extension: string;
			/** The json of the item, if not the whole response. */
			json?: IDataObject;
	  }
	| { problem: string; advice: string };

const readNested = (response: IDataObject, key: string): unknown =>
	key.split('.').reduce<unknown>((inner, part) => readObject(inner)[part], response);

/** Where a response holds a file; `missing` if its URL is empty. */
export function findFile(
	response: IDataObject,
	{ key, extension, mimeType, readType }: ResultFile,
	name: string,
	missing: { problem: string; advice: string },
): ResultFileUrl {
	const url = readText(readNested(response, key));
	if (url === undefined) return missing;
	return { extension, mimeType, ...readType?.(response), url, name };
}

/** What the user can do about a job without a file: wait, create it again, or do without (`otherwise`). */
export function adviseOnMissingFile(
	kind: JobKind,
	response: IDataObject,
	otherwise: string,
): string {
	const state = readState(kind, response);
	if (state === 'completed') return otherwise;
	const word = readText(response.status);
	const status = word === undefined ? 'It shows no status' : `Its status is "${word}"`;
	return state === 'failed'
		? `${status}: ${describeFailure(response).reason}. Change the input and create it again.`
		: `${status}. Wait until it is completed.`;
}

/** Where the status response of a job holds a file, or what the user can do because it does not. */
export const findJobFile = (
	kind: JobKind,
	response: IDataObject,
	file: ResultFile,
	id: string,
	otherwise = 'It was made without this file.',
): ResultFileUrl =>
	findFile(response, file, id, {
		problem: `The ${describeKind(kind)} ${id} has no file "${file.name}": its ${file.key} is empty`,
		advice: adviseOnMissingFile(kind, response, otherwise),
	});
