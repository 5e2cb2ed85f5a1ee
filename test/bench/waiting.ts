/** Many executions that wait for their videos at the same time. */
import type { Stage } from '../../tools/stage';
import { save, video } from '../faults/creates';
import { quiet } from '../faults/deliveries';
import { chain, start, until, type Link } from '../e2e/workflows';
import type { BenchFile } from './section';
import { measured } from './workflows';

const MiB = 2 ** 20;
/** Looks are counted for so many seconds. */
const seconds = 60;

const script = 'Hello there, this is a long enough text.';
const ourWait: Link = { ...video({ script, waitForCompletion: true }), name: measured };

/** n8n's HTTP Request node, waiting for a response that never arrives. */
const theirWait = ({ simulator }: Stage): Link => ({
	name: measured,
	type: 'n8n-nodes-base.httpRequest',
	parameters: { url: `${simulator.baseUrl}/public/video_001/thumbnail.jpg`, options: {} },
	more: { typeVersion: 4.2 },
});

export const bench: BenchFile = {
	title: 'Waiting executions',
	how: 'One-item executions start one after another, and all of them wait. Our node waits for a video that never finishes, and suspends its execution after a minute. HTTP Request waits for a response. Memory is the growth of n8n’s resident memory while all executions wait, divided by the number of executions.',
	async run({ startOwn, log }) {
		const count = 200;
		const stage = await startOwn({ simulator: { jobSeconds: 0 } });
		const { n8n, simulator } = stage;
		const { control } = simulator;
		const memoryOf = async (name: string, link: Link, isWaiting: () => boolean) => {
			const id = await save(stage, chain(name, [start, link]));
			const before = n8n.rssBytes();
			for (let started = 0; started < count; started++) await n8n.start(id);
			await until('all to wait', isWaiting, 120_000);
			await new Promise((resolve) => setTimeout(resolve, 5_000));
			const each = (n8n.rssBytes() - before) / count / MiB;
			return { each, id };
		};

		// n8n loads what it needs with its first execution.
		const first = await save(stage, chain('First', [start, ourWait]));
		await n8n.waitForExecution({ id: await n8n.start(first) });
		control.reset();
		control.holdJobs(true);
		// An account that may run them all: none ends while they are held.
		control.setWorkspace({ jobsAtOnce: 5_000 });
		const mine = await memoryOf('Ours', ourWait, () => control.jobs('video').length === count);
		const from = control.requests({ method: 'GET' }).length;
		await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
		const reads = (control.requests({ method: 'GET' }).length - from) / seconds;
		control.holdJobs(false);
		control.setWorkspace({ jobsAtOnce: 10 });
		await quiet(stage, mine.id, count);
		log(`  ours: ${mine.each.toFixed(1)} MiB each, ${reads.toFixed(2)} reads per second`);

		await n8n.restart();
		control.reset();
		control.fail({ path: /^\/public\//, delayMs: 600_000 });
		const waits = () => control.requests({ path: /^\/public\// }).length === count;
		const theirs = await memoryOf('Theirs', theirWait(stage), waits);
		control.clearFaults();
		await quiet(stage, theirs.id, count);
		log(`  theirs: ${theirs.each.toFixed(1)} MiB each`);

		return [
			{
				what: `Memory per execution with ${count} waiting executions`,
				beside: 'HTTP Request',
				ours: `${mine.each.toFixed(1)} MiB`,
				theirs: `${theirs.each.toFixed(1)} MiB`,
				value: mine.each / theirs.each,
				goal: { most: 1.1 },
			},
			{
				what: `Polls per second of ${count} waiting executions, in the minute after the last one started`,
				ours: `${reads.toFixed(2)} per second`,
				value: reads,
				goal: { most: 1 },
			},
		];
	},
};
