/** Reads what the nodes keep, what was recorded, and what was released. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type Accepted,
	type Baseline,
	changesFile,
	contractFile,
	linesOf,
} from './contract-changes';
import { credentialFacts, type Fact, nodeFacts } from './contract-facts';
import { projectRoot } from './install';
import { loadCredentials, loadNode, listNodeFolders } from './nodes';

/** What all nodes and credentials keep, from their sources. */
export const readFacts = (): Fact[] => [
	...loadCredentials().flatMap(credentialFacts),
	...listNodeFolders().flatMap((folder) => nodeFacts(loadNode(folder).description)),
];

function readIfThere(file: string): string | undefined {
	const path = join(projectRoot, file);
	return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

export const readRecorded = () => linesOf(readIfThere(contractFile) ?? '');

export const readAccepted = () => JSON.parse(readIfThere(changesFile) ?? '[]') as Accepted[];

/** What git prints; undefined where it fails, is missing, or this is no clone. */
function git(...args: string[]): string | undefined {
	const { status, stdout } = spawnSync('git', args, {
		cwd: projectRoot,
		encoding: 'utf8',
		maxBuffer: 2 ** 26,
	});
	return status === 0 ? stdout : undefined;
}

/** The contract of a commit or tag. */
export function contractAt(commit: string): Baseline | undefined {
	const text = git('show', `${commit}:${contractFile}`);
	return text === undefined
		? undefined
		: { name: `${contractFile} of ${commit}`, lines: linesOf(text) };
}

/** The newest tag `v1.2.3`. */
export const newestRelease = () =>
	git('tag', '--list', 'v[0-9]*', '--sort=-version:refname')?.split('\n')[0] || undefined;

/** What was released last, and a sentence about it where there is nothing to compare with. */
export function readReleased(): { released: Baseline[]; note?: string } {
	const tag = newestRelease();
	if (!tag) {
		return {
			released: [],
			note: `No tag v* is here, so there is no release to compare with: ${contractFile} alone counts.`,
		};
	}
	const contract = contractAt(tag);
	if (contract) return { released: [contract] };
	return { released: [], note: `${tag} has no ${contractFile}, so the one of today alone counts.` };
}
