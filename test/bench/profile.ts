/** Where n8n's time goes while it runs one of our nodes for many items. */
import { freePort } from '../e2e/n8n';
import { packageName } from '../../tools/stage';
import { inspected, profile, type Profile } from '../faults/inspector';
import type { BenchFile, Measure } from './section';
import { forRows, ourCreate, ourGet } from './workflows';

const count = 1_000;

/** Parts of n8n by a piece of the path of their code. The first that fits counts. */
const owners: ReadonlyArray<[owner: string, path: RegExp]> = [
	['this package', new RegExp(`/${packageName}/`)],
	['n8n: expressions', /\/@n8n\/expression-runtime\/|isolated-vm|\/@n8n\/tournament\//],
	['n8n: database', /\/typeorm\/|\/sqlite3\/|\/@n8n\/(db|typeorm)\//],
	['n8n: HTTP client', /\/(axios|follow-redirects|form-data|agent-base|https?-proxy-agent)\//],
	['n8n: the rest', /\/(n8n|n8n-core|n8n-workflow|@n8n\/[\w-]+)\//],
	['other packages of n8n', /\/node_modules\//],
	['Node.js', /^node:/],
];

/** Functions whose share of the time, with all that they call, is worth knowing. */
const functions: ReadonlyArray<[what: string, name: string]> = [
	['reading and decrypting the credential', 'getDecrypted'],
	['adding the credential to a request', 'authenticate'],
];

function ownerOf({ functionName, url }: Profile['nodes'][number]['callFrame']): string {
	if (functionName === '(garbage collector)') return 'garbage collection';
	return owners.find(([, path]) => path.test(url))?.[0] ?? 'Node.js';
}

/** Shares of the busy time: by who owns the code that ran, and of the functions above. */
function shares({ nodes, samples, timeDeltas }: Profile) {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map(
		nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])),
	);
	const own = new Map<string, number>();
	const within = new Map<string, number>();
	const add = (to: Map<string, number>, name: string, time: number) =>
		to.set(name, (to.get(name) ?? 0) + time);
	let busy = 0;
	for (const [i, id] of samples.entries()) {
		const node = byId.get(id);
		const time = timeDeltas[i] ?? 0;
		if (!node || /^\((idle|root|program)\)$/.test(node.callFrame.functionName)) continue;
		busy += time;
		add(own, ownerOf(node.callFrame), time);
		const callers = new Set<string>();
		for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
			callers.add(byId.get(at)?.callFrame.functionName ?? '');
		}
		for (const name of callers) add(within, name, time);
	}
	return { busy, own, within };
}

export const bench: BenchFile = {
	title: 'Where the time goes',
	how: `CPU profiles of n8n while one of our nodes runs for ${count.toLocaleString('en-US')} items, after a run that is not counted, with responses that take no time. Shares are of the time in which n8n was busy. An asynchronous function counts only until it first waits.`,
	async run({ startOwn, log }) {
		const port = await freePort();
		const stage = await startOwn({ simulator: { jobSeconds: 0 }, env: inspected(port) });
		const measures: Measure[] = [];
		for (const [name, node] of Object.entries({ Get: ourGet, Create: ourCreate(count) })) {
			const run = await forRows(stage, name, count, node);
			await run();
			stage.simulator.control.reset();
			const recorded = await profile(port, async () => await run());
			const { busy, own, within } = shares(recorded);
			const share = (time = 0) => `${((100 * time) / busy).toFixed(0)}%`;
			const sorted = (all: Map<string, number>) => [...all].sort(([, a], [, b]) => b - a);
			for (const [what, time] of sorted(within).slice(0, 60)) log(`  ${share(time)} ${what}`);
			measures.push({
				what: `${name}: busy for ${(busy / 1e6).toFixed(1)} s`,
				ours: sorted(own)
					.map(([owner, time]) => `${owner} ${share(time)}`)
					.join(', '),
			});
			for (const [what, called] of functions) {
				measures.push({ what: `${name}: ${what}`, ours: share(within.get(called)) });
			}
		}
		return measures;
	},
};
