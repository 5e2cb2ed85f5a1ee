/** Signed deliveries to the trigger, compared with n8n's Webhook nodes. */
import { alternate, p99Of, rateOf } from '../faults/load';
import type { BenchFile, Measure } from './section';

export const bench: BenchFile = {
	title: 'Deliveries',
	how: '2,000 signed deliveries to each in five rounds, in turn; n8n runs the workflow of each. Version 1 of the Webhook node needs n8n’s expression engine for each call, as every trigger but version 2 does.',
	short: false,
	async run({ startOwn, log }) {
		const measures: Measure[] = [];
		for (const atOnce of [20, 100]) {
			// What one setting leaves in n8n would slow down the next.
			const stage = await startOwn();
			const seen = await alternate(stage, { most: 5, each: 400, first: 100, atOnce });
			await stage.close();
			for (const [name, version] of [
				['webhook1', 1],
				['webhook2', 2],
			] as const) {
				const [mine, other] = [rateOf(seen.trigger), rateOf(seen[name])];
				const [late, otherLate] = [p99Of(seen.trigger), p99Of(seen[name])];
				log(`  ${atOnce} at a time, beside ${version}: ${(mine / other).toFixed(2)}`);
				const beside = `Webhook, version ${version}`;
				// Only version 1 works as a trigger of a community package has to.
				const isGoal = version === 1;
				measures.push(
					{
						what: `Rate of answers, ${atOnce} at a time`,
						beside,
						ours: `${mine.toFixed(0)} a second`,
						theirs: `${other.toFixed(0)} a second`,
						value: mine / other,
						...(isGoal ? { goal: { least: 0.9 } } : {}),
					},
					{
						what: `99th percentile of the time to the answer, ${atOnce} at a time`,
						beside,
						ours: `${late.toFixed(0)} ms`,
						theirs: `${otherLate.toFixed(0)} ms`,
						value: late / otherLate,
						...(isGoal ? { goal: { most: 1.2 } } : {}),
					},
				);
			}
		}
		return measures;
	},
};
