import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, createTemporaryFolder, timedLog as log } from '../../tools/child';
import { projectRoot } from '../../tools/install';
import { ensureN8n } from '../../tools/installN8n';
import { describeMachine } from '../../tools/machine';
import { readOptions } from '../../tools/options';
import { buildTarball } from '../../tools/pack';
import { renderTableWithNotes, writePage } from '../../tools/pages';
import { startStage, type Stage } from '../../tools/stage';
import type { Limit, LimitFile } from './section';

const help = `Measures how much a real n8n with the packed package bears, against the simulator. Everything
stays on this machine, which should have nothing else to do.

  npm run limits                 all of it, in at most 3 hours
  npm run limits -- files        the sections with one of the words in their name
  npm run limits -- --help       this text

It writes the tables to docs/evidence/limits.md. The command fails if a promise does not hold.`;

interface Section extends LimitFile {
	/** The file's name without its ending. */
	file: string;
	limits: Limit[];
	seconds: number;
}

async function loadSections(): Promise<Section[]> {
	const sections: Section[] = [];
	for (const name of readdirSync(__dirname).sort()) {
		// This file runs when it is loaded.
		if (!name.endsWith('.ts') || name === basename(__filename)) continue;
		const { limits } = (await import(join(__dirname, name))) as { limits?: LimitFile };
		if (limits) sections.push({ ...limits, file: basename(name, '.ts'), limits: [], seconds: 0 });
	}
	return sections;
}

/** The sections that the words name; all of them without words. */
function findSections(sections: Section[], words: readonly string[]): Section[] {
	const isNamed = ({ file, title }: Section) => {
		const text = `${file} ${title}`.toLowerCase();
		return words.length === 0 || words.some((word) => text.includes(word.toLowerCase()));
	};
	const found = sections.filter(isNamed);
	if (found.length > 0) return found;
	const names = sections.map(({ file, title }) => `  ${file.padEnd(12)}${title}`);
	throw new Error(`No section has ${words.join(', ')} in its name:\n${names.join('\n')}`);
}

/** Measures a section. An error becomes a row of its table. */
async function runSection(
	section: Section,
	{ tarball, work }: { tarball: string; work: string },
): Promise<void> {
	const stages: Stage[] = [];
	let folders = 0;
	const newFolder = (name: string) => {
		const folder = join(work, `${section.file}-${folders++}-${name}`);
		mkdirSync(folder, { recursive: true });
		return folder;
	};
	const report = (limit: Limit) => {
		section.limits.push(limit);
		const theirs = limit.theirs === undefined ? '' : ` (n8n: ${limit.theirs})`;
		const wrong = limit.wrong?.length ? `  FAILS: ${limit.wrong.join('; ')}` : '';
		log(`  ${limit.what}: ${limit.figure}${theirs}${wrong}`);
	};
	log(`${section.title} …`);
	const started = Date.now();
	try {
		await section.run({
			...{ tarball, log, newFolder, report },
			async startOwn(options) {
				const stage = await startStage({ userFolder: newFolder('n8n'), tarball, log, ...options });
				stages.push(stage);
				return stage;
			},
		});
	} catch (error) {
		console.error(error);
		report({ what: section.title, figure: '–', beyond: '', wrong: [String(error)] });
	}
	for (const stage of stages) await stage.close().catch((error: unknown) => console.error(error));
	section.seconds = (Date.now() - started) / 1000;
}

/** A section with its table. */
function renderSection({ title, how, limits, seconds }: Section): string {
	const head = ['What', 'Figure', "n8n's own node", 'Beyond it'];
	const body = limits.map(({ what, figure, theirs = '', beyond, wrong = [] }) => [
		what,
		wrong.length === 0 ? figure : `${figure} **fails**: ${wrong.join('; ')}`,
		theirs,
		beyond,
	]);
	const when = `Measured on ${new Date().toISOString().slice(0, 10)} in ${Math.ceil(seconds / 60)} min.`;
	return [`## ${title}`, how, renderTableWithNotes(head, body), when].join('\n\n');
}

const page = join(projectRoot, 'docs', 'evidence', 'limits.md');

const introduction = `# Limits

This page shows how much load this package handles, and what happens beyond that. \`npm run limits\` measures the
package's tarball in a real n8n instance against the simulator, on one machine with no external network access. Times
depend on the machine; request counts and sizes do not. If one of n8n's own nodes does the same work, the next column
shows that node's figure.`;

const describeSetting = () =>
	describeMachine({
		n8n: 'SQLite, one process',
		machine: ', running both n8n and the simulator',
		run: 'the date of the newest table',
	});

/** The parts of the page by their titles. */
function readParts(): Map<string, string> {
	const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
	const parts = text.split(/^(?=## )/m).slice(text.startsWith('## ') ? 0 : 1);
	return new Map(parts.map((part) => [/^## (.*)/.exec(part)?.[1] ?? '', part.trim()]));
}

/** The page with the new tables. What was found is written by hand. */
function renderPage(all: readonly Section[], measured: readonly Section[]): string {
	const written = readParts();
	const parts = all.flatMap((one) => {
		return measured.includes(one) ? renderSection(one) : (written.get(one.title) ?? []);
	});
	const others = [...written].filter(([title]) => !all.some((one) => one.title === title));
	return `${[introduction, describeSetting(), ...parts, ...others.map(([, text]) => text)].join('\n\n')}\n`;
}

async function main(): Promise<void> {
	const { words } = readOptions(help, { words: true });
	const all = await loadSections();
	const sections = findSections(all, words);

	const { folder: work, remove: removeWork } = createTemporaryFolder('videogen-limits-');
	try {
		const tarball = await buildTarball(join(work, 'package'), log);
		await ensureN8n(log);
		const measured: Section[] = [];
		for (const section of sections) {
			await runSection(section, { tarball, work });
			measured.push(section);
			// After each section: a run that is cut off loses only the last one.
			await writePage(page, renderPage(all, measured));
		}
		const failed = sections
			.flatMap(({ limits }) => limits)
			.filter(({ wrong = [] }) => wrong.length > 0);
		console.log(`${failed.length} promises did not hold`);
		if (failed.length > 0) process.exitCode = 1;
	} finally {
		removeWork();
	}
}

// A timer that is left behind must not keep a finished run from ending.
main().then(() => process.exit(), fail);
