/** What the package costs before anybody uses it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';
import { newestVersion } from '../../tools/n8nVersions';
import { packageName } from '../../tools/stage';
import { startN8n, type RealN8n } from '../e2e/n8n';
import { inTurn, median, times } from './rounds';
import type { BenchFile, Measure } from './section';

const kB = (bytes: number) => `${Math.round(bytes / 1000)} kB`;

/** Writes down each of our files that n8n loads. */
const watcher = (list: string) => `
const { appendFileSync } = require('node:fs');
const Module = require('node:module');
const load = Module._extensions['.js'];
Module._extensions['.js'] = function (module, file) {
	if (file.includes('${packageName}')) appendFileSync(${JSON.stringify(list)}, file + '\\n');
	return load.apply(this, arguments);
};
`;

/** Seconds from the start of n8n to its first response. */
async function bootTime(n8n: RealN8n): Promise<number> {
	await n8n.stop();
	const started = performance.now();
	await n8n.restart();
	return (performance.now() - started) / 1000;
}

/** Milliseconds in which Node loads a file of ours, once what n8n has anyway is there. */
function loadTime(file: string): number {
	const code = `
		require('n8n-workflow'); require('zod');
		const started = performance.now();
		require(process.argv[1]);
		console.log(performance.now() - started);`;
	const { stdout, stderr } = spawnSync(process.execPath, ['-e', code, file], {
		encoding: 'utf8',
		env: { ...process.env, NODE_PATH: join(newestVersion.folder, 'node_modules') },
	});
	const milliseconds = Number(stdout.trim().split('\n').at(-1));
	if (!(milliseconds > 0)) throw new Error(`${file} cannot be loaded: ${stderr}`);
	return milliseconds;
}

function nodeFiles(): string[] {
	const text = readFileSync(join(projectRoot, 'package.json'), 'utf8');
	const { n8n } = JSON.parse(text) as { n8n: { nodes: string[] } };
	return n8n.nodes.map((file) => join(projectRoot, file));
}

export const bench: BenchFile = {
	title: 'Start and size',
	how: 'n8n is started alternately with and without the package, and timed until it responds. A node’s load time is the time that Node.js needs to load the node’s file and everything that the file requires. The load time is the median of five measurements in separate processes that have already loaded n8n-workflow and zod. n8n loads a node when the node is first used. The node descriptions are the ones that the editor loads. For each node that AI agents can use, such as the Notion node, n8n adds a tool variant.',
	async run({ newFolder, tarball, log }) {
		const measures: Measure[] = [];
		const ours = await startN8n({ userFolder: newFolder('with'), tarball, log });
		const theirs = await startN8n({ userFolder: newFolder('without'), log });
		const boot = await inTurn(
			10,
			async () => await bootTime(ours).finally(ours.stop),
			async () => await bootTime(theirs).finally(theirs.stop),
		);
		measures.push({
			what: 'n8n startup time',
			beside: 'without the package',
			ours: `${boot.ours.toFixed(1)} s`,
			theirs: `${boot.theirs.toFixed(1)} s`,
			value: boot.ratio,
			goal: { most: 1.02 },
		});
		const list = join(newFolder('watch'), 'loaded.txt');
		const hook = join(newFolder('hook'), 'hook.cjs');
		writeFileSync(hook, watcher(list));
		// The hook slows n8n down, so its instance is not one of those that are timed.
		const watched = await startN8n({
			userFolder: newFolder('watched'),
			tarball,
			env: { NODE_OPTIONS: `--require=${hook}` },
			log,
		});
		try {
			const loaded = new Set(existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []);
			const [credentials, others] = [true, false].map((wanted) =>
				[...loaded].filter((file) => file.includes('/dist/credentials/') === wanted),
			);
			measures.push({
				what: 'Files of this package, other than credentials, that n8n loads when it starts (it loads credentials from every package)',
				ours: `${others?.length} (${credentials?.length} of credentials)`,
				value: others?.length,
				goal: { most: 0 },
			});
			const types = await watched.nodeTypes();
			const size = (list: unknown[]) => Buffer.byteLength(JSON.stringify(list));
			const isOurs = ({ name }: { name: string }) => name.startsWith(packageName);
			const isTool = ({ name }: { name: string }) => name.endsWith('Tool');
			const mine = types.filter(isOurs);
			const notion = types.filter(({ name }) => /^n8n-nodes-base\.notion(Tool)?$/.test(name));
			const compareSizes = (what: string, [some, others]: [unknown[], unknown[]]): Measure => ({
				what,
				beside: "n8n's Notion node, all versions",
				ours: kB(size(some)),
				theirs: kB(size(others)),
				value: size(some) / size(others),
				goal: { most: 1 },
			});
			const nodesOf = (list: typeof types) => list.filter((one) => !isTool(one));
			measures.push(
				compareSizes(
					`Descriptions of ${nodesOf(mine).length} nodes, of ${kB(size(types))} that the editor loads`,
					[nodesOf(mine), nodesOf(notion)],
				),
				compareSizes('The same descriptions, including the tool variants for AI agents', [
					mine,
					notion,
				]),
			);
		} finally {
			await watched.stop();
		}
		const files = nodeFiles();
		const load = files.map((file) => median(times(5, () => loadTime(file))));
		const slowest = files[load.indexOf(Math.max(...load))]?.split('/').at(-1);
		measures.push(
			{
				what: `Load time of a node: median of ${files.length}, and maximum (${slowest})`,
				ours: `${median(load).toFixed(0)} ms, ${Math.max(...load).toFixed(0)} ms`,
			},
			{ what: 'Download size of the package', ours: kB(statSync(tarball).size) },
			{
				what: `Size of dist, ${readdirSync(join(projectRoot, 'dist'), { recursive: true }).length} files`,
				ours: kB(
					(readdirSync(join(projectRoot, 'dist'), { recursive: true }) as string[])
						.map((name) => statSync(join(projectRoot, 'dist', name)))
						.reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0),
				),
			},
		);
		return measures;
	},
};
