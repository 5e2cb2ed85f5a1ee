/*
 * A real n8n with the package, a simulated service, and the examples, on this machine.
 *
 *   npm run demo              runs one example, then stays for you to look around
 *   npm run demo -- --once    ends after that run
 *   npm run demo -- --reset   starts over with an empty n8n
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
	errorOf,
	type Execution,
	freePort,
	itemsOf,
	type RealN8n,
	type Reference,
	type WorkflowDraft,
} from '../test/e2e/n8n';
import { onShutdown, timedLog as log } from './child';
import { projectRoot } from './install';
import { build, pack } from './pack';
import { publicOrigin, startStage, withCredential } from './stage';

const shownExample = '01-prompt-to-video.json';
/** Long enough to watch a video being made. */
const jobSeconds = 15;
const usualPort = 5678;

const examplesFolder = join(projectRoot, 'examples');
const demoFolder = join(projectRoot, '.demo');

async function main(): Promise<void> {
	const flags = process.argv.slice(2);
	const unknown = flags.filter((flag) => !['--once', '--reset'].includes(flag));
	if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(' ')}`);
	if (flags.includes('--reset')) rmSync(demoFolder, { recursive: true, force: true });

	await build(log);
	const tarball = await pack(join(demoFolder, 'package'), log);
	const { n8n, simulator, credential, close } = await startStage({
		userFolder: join(demoFolder, 'n8n'),
		tarball,
		port: await freePort(usualPort),
		simulator: { jobSeconds },
		log,
	});
	onShutdown(close);
	try {
		const shown = await importExamples(n8n, credential);
		log(`Running “${shown.name}” (about ${jobSeconds} s) …`);
		await showVideo(n8n, await n8n.run(shown.id, { timeoutMs: 10 * 60_000 }), shown.name);
	} catch (error) {
		await close();
		throw error;
	}
	if (flags.includes('--once')) {
		await close();
		return;
	}

	console.log(`
  n8n         ${n8n.editorUrl}
  sign in     ${n8n.email}  /  ${n8n.password}
  simulator   ${simulator.baseUrl}

n8n's public address is ${publicOrigin}, which only the simulator can reach.
To open a published form or webhook yourself, put ${n8n.editorUrl} in its place.

Ctrl-C stops both. ${demoFolder} keeps n8n's data for next time.
`);
	await new Promise(() => setInterval(() => undefined, 2 ** 30));
}

/** Saves every example by its name; returns the one to show. */
async function importExamples(n8n: RealN8n, credential: Reference): Promise<Reference> {
	const files = existsSync(examplesFolder)
		? readdirSync(examplesFolder).filter((name) => name.endsWith('.json'))
		: [];
	const saved = await n8n.api<Reference[]>('GET', '/workflows');
	const imported = new Map<string, Reference>();
	for (const file of files.sort()) {
		const { name, nodes, connections, settings, pinData } = JSON.parse(
			readFileSync(join(examplesFolder, file), 'utf8'),
		) as WorkflowDraft;
		const draft = withCredential(
			{ name: name || basename(file, '.json'), nodes, connections, settings, pinData },
			credential,
		);
		const known = saved.find((workflow) => workflow.name === draft.name);
		const { id } = known
			? await n8n.updateWorkflow(known.id, draft)
			: await n8n.createWorkflow(draft);
		imported.set(file, { id, name: draft.name });
	}
	log(`${imported.size} example workflows are in n8n`);
	const shown = imported.get(shownExample) ?? [...imported.values()][0];
	if (!shown) throw new Error(`No example workflow in ${examplesFolder}`);
	return shown;
}

/** Writes the video that the execution put out to a file. */
async function showVideo(n8n: RealN8n, execution: Execution, name: string): Promise<void> {
	const address = `${n8n.editorUrl}/workflow/${execution.workflowId}/executions/${execution.id}`;
	if (execution.status !== 'success') {
		throw new Error(`“${name}” failed: ${errorOf(execution)?.message}\n${address}`);
	}
	const video = Object.keys(execution.data.resultData.runData)
		.flatMap((node) => itemsOf(execution, node))
		.flatMap((item) => Object.values(item.binary ?? {}))
		.find(({ mimeType }) => mimeType.startsWith('video/'));
	if (!video) throw new Error(`“${name}” ended without a video file\n${address}`);

	const folder = join(demoFolder, 'out');
	const file = join(folder, `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.mp4`);
	const bytes = await n8n.binary(video);
	mkdirSync(folder, { recursive: true });
	writeFileSync(file, bytes);
	log(`The video is ready: ${file} (${bytes.length.toLocaleString('en')} bytes)`);
	log(`The execution: ${address}`);
}

main().then(
	() => process.exit(),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);
