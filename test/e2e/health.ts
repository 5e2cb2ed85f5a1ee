import type { RealN8n } from './n8n';

/** Milliseconds of processor time that n8n may take before it answers a health check. */
export const longestSilence = 1_000;

/** What n8n needed while something ran. */
export interface Strain {
	/**
	 * Most processor time that n8n's main process took before it answered a health check, in
	 * milliseconds. Unlike the wait for the answer, it is no longer on a busy machine.
	 */
	silence: number;
	/** Processor time of n8n's main process in all, in milliseconds. */
	work: number;
	/** Highest resident memory of n8n's main process above that at the beginning, in megabytes. */
	memory: number;
}

/**
 * Requests n8n's health check all the time. The function that it returns ends this, and returns the
 * processor time and memory that n8n took.
 */
export function watchHealth(
	n8n: Pick<RealN8n, 'baseUrl' | 'cpuSeconds' | 'rssBytes'>,
): () => Promise<Strain> {
	const memoryBefore = n8n.rssBytes();
	const secondsBefore = n8n.cpuSeconds();
	let isOver = false;
	let silence = 0;
	let memory = memoryBefore;
	const watch = async () => {
		while (!isOver) {
			const before = n8n.cpuSeconds();
			const response = await fetch(`${n8n.baseUrl}/healthz`);
			await response.arrayBuffer();
			silence = Math.max(silence, n8n.cpuSeconds() - before);
			memory = Math.max(memory, n8n.rssBytes());
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	};
	const watching = watch();
	// Thrown where the result is read.
	watching.catch(() => undefined);
	return async () => {
		isOver = true;
		await watching;
		return {
			silence: Math.round(silence * 1000),
			work: Math.round((n8n.cpuSeconds() - secondsBefore) * 1000),
			memory: Math.round((memory - memoryBefore) / 1e6),
		};
	};
}
