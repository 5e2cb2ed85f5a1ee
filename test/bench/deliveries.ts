/** Signed deliveries to the trigger, compared with n8n's Webhook nodes. */
import { alternate, p99Of, rateOf } from '../faults/load';
import type { BenchFile, Measure } from './section';

/** n8n's setting with which a delivery needs its expression engine only for an expression. */
export const recommendedSettings = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

const settings = [
	{ name: '', env: {}, most: 5, each: 400, first: 100, atOnce: [20, 100] },
	{
		name: ', recommended setting',
		env: recommendedSettings,
		most: 5,
		each: 400,
		first: 100,
		atOnce: [20],
	},
] as const;

const compared = ['trigger', 'trigger1', 'webhook1', 'webhook2'] as const;
const others = {
	trigger1: 'our own version 1',
	webhook1: 'Webhook, version 1',
	webhook2: 'Webhook, version 2',
};

export const bench: BenchFile = {
	title: 'Deliveries',
	how: 'Each trigger receives 2,000 signed deliveries in five alternating rounds. n8n runs a workflow for each delivery. The benchmark uses version 2 of our trigger. With default settings, n8n starts its expression engine for each delivery, unless the trigger is version 2 of the Webhook node. With the recommended setting, `N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true`, n8n starts the engine only if it must evaluate an expression, as for version 1 of both triggers.',
	async run({ startOwn, log }) {
		const measures: Measure[] = [];
		for (const { name, env, ...plan } of settings) {
			for (const atOnce of plan.atOnce) {
				// What one setting leaves in n8n would slow down the next.
				const stage = await startOwn({ env });
				const size = plan;
				const seen = await alternate(stage, compared, { ...size, atOnce });
				await stage.close();
				const [mine, late] = [rateOf(seen.trigger), p99Of(seen.trigger)];
				for (const other of ['trigger1', 'webhook1', 'webhook2'] as const) {
					const [rate, otherLate] = [rateOf(seen[other]), p99Of(seen[other])];
					log(`  ${atOnce} at a time${name}, beside ${other}: ${(mine / rate).toFixed(2)}`);
					// With n8n's own settings, only version 1 has to work as a trigger of a package does.
					const isGoal = other === (name === '' ? 'webhook1' : 'webhook2');
					measures.push(
						{
							what: `Rate of responses, ${atOnce} at a time${name}`,
							beside: others[other],
							ours: `${mine.toFixed(0)} per second`,
							theirs: `${rate.toFixed(0)} per second`,
							value: mine / rate,
							...(isGoal ? { goal: { least: 0.9 } } : {}),
						},
						{
							what: `99th percentile of the response time, ${atOnce} at a time${name}`,
							beside: others[other],
							ours: `${late.toFixed(0)} ms`,
							theirs: `${otherLate.toFixed(0)} ms`,
							value: late / otherLate,
							...(isGoal ? { goal: { most: 1.2 } } : {}),
						},
					);
				}
			}
		}
		return measures;
	},
};
