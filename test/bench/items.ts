/** A thousand items, as the nodes come. */
import type { INodeParameters } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { byId, type Link } from '../e2e/workflows';
import { inTurn } from './rounds';
import type { BenchFile, Measure } from './section';
import { forRows, ourCreate, ourGet, theirCreate, theirGet, type Ran } from './workflows';

const count = 1_000;

/** Answers take so long on their way (milliseconds). */
function withLatency({ simulator }: Stage, milliseconds: number) {
	simulator.control.reset();
	// A job ends a moment after its response: an account at its limit would reject some of the creates.
	simulator.control.setWorkspace({ jobsAtOnce: 5_000 });
	if (milliseconds > 0) simulator.control.fail({ path: /^\/v3\//, delayMs: milliseconds });
}

const video = {
	...{ type: 'avatar', avatar_id: 'look_001_1', voice_id: 'voice_001' },
	script: 'Hello number 1, welcome to the team.',
};

const withParameters = (link: Link, parameters: INodeParameters): Link => ({
	...link,
	parameters: { ...link.parameters, ...parameters },
});

export const bench: BenchFile = {
	title: 'Many items',
	how: `The node receives ${count.toLocaleString('en-US')} items at once. The times are those that n8n reports for the node alone. Both nodes have their default settings, except for the URL, the credential and, for Create, Max Jobs per Run. The ID or the script is an expression whose value differs for each item. In rows with constant values, the ID or the script is the same for all items. The service adds the latency shown in each row.`,
	async run({ startOwn, log }) {
		const stage = await startOwn({ simulator: { jobSeconds: 0 } });
		const measures: Measure[] = [];
		const sides = {
			Get: { ours: ourGet, theirs: theirGet(stage) },
			Create: { ours: ourCreate(count), theirs: theirCreate(stage) },
			'Get with constant values': {
				ours: withParameters(ourGet, { video_id: byId('video_001') }),
				theirs: withParameters(theirGet(stage), {
					url: `${stage.simulator.baseUrl}/v3/videos/video_001`,
				}),
			},
			'Create with constant values': {
				ours: withParameters(ourCreate(count), { script: video.script }),
				theirs: withParameters(theirCreate(stage), { jsonBody: JSON.stringify(video) }),
			},
		};
		for (const [name, side] of Object.entries(sides)) {
			const runs = {
				ours: await forRows(stage, `${name}, ours`, count, side.ours),
				theirs: await forRows(stage, `${name}, theirs`, count, side.theirs),
			};
			for (const latency of [0, 50, 200]) {
				const wrong: string[] = [];
				const timeOf = async (run: () => Promise<Ran>) => {
					withLatency(stage, latency);
					const { milliseconds, items, failed } = await run();
					if (items.length !== count || failed > 0) {
						wrong.push(`${items.length} items came out, ${failed} of them failed`);
					}
					return milliseconds;
				};
				const { ours, theirs, ratio } = await inTurn(
					5,
					() => timeOf(runs.ours),
					() => timeOf(runs.theirs),
				);
				log(`  ${name}, ${latency} ms: ${ratio.toFixed(2)}`);
				measures.push({
					what: `Time for ${name} at ${latency} ms`,
					beside: 'HTTP Request',
					ours: `${(ours / 1000).toFixed(2)} s`,
					theirs: `${(theirs / 1000).toFixed(2)} s`,
					value: ratio,
					goal: { most: 0.9 },
					wrong,
				});
			}
		}
		return measures;
	},
};
