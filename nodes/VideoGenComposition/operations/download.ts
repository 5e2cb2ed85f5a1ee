import { textOf } from '../../core/json';
import { operation } from '../../core/operation';
import { downloads, fileIn, fileName, outputField, waitOr } from '../../fields/download';
import { render } from '../../fields/render';
import { renderJob } from '../../jobs';

/** By the format that the render was asked for, if the storage does not tell. */
const mimeTypes: Record<string, string> = {
	mp4: 'video/mp4',
	webm: 'video/webm',
	mov: 'video/quicktime',
};

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a rendered composition',
	description: 'Put the rendered file into a binary field',
	request: 'GET /v3/hyperframes/renders/{render_id}',
	fields: [{ ...render, required: true }, outputField],
	options: [
		{
			...fileName,
			placeholder: 'e.g. intro.mp4',
			description: 'The name of the file; without it the ID of the composition render',
		},
	],
	...downloads(renderJob, (read, { render_id: id }: { render_id: string }) => {
		const format = textOf(read.format) ?? 'mp4';
		const mimeType = mimeTypes[format] ?? 'application/octet-stream';
		return fileIn(read, { key: 'video_url', extension: format, mimeType }, id, {
			problem: `Composition render ${id} has no file: its video_url is empty`,
			advice: waitOr(renderJob, read, 'It was rendered without a file. Render it again.'),
		});
	}),
});
