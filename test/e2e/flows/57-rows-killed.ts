import type { Flow } from '../flow';
import { jobSeconds, killWhileRowsWait } from '../rowsKilled';
import { start } from '../workflows';

export const flow: Flow = {
	name: 'rows that are created and awaited, n8n killed at random moments: each row once, nothing paid twice',
	isWeekly: true,
	run: async (context) => {
		const stage = await context.startOwn({ simulator: { jobSeconds } });
		const { n8n } = stage;
		const result = await killWhileRowsWait(stage, {
			log: context.log,
			// ROWS=300 KILLS=200 is the long form.
			rowCount: Number(process.env.ROWS ?? 20),
			kills: Number(process.env.KILLS ?? 2),
			seed: Number(process.env.SEED ?? 1),
			createStart: () => start,
			begin: async (workflow) => await n8n.start(workflow),
			killAndRestart: async () => {
				await n8n.kill();
				await n8n.restart();
				return 'n8n';
			},
			// n8n may also resume a suspended execution at once.
			hasNoticed: (statuses) => !statuses.includes('running'),
		});
		context.log(`  ${result}`);
	},
};
