/** Time and memory by the number of items. */
import { median, withGrowth } from './rounds';
import type { BenchFile, Measure } from './section';
import { forRows, ourGet } from './workflows';

export const bench: BenchFile = {
	title: 'More items',
	how: 'The Get operation handles 100 to 10,000 rows, with no added latency. The table shows the node’s time per item, compared with its time for 1,000 rows, and the peak growth of n8n’s resident memory during the execution. The numbers are medians of three runs, after a warm-up run.',
	async run({ startOwn, log }) {
		const stage = await startOwn({ simulator: { jobSeconds: 0 } });
		const { n8n, simulator } = stage;
		const seen = new Map<number, { each: number; grown: number }>();
		for (const count of [100, 1_000, 3_000, 10_000]) {
			const run = await forRows(stage, `${count} rows`, count, ourGet);
			const measure = async () => {
				simulator.control.reset();
				const { result, grown } = await withGrowth(n8n, run);
				const { milliseconds, items } = result;
				if (items.length !== count) throw new Error(`${items.length} of ${count} items came`);
				return { each: milliseconds / count, grown };
			};
			await measure();
			const runs: Array<Awaited<ReturnType<typeof measure>>> = [];
			while (runs.length < 3) runs.push(await measure());
			const each = median(runs.map((one) => one.each));
			const grown = median(runs.map((one) => one.grown));
			log(`  ${count}: ${each.toFixed(2)} ms each, ${grown.toFixed(0)} MiB`);
			seen.set(count, { each, grown });
		}
		const usual = seen.get(1_000)?.each ?? NaN;
		return [...seen].map(([count, { each, grown }]): Measure => ({
			what: `${count.toLocaleString('en-US')} items`,
			beside: 'itself with 1,000',
			ours: `${each.toFixed(2)} ms per item, ${grown.toFixed(0)} MiB`,
			theirs: `${usual.toFixed(2)} ms per item`,
			value: each / usual,
			// A hundred are over before the limit of requests at once has found its width.
			...(count > 100 ? { goal: { most: 1.2 } } : {}),
		}));
	},
};
