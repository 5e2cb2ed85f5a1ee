/** A service that accepts ten requests per second. */
import type { Stage } from '../../tools/stage';
import type { BenchFile, Measure } from './section';
import { forRows, ourCreate, ourGet, theirCreate, theirGet, type Ran } from './workflows';
import type { Link } from '../e2e/workflows';

const perSecond = 10;

/** What became of so many rows. */
interface Seen {
	done: number;
	/** Rows without an output item, or with an error. */
	lost: number;
	seconds: number;
	/** Videos that were made beyond those that came out. */
	twice: number;
}

async function look(stage: Stage, count: number, run: () => Promise<Ran>): Promise<Seen> {
	const { control } = stage.simulator;
	control.reset();
	const before = control.jobs('video').length;
	const { milliseconds, items, failed } = await run();
	const done = items.length - failed;
	const made = control.jobs('video').length - before;
	return {
		done,
		lost: count - done,
		seconds: milliseconds / 1000,
		twice: Math.max(0, made - done),
	};
}

/** Goes on where a row fails, so that its losses can be counted. */
const goesOn = { onError: 'continueRegularOutput' } as const;
/** Ten requests per second, with three attempts that are five seconds apart. */
const batching = { batching: { batch: { batchSize: perSecond, batchInterval: 1_000 } } };
const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 5_000 };

export const bench: BenchFile = {
	title: 'A service that accepts ten requests per second',
	how: `The service accepts ${perSecond} requests per second, and responds to any others with 429 and \`Retry-After: 1\`. Each side runs once, because the service sets the pace. The value is the rate of successful rows, divided by the allowed rate. HTTP Request continues after a failed row (On Error → Continue), so its losses can be counted. "Configured" means ${perSecond} items per batch with a batch interval of one second, and **Retry On Fail** turned on.`,
	async run({ startOwn, log }) {
		const stage = await startOwn({ simulator: { jobSeconds: 0, requestsPerSecond: perSecond } });
		const count = 1_000;
		const measures: Measure[] = [];
		const sides: Record<string, { ours: Link; theirs: Array<[string, Link]> }> = {
			Get: {
				ours: ourGet,
				theirs: [
					['HTTP Request', theirGet(stage, {}, goesOn)],
					['HTTP Request, configured', theirGet(stage, batching, { ...goesOn, ...retrying })],
				],
			},
			Create: {
				ours: ourCreate(count),
				theirs: [
					['HTTP Request', theirCreate(stage, {}, goesOn)],
					['HTTP Request, configured', theirCreate(stage, batching, { ...goesOn, ...retrying })],
				],
			},
		};
		const share = ({ done, seconds }: Seen) => done / seconds / perSecond;
		const told = ({ done, lost, seconds, twice }: Seen) =>
			`${done} done, ${lost} lost${twice > 0 ? `, ${twice} made twice` : ''}, ${seconds.toFixed(0)} s`;
		for (const [name, { ours, theirs }] of Object.entries(sides)) {
			const mine = await look(stage, count, await forRows(stage, `${name}, ours`, count, ours));
			log(`  ${name}, ours: ${told(mine)}, ${share(mine).toFixed(2)}`);
			const wrong =
				mine.lost + mine.twice > 0 ? [`${mine.lost} lost, ${mine.twice} made twice`] : [];
			for (const [beside, link] of theirs) {
				const other = await look(
					stage,
					count,
					await forRows(stage, `${name}, theirs`, count, link),
				);
				log(`  ${name}, ${beside}: ${told(other)}, ${share(other).toFixed(2)}`);
				measures.push({
					what: `${name} of ${count} rows`,
					beside,
					ours: told(mine),
					theirs: `${told(other)} (${share(other).toFixed(2)})`,
					value: share(mine),
					goal: { least: 0.9 },
					wrong,
				});
			}
		}
		return measures;
	},
};
