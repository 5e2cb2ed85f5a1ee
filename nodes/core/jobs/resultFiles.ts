/**
 * Finds the URLs of result files in status responses, and advises on missing files. Pure functions.
 */
import type { IDataObject } from 'n8n-workflow';
import { readObject, readText } from '../json';
import { describeFailure, readState } from './state';
import { describeKind, type JobKind, type ResultFile } from './types';

/** Location of a file, or the reason why it does not exist. */
export type ResultFileUrl =
	| {
			url: string;
			mimeType: string;
			/** File name without an extension, unless the user sets one. */
			name: string;
			/** Extension to use if the URL has none. Empty if the name includes one. */
			extension: string;
			/** JSON of the item, if it is not the whole response. */
			json?: IDataObject;
	  }
	| { problem: string; advice: string };

const readNested = (response: IDataObject, key: string): unknown =>
	key.split('.').reduce<unknown>((inner, part) => readObject(inner)[part], response);

/** Finds a file in a response. Returns `missing` if its URL is empty. */
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

/** Advises the user on a missing file: wait, create the job again, or the text `otherwise`. */
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

/**
 * Finds a file in the status response of a job. If it is missing, returns the problem and advice.
 */
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
