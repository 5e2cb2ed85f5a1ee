import assert from 'node:assert/strict';
import { scenario } from '../../faults/books';
import { workerOf } from '../cluster';
import type { QueueFlow } from '../flow';
import { replace } from '../production';

/** Scenarios of `npm run faults` that are about what n8n stores, and thus about other processes. */
const names = [
	'the Retry button after a refused create',
	'an error output back to the input, long jobs',
	'batches of a sheet that grows',
	'a sheet that a second run finishes',
];

export const flow: QueueFlow = {
	name: 'what ordinary use pays for: Retry, error outputs, and sheets that other workers finish',
	short: false,
	run: async (cluster) => {
		const { n8n, workers, simulator, measured, short, log } = cluster;
		// Nodes run in the workers only. Where a scenario restarts n8n, others take their place.
		const restart = async () => await replace(workers);
		const shared = async () => {
			simulator.control.reset();
			simulator.control.setWorkspace({ jobsAtOnce: 5_000 });
			return { ...cluster, n8n: { ...n8n, restart } };
		};
		const wrong: string[] = [];
		for (const name of names) {
			const found = scenario.find((one) => one.name === name);
			assert.ok(found, `no scenario is called "${name}"`);
			const rows = await found.run({ shared, startOwn: shared, short, random: Math.random, log });
			const newest = (await n8n.executions({})).at(-1);
			// Throws if the main process has run it.
			log(`  execution ${newest?.id} ran in ${workerOf(cluster, String(newest?.id)).name}`);
			for (const row of rows) {
				measured(`${row.id}: requested, created, named, lost, duplicate`, row.cells.join(', '));
				wrong.push(...row.wrong.map((one) => `${row.id}: ${one}`));
			}
		}
		assert.deepEqual(wrong, []);
	},
};
