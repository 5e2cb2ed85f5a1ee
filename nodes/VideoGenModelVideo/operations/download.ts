import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { operationError } from '../../core/errors';
import { download as downloadFile } from '../../core/file';
import { operation } from '../../core/operation';
import { modelVideoId } from '../../fields/modelVideo';
import { modelVideo } from '../../jobs';

/** Why there is no file, by the state of the video. */
function whyNot(read: IDataObject): string {
	const status = String(read.status);
	if (!modelVideo.failed.includes(status)) return 'Wait until it is completed.';
	const reason = typeof read.failure_message === 'string' ? `: ${read.failure_message}` : '';
	return `The service made no video${reason}. Make another one.`;
}

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a model video',
	description: 'Put the finished video into a binary field',
	request: 'GET /v3/models/videos/{video_id}',
	fields: [
		modelVideoId,
		{
			displayName: 'Put Output File in Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the output binary field to put the file in',
			description: 'The name of the binary field',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	options: [
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. boat.mp4',
			description: 'The name of the file; without it the ID of the video',
			schema: z.string().min(1),
			in: 'local',
		},
	],
	async execute({ n8n, client }, values) {
		let read: IDataObject = {};
		const binary = await downloadFile(n8n, client, async () => {
			// Each reading gives another address, and each address expires.
			read = await client.data({
				line: 'GET /v3/models/videos/{video_id}',
				path: { video_id: values.video_id },
			});
			const url = read.video_url;
			if (typeof url !== 'string' || url === '') {
				throw operationError(
					client.node,
					`Model video ${values.video_id} has no file: its status is "${String(read.status)}"`,
					whyNot(read),
					{ job: { kind: modelVideo.kind, id: values.video_id }, status: String(read.status) },
				);
			}
			return {
				url,
				fileName: values.fileName ?? `${values.video_id}.mp4`,
				mimeType: 'video/mp4',
			};
		});
		return [{ json: read, binary: { [values.binaryPropertyName]: binary } }];
	},
});
