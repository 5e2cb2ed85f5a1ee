/** Two sides in turn, the middle of what they took, and the memory of n8n meanwhile. */
import type { RealN8n } from '../e2e/n8n';

const MiB = 2 ** 20;

/** Does something, and measures by how many MiB n8n's memory (resident) grows at its highest. */
export async function withGrowth<T>(n8n: RealN8n, act: () => Promise<T>) {
	const before = n8n.rssBytes();
	let most = before;
	const watch = setInterval(() => (most = Math.max(most, n8n.rssBytes())), 50);
	const result = await act().finally(() => clearInterval(watch));
	return { result, grown: (most - before) / MiB };
}

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const [upper = NaN, lower = NaN] = [sorted[middle], sorted[middle - 1]];
	return sorted.length % 2 === 1 ? upper : (lower + upper) / 2;
}

/**
 * Carries out both sides so many times, one after the other, each first as often as the other, and
 * gives the median of each. Once before that, both are carried out without being counted: n8n and
 * the machine are slower with what they do for the first time.
 */
export async function inTurn(
	rounds: number,
	ours: () => Promise<number>,
	theirs: () => Promise<number>,
): Promise<{ ours: number; theirs: number; ratio: number }> {
	const seen: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
	await ours();
	await theirs();
	for (let round = 0; round < rounds; round++) {
		if (round % 2 === 1) seen.theirs.push(await theirs());
		seen.ours.push(await ours());
		if (round % 2 === 0) seen.theirs.push(await theirs());
	}
	const [mine, other] = [median(seen.ours), median(seen.theirs)];
	return { ours: mine, theirs: other, ratio: mine / other };
}

export const times = <T>(count: number, make: (i: number) => T): T[] =>
	Array.from({ length: count }, (_, i) => make(i));
