/** Downloads: files of the service put into binary fields. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import {
	downloadResultFiles,
	findJobFile,
	type FileLocation,
	type ResultFile,
} from '../core/jobs/resultFiles';
import type { Field } from '../core/form/field';
import type { JobKind } from '../core/jobs/state';
import type { ExecuteContext } from '../core/operation';

/** The binary field that a downloaded file is put into. */
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

/** @param otherwise the name that the file has without it */
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
		description: `The name of the file; without it ${otherwise}`,
		in: 'local',
	}) as const satisfies Field;

/** The choice of files, where there are several; the first of them by default. */
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

/** Where a file is read: the kind of what it belongs to, the request line, and its identifier. */
type DownloadEndpoint = Pick<JobKind, 'name' | 'read' | 'id'>;

/** The values of a download: the fields above, and the identifier of its place. */
type DownloadValues = {
	files?: string[];
	binaryPropertyName?: string;
	fileName?: string;
	[name: string]: unknown;
};

/** What such an operation is carried out with. */
type DownloadContext<V> = ExecuteContext & { values: V; input: INodeExecutionData };

/** Finds a file in what was read of the place, by the identifier of that. */
type FindFile<V> = (reading: IDataObject, file: ResultFile, id: string, values: V) => FileLocation;

/** The item of a download: what was read, with the files beside those that the item had. */
export async function downloadToItem<V extends DownloadValues>(
	{ n8n, client, values, input }: DownloadContext<V>,
	{ name: kind, id: key, read: line }: DownloadEndpoint,
	files: readonly ResultFile[],
	find: FindFile<V>,
): Promise<INodeExecutionData[]> {
	const id = String(values[key]);
	const read = async () => await client.fetchData({ line, path: { [key]: id } });
	const { json, binary } = await downloadResultFiles(
		n8n,
		client,
		{ kind, id, read },
		files,
		(reading, file) => find(reading, file, id, values),
		{ field: values.binaryPropertyName ?? 'data', fileName: values.fileName },
	);
	return [{ json, binary: { ...input.binary, ...binary } }];
}

/**
 * What downloads share.
 *
 * @param files those there are; all of them where the user has no choice
 */
export const defineDownload = <V extends DownloadValues>(
	place: DownloadEndpoint,
	files: readonly ResultFile[],
	find: FindFile<V>,
) => ({
	execute: async (context: DownloadContext<V>) => {
		const wanted = context.values.files;
		const chosen = files.filter(({ value }) => wanted?.includes(value) ?? true);
		return await downloadToItem(context, place, chosen, find);
	},
});

/** Finds the files of a job; `otherwise` tells what to do where a finished one has no such file. */
export const findFileOfJob =
	(job: JobKind, otherwise?: string) =>
	(reading: IDataObject, file: ResultFile, id: string): FileLocation =>
		findJobFile(job, reading, file, id, otherwise);
