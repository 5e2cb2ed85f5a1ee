import { operation } from '../../core/operation';
import { fileIn, waitOr } from '../../core/files/results';
import { downloads, fileName, outputField } from '../../fields/download';
import { render } from '../../fields/render';
import { renderFiles } from '../../files';
import { renderJob } from '../../jobs';

export const download = operation({
	value: 'download',
	name: 'Download',
	action: 'Download a rendered composition',
	description: 'Put the rendered file into a binary field',
	request: 'GET /v3/hyperframes/renders/{render_id}',
	fields: [{ ...render, required: true }, outputField],
	options: [fileName('intro.mp4', 'the ID of the composition render')],
	...downloads(renderJob, renderFiles, (reading, file, id) =>
		fileIn(reading, file, id, {
			problem: `Composition render ${id} has no file: its ${file.key} is empty`,
			advice: waitOr(renderJob, reading, 'It was rendered without a file. Render it again.'),
		}),
	),
});
