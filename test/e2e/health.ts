import type { RealN8n } from './n8n';
import { patience } from './process';

/** Milliseconds for which n8n may be silent. A quiet machine needs less than 300. */
export const longestSilence = 1_000 * patience;

/** What n8n needed while something ran. */
export interface Strain {
	/** Longest wait for an answer to a health check, in milliseconds. */
	silence: number;
	/** Processor time of n8n's main process, in milliseconds. On a busy machine, silence is longer. */
	work: number;
	/** Highest resident memory of n8n's main process above that at the beginning, in megabytes. */
	memory: number;
}

/**
 * Requests n8n's health check all the time. The function that it returns ends this, and returns the
 * longest wait for an answer, and the processor time and memory that n8n took.
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
			const before = performance.now();
			const response = await fetch(`${n8n.baseUrl}/healthz`);
			await response.arrayBuffer();
			silence = Math.max(silence, performance.now() - before);
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
			silence: Math.round(silence),
			work: Math.round((n8n.cpuSeconds() - secondsBefore) * 1000),
			memory: Math.round((memory - memoryBefore) / 1e6),
		};
	};
}
