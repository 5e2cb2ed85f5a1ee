import { fail, timedLog as log } from './child';
import { lockDemoFolder, startDemoStage } from './demoFolder';
import { projectRoot } from './install';
import { readOptions } from './options';
import { build } from './pack';
import { runOnChange } from './watch';

const help = `Starts n8n with the linked package, and a simulator. Every change of the nodes rebuilds the package and
restarts n8n (6 seconds); then reload the editor.

  npm run dev`;

const watched = ['nodes', 'credentials'];

async function main(): Promise<void> {
	readOptions(help);
	lockDemoFolder();

	await build(log);
	const { n8n, simulator } = await startDemoStage({
		packageDir: projectRoot,
		simulator: { jobSeconds: 5 },
		log,
	});
	console.log(`
  n8n         ${n8n.editorUrl}
  sign in     ${n8n.email}  /  ${n8n.password}
  simulator   ${simulator.baseUrl}
`);

	runOnChange(watched, async () => {
		await build(log);
		await n8n.restart();
	});
	log(`Watching ${watched.join(' and ')}. Ctrl-C stops all.`);
}

main().catch(fail);
