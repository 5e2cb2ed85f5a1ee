/** Downloads: files of the service put into binary fields. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';
import {
	downloadFiles,
	sharedFirst,
	type FileNames,
	type Found,
	type ResultFile,
} from '../core/files/results';
import type { Field } from '../core/form/field';
import type { Job } from '../core/jobs/job';
import type { ExecuteContext } from '../core/operation';

/** The binary field that a downloaded file is put into. */
export const outputField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field',
	schema: z.string().min(1),
	in: 'local',
} as const satisfies Field;

export const fileName = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '',
	placeholder: 'e.g. welcome.mp4',
	description: 'The name of the file; without it the ID of what it belongs to',
	schema: z.string().min(1),
	in: 'local',
} as const satisfies Field;

/** The choice of files, where there are several; the first of them by default. */
export const filesField = (files: readonly ResultFile[], whose: string) => {
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
type Place = Pick<Job, 'kind' | 'read' | 'id'>;

/** The values of a download: the fields above, and the identifier of its place. */
type DownloadValues = {
	files?: string[];
	binaryPropertyName?: string;
	fileName?: string;
	[name: string]: unknown;
};

/** The item of a download: what was read, with the files beside those that the item had. */
export async function downloadOf<F extends { value: string }>(
	{
		n8n,
		client,
		values,
		input,
	}: ExecuteContext & { values: DownloadValues } & {
		input: INodeExecutionData;
	},
	{ kind, id: key, read: line }: Place,
	files: readonly F[],
	find: (reading: IDataObject, file: F) => Found,
): Promise<INodeExecutionData[]> {
	const id = String(values[key]);
	const readings = sharedFirst(async () => await client.data({ line, path: { [key]: id } }));
	const names: FileNames = {
		field: values.binaryPropertyName ?? 'data',
		fileName: values.fileName,
	};
	const owner = { kind, id, readings };
	const { json, binary } = await downloadFiles(n8n, client, owner, files, find, names);
	return [{ json, binary: { ...input.binary, ...binary } }];
}

/**
 * What downloads share.
 *
 * @param files those there are; the first of them where the user has no choice
 * @param find finds a file in what was read of the place
 */
export const downloads = <V extends DownloadValues>(
	place: Place,
	files: readonly ResultFile[],
	find: (reading: IDataObject, file: ResultFile, values: V) => Found,
) => ({
	execute: async (context: ExecuteContext & { values: V; input: INodeExecutionData }) => {
		const { values } = context;
		const wanted = files.filter(({ value }) => values.files?.includes(value) ?? true);
		return await downloadOf(context, place, wanted, (reading, file) => find(reading, file, values));
	},
});
