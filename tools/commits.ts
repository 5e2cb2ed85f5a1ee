/** Checks commit subjects: imperative, at most 72 characters, without a final period. */
import { spawnSync } from 'node:child_process';
import { projectRoot } from './install';

/** Newest commit that is older than the rule and need not follow it. */
const lastExempt = '6ff10d3';

const git = (...args: string[]) => spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' });

/**
 * Returns the subjects of the commits that must follow the rule, without merges. A shallow clone contains
 * only the newest commits. Without a repository, returns none.
 */
export function readNewSubjects(): string[] {
	const isKnown = git('cat-file', '-e', lastExempt).status === 0;
	const range = isKnown ? `${lastExempt}..HEAD` : 'HEAD';
	const { status, stdout } = git('log', '--no-merges', '--format=%s', range);
	return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
}

const notVerbs =
	/^(?:an?|the|this|that|these|it|its|we|there|what|when|where|which|who|how|why|if|no|not|every|each|all|some|one|of|in|on|for|with|after|before|because|new|now)$/i;

/** Imperatives that end like a past tense, a participle or a third person. */
const imperatives = /^(?:need|feed|embed|speed|shed|seed|bring|focus|bias|alias|canvas)$/i;

/** Returns why a subject breaks the rule, or undefined if it does not. */
export function findSubjectProblem(subject: string): string | undefined {
	if (subject.length > 72) return `has ${subject.length} characters, more than 72`;
	if (subject.endsWith('.')) return 'ends with a period';
	const [first = ''] = /^[\w’'-]+/.exec(subject) ?? [];
	const isInflected = /(?:ed|ing|[^s]s)$/i.test(first) && !imperatives.test(first);
	if (first === '' || notVerbs.test(first) || isInflected) {
		return `begins with "${first}": begin with an imperative, such as Add or Fix`;
	}
	return undefined;
}
