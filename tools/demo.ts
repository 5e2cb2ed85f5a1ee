import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
	errorOf,
	type Execution,
	itemsOf,
	type RealN8n,
	type Reference,
	type WorkflowDraft,
} from '../test/e2e/n8n';
import { fail, isShuttingDown, timedLog as log } from './child';
import {
	demoFolder,
	emptyDemoFolder,
	howToStartOver,
	lockDemoFolder,
	startDemoStage,
} from './demoFolder';
import { projectRoot } from './install';
import { readOptions } from './options';
import { buildTarball } from './pack';
import { publicOrigin, withCredential } from './stage';

const help = `A real n8n with the package, a simulated service, and the examples, on this machine.

  npm run demo              runs one example, then keeps n8n running for you
  npm run demo -- --once    ends after that run
  npm run demo -- --reset   starts over with an empty n8n`;

const shownExample = '01-prompt-to-video.json';
/** Long enough to see the wait in the editor. */
const jobSeconds = 15;

const examplesFolder = join(projectRoot, 'examples');

interface Example extends Reference {
	/** Imported by this run, so the user has not changed it. */
	isNew: boolean;
}

async function main(): Promise<void> {
	const { flags } = readOptions(help, { flags: ['--once', '--reset'] });
	lockDemoFolder();
	if (flags.has('--reset')) emptyDemoFolder();

	const tarball = await buildTarball(join(demoFolder, 'package'), log);
	const { n8n, simulator, credential, close } = await startDemoStage({
		tarball,
		simulator: { jobSeconds, renderVideos: true },
		log,
	});
	try {
		const shown = await importExamples(n8n, credential);
		log(`Running “${shown.name}” (about ${jobSeconds} s) …`);
		try {
			await showVideo(n8n, await n8n.run(shown.id, { timeoutMs: 10 * 60_000 }), shown.name);
		} catch (error) {
			if (shown.isNew || isShuttingDown()) throw error;
			const message = error instanceof Error ? error.message : String(error);
			const advice =
				`${message}\nThis example may have your changes. Archive it in n8n, and the next ` +
				`start imports it again; ${howToStartOver}`;
			// The user can fix it while n8n runs.
			if (flags.has('--once')) throw new Error(advice);
			log(advice);
		}
	} catch (error) {
		await close();
		throw error;
	}
	if (flags.has('--once')) {
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

/** Imports the examples whose names n8n does not have; returns the one to run. */
async function importExamples(n8n: RealN8n, credential: Reference): Promise<Example> {
	const files = existsSync(examplesFolder)
		? readdirSync(examplesFolder).filter((name) => name.endsWith('.json'))
		: [];
	const saved = await n8n.api<Array<Reference & { isArchived: boolean }>>('GET', '/workflows');
	// Archiving is how users remove a workflow, and n8n runs none of the archived.
	const present = saved.filter(({ isArchived }) => !isArchived);
	const examples = new Map<string, Example>();
	// n8n lists the latest at the top: import the first example last.
	for (const file of files.sort().reverse()) {
		const { name, nodes, connections, settings, pinData } = JSON.parse(
			readFileSync(join(examplesFolder, file), 'utf8'),
		) as WorkflowDraft;
		const draft = withCredential(
			{ name: name || basename(file, '.json'), nodes, connections, settings, pinData },
			credential,
		);
		// An existing one keeps the user's changes.
		const known = present.find((workflow) => workflow.name === draft.name);
		const { id } = known ?? (await n8n.createWorkflow(draft));
		examples.set(file, { id, name: draft.name, isNew: !known });
	}
	const kept = [...examples.values()].filter(({ isNew }) => !isNew).length;
	const left = kept > 0 ? `, ${kept} of them unchanged since your last visit` : '';
	log(`${examples.size} example workflows are in n8n${left}`);
	const shown = examples.get(shownExample) ?? [...examples.values()][0];
	if (!shown) throw new Error(`No example workflow in ${examplesFolder}`);
	return shown;
}

/** Writes the video in the output of the execution to a file. */
async function showVideo(n8n: RealN8n, execution: Execution, name: string): Promise<void> {
	const url = `${n8n.editorUrl}/workflow/${execution.workflowId}/executions/${execution.id}`;
	if (execution.status !== 'success') {
		throw new Error(`“${name}” failed: ${errorOf(execution)?.message}\n${url}`);
	}
	const video = Object.keys(execution.data.resultData.runData)
		.flatMap((node) => itemsOf(execution, node))
		.flatMap((item) => Object.values(item.binary ?? {}))
		.find(({ mimeType }) => mimeType.startsWith('video/'));
	if (!video) throw new Error(`“${name}” ended without a video file\n${url}`);

	const folder = join(demoFolder, 'out');
	const file = join(folder, `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.mp4`);
	const bytes = await n8n.binary(video);
	mkdirSync(folder, { recursive: true });
	writeFileSync(file, bytes);
	log(`The video is ready: ${file} (${bytes.length.toLocaleString('en')} bytes)`);
	log(`The execution: ${url}`);
}

main().then(() => process.exit(), fail);
