import { watch } from 'node:fs';
import { join } from 'node:path';
import { fail, isShuttingDown, timedLog as log } from './child';
import { lockDemoFolder, startDemoStage } from './demoFolder';
import { projectRoot } from './install';
import { readOptions } from './options';
import { build } from './pack';

const help = `Starts n8n with the linked package, and a simulator. Every change of the nodes rebuilds the package and
restarts n8n (6 seconds); then reload the editor.

  npm run dev`;

const watched = ['nodes', 'credentials'];
/** Editors write a file in several steps: rebuild after this pause. */
const settleMs = 300;

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

	let busy = false;
	let changed = false;
	const rebuild = async () => {
		if (busy) return;
		busy = true;
		while (changed) {
			changed = false;
			try {
				await build(log);
				await n8n.restart();
			} catch (error) {
				if (isShuttingDown()) return;
				log(error instanceof Error ? error.message : String(error));
			}
		}
		busy = false;
	};
	let timer: NodeJS.Timeout | undefined;
	for (const folder of watched) {
		watch(join(projectRoot, folder), { recursive: true }, () => {
			changed = true;
			clearTimeout(timer);
			timer = setTimeout(() => void rebuild(), settleMs);
		});
	}
	log(`Watching ${watched.join(' and ')}. Ctrl-C stops all.`);
}

main().catch(fail);
