/** What must hold while it goes fast: each row is paid once, and comes back as itself. */
import type { Stage } from '../../tools/stage';
import type { BenchFile } from './section';
import { forRows, ourCreate, rows } from './workflows';

/** Five kinds of fault, which together meet 30 % of all requests. */
const probability = 1 - 0.7 ** (1 / 5);
const faults = [
	{ status: 503 },
	{ status: 429 },
	{ cut: 'before' },
	{ cut: 'after' },
	{ cut: 'midway' },
] as const;

interface Job {
	id: string;
	title: string;
}

/** What is wrong with what came of the rows. */
function wrongIn({ simulator }: Stage, count: number, items: readonly Item[]): string[] {
	const jobs = simulator.control.jobs('video') as Job[];
	const made = new Map(jobs.map(({ id, title }) => [id, title]));
	const asked = rows(count);
	const mine = items.filter(({ json, pairedItem }, i) => {
		const isPaired = (pairedItem as { item: number } | undefined)?.item === i;
		return isPaired && made.get(String(json.video_id)) === asked[i]?.text;
	});
	return [
		...(items.length === count ? [] : [`${items.length} items came out`]),
		...(mine.length === count ? [] : [`${mine.length} items are those of their rows`]),
		...(jobs.length === count ? [] : [`${jobs.length} videos were made`]),
	];
}

interface Item {
	json: { video_id?: unknown };
	pairedItem?: unknown;
}

export const bench: BenchFile = {
	title: 'Many create requests with faults',
	how: 'Each request has a 30% chance of failing. A failed request receives a 503 or a 429 without Retry-After, or loses its connection before processing, after processing, or during the response. The result is the number of videos that the service created. Each item must match its input row.',
	async run({ startOwn, log }) {
		const stage = await startOwn({ simulator: { jobSeconds: 0 } });
		const { control } = stage.simulator;
		const count = 1_000;
		const run = await forRows(
			stage,
			'Faults',
			count,
			ourCreate(count, { title: '={{ $json.text }}' }),
		);
		control.reset();
		// What the service knows from the start is not counted.
		const before = new Set((control.jobs('video') as Job[]).map(({ id }) => id));
		for (const fault of faults) control.fail({ path: /^\/v3\//, probability, ...fault });
		const { items, milliseconds } = await run();
		const requests = control.requests({ method: 'POST', path: '/v3/videos' }).length;
		if (before.size > 0) throw new Error('The simulator has jobs from the start');
		const wrong = wrongIn(stage, count, items);
		log(`  ${requests} requests, ${wrong.join('; ') || 'all right'}`);
		return [
			{
				what: `${count.toLocaleString('en-US')} create requests result in ${count.toLocaleString('en-US')} videos, each for its own row`,
				ours: `${control.jobs('video').length} videos by ${requests} requests in ${(milliseconds / 1000).toFixed(0)} s`,
				wrong,
			},
		];
	},
};
