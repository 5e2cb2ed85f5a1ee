/** Time and memory by the number of items. */
import { median, times } from './rounds';
import type { BenchFile, Measure } from './section';
import { forRows, ourGet, theirGet } from './workflows';

const MiB = 2 ** 20;

export const bench: BenchFile = {
	title: 'More items',
	how: 'Get of so many rows, without latency: the time of the node for each item, and by how much the memory of n8n (resident, all of the execution included) is larger at its highest than before. Three runs of each in turn, after one that is not counted.',
	short: false,
	async run({ startOwn, log }) {
		const stage = await startOwn({ simulator: { jobSeconds: 0 } });
		const measures: Measure[] = [];
		let first: number | undefined;
		for (const count of [100, 1_000, 10_000]) {
			const seen: Record<'ours' | 'theirs', Array<{ each: number; grown: number }>> = {
				ours: [],
				theirs: [],
			};
			const runs = {
				ours: await forRows(stage, `${count}, ours`, count, ourGet),
				theirs: await forRows(stage, `${count}, theirs`, count, theirGet(stage)),
			};
			const measure = async (side: 'ours' | 'theirs') => {
				stage.simulator.control.reset();
				const before = stage.n8n.rssBytes();
				let most = before;
				const watch = setInterval(() => (most = Math.max(most, stage.n8n.rssBytes())), 50);
				const { milliseconds, items, failed } = await runs[side]().finally(() =>
					clearInterval(watch),
				);
				if (items.length - failed !== count) throw new Error(`${failed} of ${count} rows failed`);
				return { each: milliseconds / count, grown: (most - before) / MiB };
			};
			for (const round of times(4, (i) => i)) {
				for (const side of ['ours', 'theirs'] as const) {
					const one = await measure(side);
					if (round > 0) seen[side].push(one);
				}
			}
			const of = (side: 'ours' | 'theirs', what: 'each' | 'grown') =>
				median(seen[side].map((one) => one[what]));
			const mine = of('ours', 'each');
			first ??= mine;
			const told = (side: 'ours' | 'theirs') =>
				`${of(side, 'each').toFixed(2)} ms each, ${of(side, 'grown').toFixed(0)} MiB`;
			log(`  ${count}: ${told('ours')}; theirs ${told('theirs')}`);
			measures.push({
				what: `${count.toLocaleString('en-US')} items; the value is the time of an item beside that of 100`,
				beside: 'HTTP Request',
				ours: told('ours'),
				theirs: told('theirs'),
				value: mine / first,
				goal: { most: 1.2 },
			});
		}
		return measures;
	},
};
