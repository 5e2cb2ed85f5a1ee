/** Judges what the nodes keep now against what was recorded or released, and says it in words. */
import type { Fact } from './contract-facts';

export const contractFile = 'docs/contract.txt';
export const changesFile = 'docs/contract-changes.json';

/** Changes that are meant: an entry of docs/contract-changes.json. */
export interface Accepted {
	/** Why saved workflows may break, for who reads the list. */
	reason: string;
	/** Lines that were removed or changed, as they were. */
	removed?: string[];
	/** Lines of new fields that saved workflows lack. */
	added?: string[];
}

/** A contract to compare with. */
export interface Baseline {
	name: string;
	lines: readonly string[];
}

interface Refusal {
	kind: 'removed' | 'added';
	line: string;
	/** What became of a line that is gone. */
	now?: string;
	/** Where the line stands, or where the field is missing. */
	baseline: string;
}

export interface Verdict {
	refused: Refusal[];
	/** Lines that the contract lacks and may have. */
	unrecorded: string[];
	/** What is wrong with the list of accepted changes. */
	wrong: string[];
}

const heading = `# What saved workflows rely on: types, defaults, choices and conditions of all nodes and credentials.
# Made by \`npm run contract\`. A line that disappears breaks saved workflows: it needs an entry with the
# reason in contract-changes.json.
`;

export const contractText = (facts: readonly Fact[]) =>
	`${heading}${facts.map(({ line }) => `${line}\n`).join('')}`;

export const linesOf = (text: string) =>
	text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));

/** What the line of a parameter is about; undefined for other lines. */
const parameterOf = (line: string) => /^(.+?): [\w ]+, default /.exec(line)?.[1];

function refusalsBy({ name, lines }: Baseline, facts: readonly Fact[]): Refusal[] {
	const now = new Set(facts.map(({ line }) => line));
	const parameters = new Map([...now].map((line) => [parameterOf(line), line]));
	const removed = lines
		.filter((line) => !now.has(line))
		.map((line): Refusal => {
			const parameter = parameterOf(line);
			return {
				kind: 'removed',
				line,
				now: parameter && parameters.get(parameter),
				baseline: name,
			};
		});
	const before = new Set(lines);
	const added = facts
		.filter(({ line, reachedBy }) => {
			if (before.has(line) || !reachedBy) return false;
			// A changed field is among the removed ones.
			const known = (way: string) =>
				way.endsWith(': ') ? lines.some((one) => one.startsWith(way)) : before.has(way);
			return !known(`${parameterOf(line)}: `) && reachedBy.every(known);
		})
		.map(({ line }): Refusal => ({ kind: 'added', line, baseline: name }));
	return [...removed, ...added];
}

/**
 * What keeps the nodes from being released as they are: `recorded` is the contract in the
 * repository, `released` are others that must hold as well.
 */
export function judge(
	facts: readonly Fact[],
	recorded: readonly string[],
	released: readonly Baseline[],
	accepted: readonly Accepted[],
): Verdict {
	const meant = (kind: Refusal['kind'], line: string) =>
		accepted.some((one) => one.reason?.trim() && one[kind]?.includes(line));
	const found = new Map<string, Refusal>();
	for (const baseline of [{ name: contractFile, lines: recorded }, ...released]) {
		for (const refusal of refusalsBy(baseline, facts)) {
			const known = found.has(`${refusal.kind} ${refusal.line}`);
			if (known || meant(refusal.kind, refusal.line)) continue;
			found.set(`${refusal.kind} ${refusal.line}`, refusal);
		}
	}
	const now = new Set(facts.map(({ line }) => line));
	const refused = [...found.values()];
	const refusedLines = new Set(refused.map(({ line }) => line));
	return {
		refused,
		unrecorded: [...now].filter((line) => !recorded.includes(line) && !refusedLines.has(line)),
		wrong: accepted.flatMap(({ reason, removed = [], added = [] }) => [
			...(reason?.trim() ? [] : [`gives no reason for ${[...removed, ...added].join(', ')}`]),
			...removed
				.filter((line) => now.has(line))
				.map((line) => `names as removed what is there: ${line}`),
			...added
				.filter((line) => !now.has(line))
				.map((line) => `names as added what is not there: ${line}`),
		]),
	};
}

function refusedText(refused: readonly Refusal[]): string {
	const removed = refused.filter(({ kind }) => kind === 'removed');
	const added = refused.filter(({ kind }) => kind === 'added').map(({ line }) => line);
	const entry = {
		reason: '',
		...(removed.length > 0 && { removed: removed.map(({ line }) => line) }),
		...(added.length > 0 && { added }),
	};
	return [
		'Saved workflows would break: n8n stores only names, and values that differ from their defaults.',
		...[...new Set(removed.map(({ baseline }) => baseline))].flatMap((baseline) => [
			`${baseline} has it otherwise:`,
			...removed
				.filter((one) => one.baseline === baseline)
				.flatMap(({ line, now }) => [`  - ${line}`, ...(now ? [`  + ${now}`] : [])]),
		]),
		...(added.length > 0
			? ['They have no value for what must be filled now:', ...added.map((line) => `  + ${line}`)]
			: []),
		`If it is not meant, undo it in nodes/ or credentials/. If it is meant, add this to ${changesFile}, ` +
			'with the reason, and run npm run contract:',
		JSON.stringify(entry, null, 2),
	].join('\n');
}

/** What is wrong and what to do about it; nothing where all is well. */
export function complaints({ refused, unrecorded, wrong }: Verdict): string[] {
	return [
		...wrong.map((what) => `${changesFile} ${what}`),
		...(refused.length > 0 ? [refusedText(refused)] : []),
		...(unrecorded.length > 0
			? [
					[
						`${contractFile} lacks what the nodes have: run npm run contract, and commit what it adds.`,
						...unrecorded.map((line) => `  + ${line}`),
					].join('\n'),
				]
			: []),
	];
}
