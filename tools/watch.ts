import { watch } from 'node:fs';
import { join } from 'node:path';
import { isShuttingDown, timedLog as log } from './child';
import { projectRoot } from './install';

/** Time to wait after a change in milliseconds, because editors write a file in several steps. */
const settleMs = 300;

/**
 * Calls `run` after changes in these folders, never twice at the same time. A change during a run leads
 * to another run. Prints the message of an error.
 *
 * @param folders paths from the root of the project. `.` at the end means only the files directly in a
 * folder
 */
export function runOnChange(folders: readonly string[], run: () => Promise<void> | void): void {
	let isBusy = false;
	let hasChanged = false;
	const runAll = async () => {
		if (isBusy) return;
		isBusy = true;
		while (hasChanged) {
			hasChanged = false;
			try {
				await run();
			} catch (error) {
				if (isShuttingDown()) return;
				log(error instanceof Error ? error.message : String(error));
			}
		}
		isBusy = false;
	};
	let timer: NodeJS.Timeout | undefined;
	for (const folder of folders) {
		watch(join(projectRoot, folder), { recursive: !folder.endsWith('.') }, () => {
			hasChanged = true;
			clearTimeout(timer);
			timer = setTimeout(() => void runAll(), settleMs);
		});
	}
}
