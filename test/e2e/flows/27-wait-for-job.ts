import assert from 'node:assert/strict';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { example, errorText } from '../workflows';

export const flow: Flow = {
	name: 'example 06: a hundred rows wait suspended, and a call of the service brings a hundred films',
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		control.holdJobs(true);
		const draft = withCredential(example('06-hundred-rows-to-films.json'), credential);
		const { id } = await n8n.createWorkflow(draft);
		const waiting = await n8n.run(id, { until: ['waiting'] });
		assert.equal(waiting.status, 'waiting', errorText(waiting));
		const [unfinished] = itemsOf(waiting, 'Wait for the Films');
		assert.match(String(unfinished?.json.still_running), /^Not finished yet/);

		const resumedAt = Date.now();
		control.holdJobs(false);
		const done = await n8n.waitForExecution({ id: waiting.id }, { timeoutMs: 60_000 });
		assert.equal(done.status, 'success', errorText(done));
		console.log('resumed after', Date.now() - resumedAt);
		const films = itemsOf(done, 'Name, Address and Film');
		assert.equal(films.length, 100);
		const rows = itemsOf(done, 'Rows');
		films.forEach(({ json }, i) => assert.equal(json.email, rows[i]?.json.email));
		assert.equal(new Set(films.map(({ json }) => json.video_id)).size, 100);
	},
};
