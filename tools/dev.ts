import { fail, runCommand, timedLog as log } from './child';
import { lockDemoFolder, startDemoStage } from './demoFolder';
import { projectRoot } from './install';
import { readOptions } from './options';
import { runOnChange } from './watch';

const help = `Starts n8n with the linked package, and a simulator. Every change of the nodes rebuilds the package and
restarts n8n (6 seconds); then reload the editor. A debugger can attach to n8n and stop in the sources of the nodes.

  npm run dev`;

const watched = ['nodes', 'credentials'];

const debuggerAddress = '127.0.0.1:9229';

async function buildWithSourceMaps(): Promise<void> {
	log('Building the package …');
	await runCommand('gulp', ['development'], { cwd: projectRoot, label: 'Building', log });
}

async function main(): Promise<void> {
	readOptions(help);
	lockDemoFolder();

	await buildWithSourceMaps();
	const { n8n, simulator } = await startDemoStage({
		packageDir: projectRoot,
		simulator: { jobSeconds: 5 },
		env: { NODE_OPTIONS: `--inspect=${debuggerAddress}` },
		log,
	});
	console.log(`
  n8n         ${n8n.editorUrl}
  sign in     ${n8n.email}  /  ${n8n.password}
  simulator   ${simulator.baseUrl}
  debugger    ${debuggerAddress}
`);

	runOnChange(watched, async () => {
		await buildWithSourceMaps();
		await n8n.restart();
	});
	log(`Watching ${watched.join(' and ')}. Ctrl-C stops all.`);
}

main().catch(fail);
