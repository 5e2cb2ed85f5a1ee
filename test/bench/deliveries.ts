/** Signed deliveries to the trigger, compared with n8n's Webhook nodes. */
import { eventOf, publishTrigger } from '../faults/deliveries';
import { p99, publishWebhook, round, type Round } from '../faults/load';
import { median, times } from './rounds';
import type { BenchFile, Measure } from './section';

const names = ['trigger', 'webhook1', 'webhook2'] as const;

export const bench: BenchFile = {
	title: 'Deliveries',
	how: '2,000 signed deliveries to each in five rounds, in turn; n8n runs the workflow of each. Version 1 of the Webhook node needs n8n’s expression engine for each call, as every trigger but version 2 does.',
	short: false,
	async run({ startOwn, log }) {
		const measures: Measure[] = [];
		const some = (count: number) => times(count, () => eventOf());
		for (const atOnce of [20, 100]) {
			// What one setting leaves in n8n would slow down the next.
			const stage = await startOwn();
			const published = {
				trigger: await publishTrigger(stage, 'Rate'),
				webhook1: await publishWebhook(stage, 1),
				webhook2: await publishWebhook(stage, 2),
			};
			for (const name of names) await round(stage, published[name], some(100), atOnce);
			const seen: Record<(typeof names)[number], Round[]> = {
				trigger: [],
				webhook1: [],
				webhook2: [],
			};
			for (const i of times(5, (number) => number)) {
				for (const turn of times(names.length, (number) => number)) {
					const name = names[(i + turn) % names.length] ?? 'trigger';
					seen[name].push(await round(stage, published[name], some(400), atOnce));
				}
			}
			await stage.close();
			const rate = (list: readonly Round[]) => median(list.map((one) => one.rate));
			const slowest = (list: readonly Round[]) => p99(list.flatMap((one) => one.milliseconds));
			for (const [name, version] of [
				['webhook1', 1],
				['webhook2', 2],
			] as const) {
				const [mine, other] = [rate(seen.trigger), rate(seen[name])];
				const [late, otherLate] = [slowest(seen.trigger), slowest(seen[name])];
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
