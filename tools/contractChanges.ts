/** Finds changes of the contract that break saved workflows and are not accepted. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fact, parseContract, readFacts, renderFact } from './contract';
import { projectRoot } from './install';

export const contractFile = 'docs/contract.txt';
export const changesFile = 'docs/contract-changes.json';

/** An entry of docs/contract-changes.json: changes that break saved workflows on purpose. */
export interface AcceptedChange {
	/** Why saved workflows may break, for readers of the list. */
	reason: string;
	/** Facts that were removed or changed, as they were. */
	removed?: string[];
	/** Facts about new fields for which saved workflows have no value. */
	added?: string[];
}

/** A contract to compare with. */
export interface Baseline {
	name: string;
	facts: readonly string[];
}

interface Rejection {
	kind: 'removed' | 'added';
	fact: string;
	/** The new fact, if the fact was changed. */
	now?: string;
	/** The name of the contract that it breaks. */
	baseline: string;
}

export interface Verdict {
	rejected: Rejection[];
	/** New facts that docs/contract.txt lacks. They break no saved workflows. */
	unrecorded: string[];
	/** Problems in the list of accepted changes. */
	invalid: string[];
}

/** Returns the parameter that a fact declares, or undefined for choices, modes and groups. */
const readParameter = (fact: string) => /^(.+?): [\w ]+, default /.exec(fact)?.[1];

function findRejections({ name, facts: before }: Baseline, facts: readonly Fact[]): Rejection[] {
	const known = new Set(before);
	const now = new Set(facts.map(renderFact));
	const declared = new Map([...now].map((fact) => [readParameter(fact), fact]));
	const wasThere = (fact: string) =>
		fact.endsWith(': ') ? before.some((one) => one.startsWith(fact)) : known.has(fact);
	const removed = before
		.filter((fact) => !now.has(fact))
		.map((fact): Rejection => {
			const parameter = readParameter(fact);
			return { kind: 'removed', fact, now: parameter && declared.get(parameter), baseline: name };
		});
	const added = facts.flatMap((one): Rejection[] => {
		const fact = renderFact(one);
		// A changed field is among the removed ones.
		if (!one.reachedBy || wasThere(`${readParameter(fact)}: `)) return [];
		return one.reachedBy.every(wasThere) ? [{ kind: 'added', fact, baseline: name }] : [];
	});
	return [...removed, ...added];
}

/** Compares the current facts with the recorded contract and with the released contracts. */
export function judge(
	facts: readonly Fact[],
	recorded: readonly string[],
	released: readonly Baseline[],
	accepted: readonly AcceptedChange[],
): Verdict {
	const isAccepted = ({ kind, fact }: Rejection) =>
		accepted.some((one) => one.reason?.trim() && one[kind]?.includes(fact));
	const rejected = new Map<string, Rejection>();
	for (const baseline of [{ name: contractFile, facts: recorded }, ...released]) {
		for (const rejection of findRejections(baseline, facts)) {
			const key = `${rejection.kind} ${rejection.fact}`;
			if (!rejected.has(key) && !isAccepted(rejection)) rejected.set(key, rejection);
		}
	}
	const now = new Set(facts.map(renderFact));
	const known = new Set([...recorded, ...[...rejected.values()].map(({ fact }) => fact)]);
	return {
		rejected: [...rejected.values()],
		unrecorded: [...now].filter((fact) => !known.has(fact)),
		invalid: accepted.flatMap(({ reason, removed = [], added = [] }) => [
			...(reason?.trim() ? [] : [`has no reason for ${[...removed, ...added].join(', ')}`]),
			...removed
				.filter((fact) => now.has(fact))
				.map((fact) => `lists as removed a fact that still exists: ${fact}`),
			...added
				.filter((fact) => !now.has(fact))
				.map((fact) => `lists as added a fact that does not exist: ${fact}`),
		]),
	};
}

function renderRejections(rejected: readonly Rejection[]): string {
	const removed = rejected.filter(({ kind }) => kind === 'removed');
	const added = rejected.filter(({ kind }) => kind === 'added').map(({ fact }) => fact);
	const entry = {
		reason: '',
		...(removed.length > 0 && { removed: removed.map(({ fact }) => fact) }),
		...(added.length > 0 && { added }),
	};
	return [
		'Saved workflows would break: n8n stores only names, and values that differ from their defaults.',
		...removed.flatMap(({ baseline, fact, now }, i) => [
			...(removed[i - 1]?.baseline === baseline ? [] : [`${baseline} says otherwise:`]),
			`  - ${fact}`,
			...(now ? [`  + ${now}`] : []),
		]),
		...(added.length > 0
			? ['They have no value for new required fields:', ...added.map((fact) => `  + ${fact}`)]
			: []),
		`If this is a mistake, undo it in nodes/ or credentials/. If it is intended, add this to ${changesFile}, ` +
			'with the reason, and run npm run generate:',
		JSON.stringify(entry, null, 2),
	].join('\n');
}

/** Returns messages that say what is wrong and how to fix it. Empty if nothing is wrong. */
export const renderComplaints = ({ rejected, unrecorded, invalid }: Verdict): string[] => [
	...invalid.map((text) => `${changesFile} ${text}`),
	...(rejected.length > 0 ? [renderRejections(rejected)] : []),
	...(unrecorded.length > 0
		? [
				[
					`Run npm run generate: ${contractFile} lacks facts of the nodes. Commit what it adds.`,
					...unrecorded.map((fact) => `  + ${fact}`),
				].join('\n'),
			]
		: []),
];

/** Returns what git prints. Returns undefined if git fails or is missing, or if this is not a clone. */
function git(...args: string[]): string | undefined {
	const { status, stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
	return status === 0 ? stdout : undefined;
}

/** Returns the contract of a commit or tag, if it has one. */
function readContractAt(commit: string): Baseline[] {
	const text = git('show', `${commit}:${contractFile}`);
	return text === undefined
		? []
		: [{ name: `${contractFile} of ${commit}`, facts: parseContract(text) }];
}

const readIfExists = (file: string) => {
	const path = join(projectRoot, file);
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

/**
 * Compares the sources with docs/contract.txt and with the newest release. With `committed`, also
 * compares them with the last commit, so that deleting a fact from the file does not hide a change.
 */
export function judgeProject({ committed = false } = {}): { facts: Fact[]; verdict: Verdict } {
	const facts = readFacts();
	const tag = git('tag', '--list', 'v[0-9]*', '--sort=-version:refname')?.split('\n')[0];
	const baselines = [
		...(tag ? readContractAt(tag) : []),
		...(committed ? readContractAt('HEAD') : []),
	];
	const recorded = parseContract(readIfExists(contractFile) ?? '');
	const accepted = JSON.parse(readIfExists(changesFile) ?? '[]') as AcceptedChange[];
	return { facts, verdict: judge(facts, recorded, baselines, accepted) };
}
