/** Two sides in turn, and the middle of what they took. */

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
