/** Reads links and their targets from documents. */

/** The text without blocks of code. */
export const proseOf = (text: string) => text.replace(/^ *```[^]*?^ *```$/gm, '');

/** As the pages of code hosts name a heading. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

export function anchorsOf(text: string): string[] {
	const headings = proseOf(text).matchAll(/^#+ (.*)$/gm);
	const seen = new Map<string, number>();
	return [...headings].map(([, heading = '']) => {
		const anchor = anchorOf(heading);
		const count = seen.get(anchor) ?? 0;
		seen.set(anchor, count + 1);
		return count === 0 ? anchor : `${anchor}-${count}`;
	});
}

export const linksOf = (text: string) =>
	[...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
