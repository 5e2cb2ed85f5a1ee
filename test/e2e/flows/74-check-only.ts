import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import type { Flow } from '../flow';
import { example, runDraft, succeeded } from '../workflows';

/** The example with thirty rows, whose node that pays has this mode of Check Only. */
function buildChecked(checkOnly: string) {
	const workflow = example('02-names-to-personal-videos.json');
	const node = workflow.nodes.find(({ name }) => name === 'Create Batch');
	assert(node);
	const { options } = node.parameters as { options?: IDataObject };
	node.parameters.options = { ...options, checkOnly };
	return workflow;
}

export const flow: Flow = {
	name: 'check only: thirty rows are checked, then sample videos pass through the whole workflow',
	run: async (context) => {
		const { control } = context.simulator;
		const from = control.requests().length;
		const checked = succeeded(await runDraft(context, buildChecked('check')), 'Create Batch');
		assert.equal(checked.length, 30);
		for (const { json } of checked) {
			assert.deepEqual([json.valid, json.problems], [true, []]);
			assert.equal((json.request as IDataObject).items, 30);
		}

		const execution = await runDraft(context, buildChecked('sample'));
		const videos = succeeded(execution, 'Send Mail');
		assert.equal(videos.length, 30);
		for (const video of videos) {
			assert.equal(video.json.simulated, true);
			assert(video.binary?.data);
			const content = await context.n8n.binary(video.binary.data);
			assert.equal(content.toString('latin1', 4, 8), 'ftyp');
		}
		const written = control
			.requests()
			.slice(from)
			.filter(({ method }) => method !== 'GET');
		assert.deepEqual(written, []);
	},
};
