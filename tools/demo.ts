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
import { startDemoModel } from './demoModel';
import { startMailbox } from './mailbox';
import { saveCredential, type Simulator, withCredential } from './stage';

const help = `A real n8n with the package and the examples, and a simulated service, on this machine. Nothing is sent
anywhere, nothing costs anything, and the videos only show the words of their prompts.

  npm run demo              runs one example, then keeps n8n running for you
  npm run demo -- --once    ends after that run
  npm run demo -- --reset   starts over with an empty n8n`;

const shownExample = '01-prompt-to-video.json';
const agentExample = 'Agent with tools';
/** Duration of a simulated job. Long enough to see in the editor that the node waits. */
const jobSeconds = 15;

const examplesFolder = join(projectRoot, 'examples');

type DemoCredentials = Record<'smtp' | 'openAiApi', Reference>;

interface Example extends Reference {
	/** Whether this run has imported the workflow. If so, the user has not changed it. */
	isNew: boolean;
}

async function main(): Promise<void> {
	const { flags } = readOptions(help, { flags: ['--once', '--reset'] });
	lockDemoFolder();
	if (flags.has('--reset')) emptyDemoFolder();

	const tarball = await buildTarball(join(demoFolder, 'package'), log);
	const { n8n, simulator, credential, close } = await startDemoStage({
		tarball,
		simulator: { jobSeconds },
		log,
	});
	const mailbox = await startMailbox({
		onMail: ({ to, subject }) => log(`Mail to ${to.join(', ')}: “${subject}”, in ${mailbox.url}`),
	});
	const model = await startDemoModel();
	addDrafts(simulator);
	let shown: Example;
	try {
		const mailAccount = { name: 'Mailbox of the demo', type: 'smtp' };
		const chatModel = { name: 'Scripted model of the demo', type: 'openAiApi' };
		shown = await importExamples(n8n, credential, {
			smtp: await saveCredential(n8n, mailbox.credential, mailAccount),
			openAiApi: await saveCredential(
				n8n,
				{ apiKey: 'none', url: model.baseUrl, header: false },
				chatModel,
			),
		});
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
  n8n          ${n8n.editorUrl}/home/workflows
  sign in      ${n8n.email}  /  ${n8n.password}
  start here   ${n8n.editorUrl}/workflow/${shown.id}
  mailbox      ${mailbox.url}  (mails that workflows send)
  simulator    ${simulator.baseUrl}

In the workflow, click “Execute workflow”, double-click the node that creates the video, and click “Play the
video” above its output. The service is simulated: each video shows the words of its prompt for a few seconds.
All runs are free, and the credential is chosen in every node. Forms open without a public URL.
To see a job fail, write FAIL in a prompt of VideoGen Agent.

The chat model of “${agentExample}” is a script; for a real one, choose your own credential in its node Chat Model.

Ctrl-C stops everything. ${demoFolder} keeps n8n's data for next time.
`);
	await new Promise(() => setInterval(() => undefined, 2 ** 30));
}

/** Adds two drafts from last week, for the example that deletes old drafts. */
function addDrafts({ control }: Simulator): void {
	const daysSinceMonday = (new Date().getDay() + 6) % 7;
	const created = control.clock.now() - (daysSinceMonday + 3) * 24 * 3600;
	for (const [id, title] of [
		['video_004', 'Draft: How to log in'],
		['video_005', 'Draft: Autumn sale'],
	] as const) {
		control.change('videos', id, { title, created, completed: created + 90 });
	}
}

/** Selects the credentials of the demo in the nodes that need them. */
function withDemoCredentials(draft: WorkflowDraft, credentials: DemoCredentials): WorkflowDraft {
	const neededTypes: Record<string, keyof DemoCredentials> = {
		'n8n-nodes-base.emailSend': 'smtp',
		'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	};
	return {
		...draft,
		nodes: draft.nodes.map((node) => {
			const type = neededTypes[node.type];
			return type ? { ...node, credentials: { [type]: credentials[type] } } : node;
		}),
	};
}

/** Imports the examples whose names n8n does not have yet. Returns the example to run. */
async function importExamples(
	n8n: RealN8n,
	credential: Reference,
	credentials: DemoCredentials,
): Promise<Example> {
	const files = existsSync(examplesFolder)
		? readdirSync(examplesFolder).filter((name) => name.endsWith('.json'))
		: [];
	const saved = await n8n.api<Array<Reference & { isArchived: boolean }>>('GET', '/workflows');
	// Users remove a workflow by archiving it, and n8n does not run archived workflows.
	const present = saved.filter(({ isArchived }) => !isArchived);
	const examples = new Map<string, Example>();
	// n8n lists the latest at the top: import the first example last.
	for (const file of files.sort().reverse()) {
		const { name, nodes, connections, settings, pinData } = JSON.parse(
			readFileSync(join(examplesFolder, file), 'utf8'),
		) as WorkflowDraft;
		const workflow = {
			name: name || basename(file, '.json'),
			nodes,
			connections,
			settings,
			pinData,
		};
		const draft = withDemoCredentials(withCredential(workflow, credential), credentials);
		// An existing workflow keeps the user's changes.
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
	log(`The simulated video is ready: ${file} (${bytes.length.toLocaleString('en')} bytes)`);
	log(`The execution: ${url}`);
}

main().then(() => process.exit(), fail);
