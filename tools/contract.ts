/* Keeps docs/contract.txt: what saved workflows rely on. Reads the sources, no build is needed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './child';
import { complaints, contractFile, contractText, judge } from './contract-changes';
import {
	contractAt,
	newestRelease,
	readAccepted,
	readFacts,
	readRecorded,
	readReleased,
} from './contract-read';
import { projectRoot } from './install';
import { readOptions } from './options';

const help = `Keeps docs/contract.txt: what saved workflows rely on.

  npm run contract              adds what the nodes have now. Refuses what would break saved
                                workflows, unless docs/contract-changes.json accepts it
  npm run contract -- --check   writes nothing; fails where the nodes and the file disagree
  npm run contract -- --anew    before the first release: forgets what was, and writes it anew`;

function main(): void {
	const { flags } = readOptions(help, { flags: ['--check', '--anew'] });
	const check = flags.has('--check');
	const anew = flags.has('--anew');
	const tag = newestRelease();
	if (anew && tag) {
		throw new Error(`${tag} is released, and workflows rely on it: --anew is for before that.`);
	}

	const facts = readFacts();
	const recorded = readRecorded();
	const accepted = readAccepted();
	const { released, note } = readReleased();
	if (note) console.log(note);
	// What was committed counts too: lines that somebody deleted from the file are not forgotten.
	const committed = check ? undefined : contractAt('HEAD');
	const verdict = anew
		? judge(facts, [], [], accepted)
		: judge(facts, recorded, committed ? [...released, committed] : released, accepted);

	const wrong = complaints(check ? verdict : { ...verdict, unrecorded: [] });
	if (wrong.length > 0) throw new Error(wrong.join('\n\n'));
	if (check) {
		console.log(`${contractFile} is what the nodes keep: ${facts.length} lines.`);
		return;
	}
	const now = new Set(facts.map(({ line }) => line));
	const left = recorded.filter((line) => !now.has(line)).length;
	const more = [...now].filter((line) => !recorded.includes(line)).length;
	writeFileSync(join(projectRoot, contractFile), contractText(facts));
	console.log(`Wrote ${contractFile}: ${more} lines more, ${left} fewer, ${facts.length} in all.`);
}

try {
	main();
} catch (error) {
	fail(error);
}
