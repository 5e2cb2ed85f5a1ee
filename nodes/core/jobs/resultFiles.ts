/**
 * Finds the URLs of result files in status responses, and explains to users why a file is missing.
 * Contains only pure functions.
 */
import type { IDataObject } from 'n8n-workflow';
import type { FileNameInputs } from '../files/fileNames';
import { readAtPath, readText } from '../json';
import { readFailureWithDefaults, decideJobState } from './jobState';
import { describeJobKind, type JobKind, type ResultFileType } from './types';

export type ResultFileLookup =
	| {
			url: string;
			mimeType: string;
			/** Without the dot, for a URL that has no known extension. Empty if unknown. */
			extension: string;
			name: FileNameInputs;
			/** JSON for the output item. The default is the whole status response. */
			json?: IDataObject;
	  }
	| MissingFile;

/** What to tell a user about a missing file. */
interface MissingFile {
	problem: string;
	advice: string;
	/** Whether the job is completed, so that the service may add the file shortly. */
	mayArrive?: boolean;
}

/**
 * Returns the URL, name and type of a result file, or `missing` if the response has no URL.
 *
 * @param id ID of the job or resource that the file belongs to, for use in the file name
 */
export function readResultFile(
	response: IDataObject,
	file: ResultFileType,
	id: string,
	missing: MissingFile,
): ResultFileLookup {
	const { extension, mimeType, readType, languageKey = 'output_language' } = file;
	const url = readText(readAtPath(response, file.key.split('.')));
	if (url === undefined) return missing;
	const name = {
		id,
		kind: file.value,
		includesKindInName: file.includesKindInName,
		// Assets have a name instead of a title.
		title: readText(response.title) ?? readText(response.name),
		language: readText(response[languageKey]),
	};
	return { extension, mimeType, ...readType?.(response), url, name };
}

/**
 * Explains why a result file is missing: the job is running or has failed.
 *
 * @param otherwise advice to return if the job is completed
 */
export function explainMissingFile(
	kind: JobKind,
	response: IDataObject,
	otherwise: string,
): Omit<MissingFile, 'problem'> {
	const state = decideJobState(kind, response);
	if (state === 'completed') return { advice: otherwise, mayArrive: true };
	const word = readText(response.status);
	const status = word === undefined ? 'It has no status' : `Its status is "${word}"`;
	return {
		advice:
			state === 'failed'
				? `${status}: ${readFailureWithDefaults(response).reason}. Change the input and create it again.`
				: `${status}. Wait until it is completed.`,
	};
}

/** The same as `readResultFile`, for a job's status response. */
export const readJobResultFile = (
	kind: JobKind,
	response: IDataObject,
	file: ResultFileType,
	id: string,
	otherwise = 'It was created without this file.',
): ResultFileLookup =>
	readResultFile(response, file, id, {
		problem: `The ${describeJobKind(kind)} ${id} has no file "${file.name}": its ${file.key} is empty`,
		...explainMissingFile(kind, response, otherwise),
	});
