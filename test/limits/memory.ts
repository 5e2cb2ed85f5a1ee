/** The memory that n8n keeps after many short executions, with our node and with its own. */
import { inParallel } from '../faults/deliveries';
import { save } from '../faults/creates';
import { ourGet, rows, theirGet } from '../bench/workflows';
import { times } from '../bench/rounds';
import { chain, itemsNode, start } from '../e2e/workflows';
import type { LimitContext, LimitFile } from './section';

const count = 300;

/** Executions at the same time, and rows of each. */
const atOnce = 10;
const rowsEach = 5;

const engines = { vm: 'the default', legacy: 'without the isolates of its default engine' };

const MB = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

/** Resident memory of a new n8n, and after so many executions. */
async function measure({ startOwn }: LimitContext, engine: string, isOurs: boolean) {
	const stage = await startOwn({ env: { N8N_EXPRESSION_ENGINE: engine } });
	const { n8n } = stage;
	const node = isOurs ? ourGet : theirGet(stage);
	const id = await save(stage, chain('Gets', [start, ...itemsNode(rows(rowsEach)), node]));
	const before = n8n.rssBytes();
	const execute = async () => {
		const { status } = await n8n.run(id, { timeoutMs: 120_000 });
		if (status !== 'success') throw new Error(`An execution ended as ${status}`);
	};
	await inParallel(
		times(count, () => execute),
		atOnce,
	);
	const after = n8n.rssBytes();
	await stage.close();
	return { count, after, text: `${MB(before)} → ${MB(after)}` };
}

export const limits: LimitFile = {
	title: 'Memory',
	how: `The table shows the resident memory of n8n’s process immediately after startup, and after short executions of ${rowsEach} rows each, with ${atOnce} executions at a time. Each side runs on a freshly started n8n instance.`,
	async run(context) {
		for (const [engine, meaning] of Object.entries(engines)) {
			const ours = await measure(context, engine, true);
			const theirs = await measure(context, engine, false);
			context.report({
				what: `${ours.count} executions with Get, N8N_EXPRESSION_ENGINE=${engine} (${meaning})`,
				figure: ours.text,
				theirs: `Get by HTTP Request: ${theirs.text}`,
				beyond:
					'n8n uses more than half of this memory from the start, and memory grows in the same way with n8n’s own node. Objects occupy about 200 MB of this memory (see Time).',
				wrong: ours.after > theirs.after * 1.15 ? ['more memory than HTTP Request'] : [],
			});
		}
	},
};
