/*
 * For work on the nodes: n8n with the built package linked in, a simulator, and a rebuild with a
 * restart of n8n (6 seconds) after every change. Reload the editor then.
 */
import { watch } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/e2e/n8n';
import { onShutdown, timedLog as log } from './child';
import { projectRoot } from './install';
import { build } from './pack';
import { startStage } from './stage';

const watched = ['nodes', 'credentials'];
const usualPort = 5678;
/** Editors write a file in several steps. */
const settleMs = 300;

async function main(): Promise<void> {
	await build(log);
	const { n8n, simulator, close } = await startStage({
		userFolder: join(projectRoot, '.demo', 'n8n'),
		packageDir: projectRoot,
		port: await freePort(usualPort),
		simulator: { jobSeconds: 5 },
		log,
	});
	onShutdown(close);
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

main().catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
