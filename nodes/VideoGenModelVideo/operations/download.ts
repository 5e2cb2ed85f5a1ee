import type { IDataObject } from 'n8n-workflow';
import { operation } from '../../core/operation';
import { fileIn, fileName, fileOf, film, outputField } from '../../fields/download';
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
	fields: [modelVideoId, outputField],
	options: [
		{
			...fileName,
			placeholder: 'e.g. boat.mp4',
			description: 'The name of the file; without it the ID of the video',
		},
	],
	async execute(context, values) {
		const { video_id: id } = values;
		return await fileOf(
			context,
			modelVideo,
			id,
			(read) =>
				fileIn(read, film, id, {
					problem: `Model video ${id} has no file: its status is "${String(read.status)}"`,
					advice: whyNot(read),
				}),
			values,
		);
	},
});
