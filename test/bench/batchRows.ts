/** Rows of Create Batch as single create requests and as batches, on an account at its job limit. */
import type { INodeParameters } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { batch } from '../faults/creates';
import { withGrowth } from './rounds';
import type { BenchFile, Measure } from './section';
import { forRows, measured } from './workflows';

const jobSeconds = 10;
const jobsAtOnce = 10;

interface Seen {
	seconds: number;
	requests: number;
	creates: number;
	/** Creates that the service rejected because the account was at its limit. */
	rejected: number;
	jobs: number;
	/** MiB. */
	grown: number;
	done: number;
}

async function runRows(stage: Stage, count: number, options: INodeParameters): Promise<Seen> {
	const { control } = stage.simulator;
	const text = `=${options.payOncePer ?? 'execution'}: {{ $json.text }}`;
	const link = batch({
		waitForCompletion: true,
		script: text,
		options: { mostJobs: count, ...options },
		advanced: { pollInterval: 5 },
	});
	const run = await forRows(stage, text, count, { ...link, name: measured });
	control.reset();
	control.setWorkspace({ jobsAtOnce });
	const { result, grown } = await withGrowth(stage.n8n, async () => await run(1_800_000));
	const requests = control.requests({ path: /^\/v3\// });
	const creates = requests.filter(({ method }) => method === 'POST');
	return {
		seconds: result.milliseconds / 1000,
		requests: requests.length,
		creates: creates.length,
		rejected: creates.filter(({ status }) => status === 429).length,
		jobs: control.jobs('video').length,
		grown,
		done: result.items.length - result.failed,
	};
}

const describe = ({ seconds, requests, creates, rejected, jobs, grown }: Seen) =>
	`${seconds.toFixed(0)} s, ${jobs} jobs, ${requests} requests (${creates} create requests, ${rejected} of them rejected), ${grown.toFixed(0)} MiB`;

export const bench: BenchFile = {
	title: 'Rows of a batch, each as its own request',
	how: `Create Batch runs with Wait for Completion turned on, for an account that runs ${jobsAtOnce} jobs at a time. A job takes ${jobSeconds} seconds, and is first polled after 5 seconds. “Ours” uses Pay Once Per: Unique Request, which sends each row as a separate create request. “Theirs” uses the default, which sends up to 100 rows in one request. Each side runs on its own n8n instance, and only once, because the account limit determines the speed. Memory is the peak growth of n8n’s resident memory. The value is our duration divided by theirs.`,
	async run({ startOwn, log }) {
		const count = 250;
		const measureOn = async (name: string, options: INodeParameters) => {
			// An n8n of its own, as n8n keeps memory that an execution has needed.
			const stage = await startOwn({ simulator: { jobSeconds } });
			// n8n is slower with what it does for the first time.
			await runRows(stage, jobsAtOnce, options);
			const seen = await runRows(stage, count, options);
			log(`  ${name}: ${describe(seen)}`);
			return seen;
		};
		const rows = await measureOn('Unique Request', { payOncePer: 'request' });
		const batches = await measureOn('default', {});
		const best = (count / jobsAtOnce) * jobSeconds;
		const wrong = [rows, batches].flatMap(({ done, jobs }) =>
			done === count && jobs === count ? [] : [`${done} of ${count} rows done, ${jobs} jobs`],
		);
		const measure: Measure = {
			what: `${count} rows (fastest possible: ${best} s)`,
			beside: 'itself with the default',
			ours: describe(rows),
			theirs: describe(batches),
			value: rows.seconds / batches.seconds,
			wrong,
		};
		return [measure];
	},
};
