/**
 * Defines what all Download operations share. These operations output files from the service as
 * binary data.
 */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { describeBinaryFields } from '../core/form/commonFields';
import {
	downloadResultFiles,
	findJobResultFile,
	type ResultFileLookup,
} from '../core/jobs/finishedItem';
import type { JobKind, ResultFileType } from '../core/jobs/types';
import type { ExecuteContext } from '../core/operation';

export const outputBinaryField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field',
	in: 'local',
} as const satisfies Field;

/**
 * Creates the form field for selecting the files to download. By default, only the first file is
 * selected.
 *
 * @param whose noun that names the owner of the files in the field description, such as `video`
 */
export const createDownloadSelectionField = (files: readonly ResultFileType[], whose: string) => {
	return {
		displayName: 'Files',
		name: 'files',
		type: 'multiOptions',
		options: files.map(({ name, value, description }) => ({ name, value, description })),
		default: [files[0]?.value ?? ''],
		required: true,
		description: `Files to download from the ${whose}. ${describeBinaryFields(files, 'the field below')}.`,
		schema: z.array(z.enum(files.map(({ value }) => value) as [string, ...string[]])).min(1),
		in: 'local',
	} as const satisfies Field;
};

/**
 * Endpoint whose response contains the URLs of the files to download, such as the endpoint that
 * returns a video.
 */
type DownloadEndpoint = Pick<JobKind, 'name' | 'read' | 'id'>;

/** Form values of a Download operation, including the ID that its endpoint requires in the path. */
type DownloadValues = {
	files?: string[];
	binaryPropertyName?: string;
	fileName?: string;
	[name: string]: unknown;
};

type DownloadContext<V> = ExecuteContext & { values: V; input: INodeExecutionData };

/** Function that finds a file's URL in the service's response. */
type FindFile<V> = (
	response: IDataObject,
	file: ResultFileType,
	id: string,
	values: V,
) => ResultFileLookup;

/**
 * Downloads files and returns one output item, with the service's response as JSON and the files as
 * binary data. The item also keeps the input item's binary data.
 *
 * @param main `value` of the file that is stored in the binary field named by the user. The other
 * files are stored in fields named after their types
 */
export async function downloadFilesToItem<V extends DownloadValues>(
	{ n8n, client, values, input }: DownloadContext<V>,
	kind: DownloadEndpoint,
	files: readonly ResultFileType[],
	find: FindFile<V>,
	main?: string,
): Promise<INodeExecutionData[]> {
	const { binaryPropertyName: field = 'data', fileName } = values;
	const id = String(values[kind.id]);
	const { json, binary } = await downloadResultFiles(
		n8n,
		client,
		{ kind, id },
		{ files, main, field, fileName, find: (response, file) => find(response, file, id, values) },
	);
	return [{ json, binary: { ...input.binary, ...binary } }];
}

/**
 * Returns the settings of a Download operation, which downloads the files that the user selected.
 *
 * @param files files that the operation can download. If its form does not let users select files,
 * all of them are downloaded
 */
export const defineDownloadExecution = <V extends DownloadValues>(
	endpoint: DownloadEndpoint,
	files: readonly ResultFileType[],
	find: FindFile<V>,
) => ({
	execute: async (context: DownloadContext<V>) => {
		const { files: selected } = context.values;
		const selectedFiles = files.filter(({ value }) => selected?.includes(value) ?? true);
		return await downloadFilesToItem(context, endpoint, selectedFiles, find, files[0]?.value);
	},
});

/**
 * Creates a function that finds a result file's URL in a job's status response.
 *
 * @param otherwise advice for the user if a finished job does not have the file
 */
export const createJobFileFinder =
	(kind: JobKind, otherwise?: string) =>
	(response: IDataObject, file: ResultFileType, id: string): ResultFileLookup =>
		findJobResultFile(kind, response, file, id, otherwise);
