/** Download operations: files of a result as binary data. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import type { Field } from '../core/form/field';
import { downloadResultFiles } from '../core/jobs/finishedItem';
import { findJobFile, type FileLocation } from '../core/jobs/resultFiles';
import type { JobKind, ResultFile } from '../core/jobs/types';
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

/** @param otherwise name of the file if the option is not set */
export const createFileNameField = (
	example = 'welcome.mp4',
	otherwise = 'the ID of what it belongs to',
) =>
	({
		displayName: 'File Name',
		name: 'fileName',
		type: 'string',
		default: '',
		placeholder: `e.g. ${example}`,
		description: `The name of the file; by default ${otherwise}`,
		in: 'local',
	}) as const satisfies Field;

/** The files to download, for results with several files. The first one is chosen by default. */
export const createFilesField = (files: readonly ResultFile[], whose: string) => {
	const others = files.slice(1).map(({ value }) => value);
	return {
		displayName: 'Files',
		name: 'files',
		type: 'multiOptions',
		options: files.map(({ name, value, description }) => ({ name, value, description })),
		default: [files[0]?.value ?? ''],
		required: true,
		description: `Which files of the ${whose} to download. The first of them goes into the field below, each other into a field of its own name: ${others.join(', ')}.`,
		schema: z.array(z.enum(files.map(({ value }) => value) as [string, ...string[]])).min(1),
		in: 'local',
	} as const satisfies Field;
};

/** The endpoint that returns the URLs of files. */
type DownloadEndpoint = Pick<JobKind, 'name' | 'read' | 'id'>;

/** Values of the fields above, and the ID in the path of the endpoint. */
type DownloadValues = {
	files?: string[];
	binaryPropertyName?: string;
	fileName?: string;
	[name: string]: unknown;
};

type DownloadContext<V> = ExecuteContext & { values: V; input: INodeExecutionData };

/** Finds a file in the response of the endpoint. */
type FindFile<V> = (response: IDataObject, file: ResultFile, id: string, values: V) => FileLocation;

/** The response of the endpoint as an item, with its files in addition to those of the incoming item. */
export async function downloadToItem<V extends DownloadValues>(
	{ n8n, client, values, input }: DownloadContext<V>,
	kind: DownloadEndpoint,
	files: readonly ResultFile[],
	find: FindFile<V>,
): Promise<INodeExecutionData[]> {
	const { binaryPropertyName: field = 'data', fileName } = values;
	const id = String(values[kind.id]);
	const { json, binary } = await downloadResultFiles(
		n8n,
		client,
		{ kind, id },
		{ files, field, fileName, find: (response, file) => find(response, file, id, values) },
	);
	return [{ json, binary: { ...input.binary, ...binary } }];
}

/**
 * What all Download operations share.
 *
 * @param files all of them are downloaded if the form has no field Files
 */
export const defineDownload = <V extends DownloadValues>(
	endpoint: DownloadEndpoint,
	files: readonly ResultFile[],
	find: FindFile<V>,
) => ({
	execute: async (context: DownloadContext<V>) => {
		const { files: chosen } = context.values;
		const wanted = files.filter(({ value }) => chosen?.includes(value) ?? true);
		return await downloadToItem(context, endpoint, wanted, find);
	},
});

/** Finds the files of a job; `otherwise` is what to do about a finished job without the file. */
export const findFileOfJob =
	(kind: JobKind, otherwise?: string) =>
	(response: IDataObject, file: ResultFile, id: string): FileLocation =>
		findJobFile(kind, response, file, id, otherwise);
