import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, createTemporaryFolder, timedLog as log } from '../../tools/child';
import { projectRoot } from '../../tools/install';
import { ensureN8n } from '../../tools/installN8n';
import { describeMachine } from '../../tools/machine';
import { newestVersion } from '../../tools/n8nVersions';
import { readOptions } from '../../tools/options';
import { buildTarball } from '../../tools/pack';
import { renderTable, writePage } from '../../tools/pages';
import { startStage, type Stage } from '../../tools/stage';
import type { BenchContext, BenchFile, Goal, Measure } from './section';

const help = `Compares a real n8n with the packed package with n8n's own nodes, using the simulator.
Everything stays on this machine, which should otherwise be idle.

  npm run bench                 all sections, about 40 minutes; writes docs/evidence/benchmarks.md
  npm run bench -- items boot   the sections whose name contains one of the words; writes their tables
  npm run bench -- --help       this text`;

/** What is further from its goal than this factor fails the run. */
const outOfReach = 1.5;

interface Section extends BenchFile {
	/** How long the measuring took. */
	seconds?: number;
	/** The file's name without its ending. */
	file: string;
	measures: Measure[];
}

async function loadSections(): Promise<Section[]> {
	const sections: Section[] = [];
	for (const name of readdirSync(__dirname).sort()) {
		// This file runs when it is loaded.
		if (!name.endsWith('.ts') || name === basename(__filename)) continue;
		const { bench } = (await import(join(__dirname, name))) as { bench?: BenchFile };
		if (bench) sections.push({ ...bench, file: basename(name, '.ts'), measures: [] });
	}
	return sections;
}

/** The sections that the words name; all of them without words. */
function chosen(sections: Section[], words: string[]): Section[] {
	const isNamed = ({ file, title }: Section) => {
		const text = `${file} ${title}`.toLowerCase();
		return words.some((word) => text.includes(word.toLowerCase()));
	};
	if (words.length === 0) return sections;
	const found = sections.filter(isNamed);
	if (found.length > 0) return found;
	const names = sections.map(({ file, title }) => `  ${file.padEnd(12)}${title}`);
	throw new Error(`No section has ${words.join(', ')} in its name:\n${names.join('\n')}`);
}

/** How far a value is from its goal: 1 on it, more beyond it. */
function farFrom(value: number, goal: Goal): number {
	if (value === ('most' in goal ? goal.most : goal.least)) return 1;
	return 'most' in goal ? value / goal.most : goal.least / value;
}

const goalOf = (goal: Goal) => ('most' in goal ? `at most ${goal.most}` : `at least ${goal.least}`);

function verdictOf({ value, goal, wrong = [] }: Measure): string {
	if (wrong.length > 0) return `**fails**: ${[...new Set(wrong)].join('; ')}`;
	if (goal === undefined || value === undefined) return '';
	return farFrom(value, goal) <= 1 ? 'met' : '**missed**';
}

/** Runs a section; what it throws becomes a line of its table. */
async function runSection(
	section: Section,
	{ tarball, work }: { tarball: string; work: string },
): Promise<void> {
	const own: Stage[] = [];
	let folders = 0;
	const newFolder: BenchContext['newFolder'] = (name) => {
		const folder = join(work, `${section.file}-${folders++}-${name}`);
		mkdirSync(folder, { recursive: true });
		return folder;
	};
	const startOwn: BenchContext['startOwn'] = async (options) => {
		const stage = await startStage({ userFolder: newFolder('n8n'), tarball, log, ...options });
		own.push(stage);
		return stage;
	};
	log(`${section.title} …`);
	const started = Date.now();
	try {
		section.measures = await section.run({ tarball, startOwn, newFolder, log });
	} catch (error) {
		console.error(error);
		section.measures = [{ what: section.title, ours: '–', wrong: [String(error)] }];
	}
	for (const stage of own) await stage.close().catch((error: unknown) => console.error(error));
	section.seconds = (Date.now() - started) / 1000;
	log(`  ${section.seconds.toFixed(0)} s`);
}

/** A section with its table. */
function textOf({ title, how, measures, seconds = 0 }: Section): string {
	const head = ['What', 'Compared with', 'Ours', 'Theirs', 'Value', 'Goal', ''];
	const body = measures.map((measure) => {
		const { what, beside = '', ours, theirs = '', value, goal } = measure;
		const shown = value === undefined ? '' : value.toFixed(2);
		return [what, beside, ours, theirs, shown, goal ? goalOf(goal) : '', verdictOf(measure)];
	});
	const when = `Measured on ${new Date().toISOString().slice(0, 10)} with n8n ${newestVersion.version} (duration: ${Math.ceil(seconds / 60)} min).`;
	return `## ${title}\n\n${how}\n\n${renderTable(head, body)}\n\n${when}`;
}

/** On what it was measured. */
const setting = () =>
	describeMachine({
		n8n: 'SQLite, one process',
		machine: ', running both n8n and the simulator',
		run: 'the date of the newest table',
	});

const page = join(projectRoot, 'docs', 'evidence', 'benchmarks.md');

const introduction = `# Comparison with n8n's own nodes

Generated by \`npm run bench\`, which installs the package's tarball in a real n8n instance and measures it with
this repository's simulator. Everything runs on one machine with no external network access. The two sides of a
comparison take turns, and each goes first equally often. The numbers are medians of five rounds, unless a section
says otherwise. In rows that compare two sides, **Value** is our number divided by the other side's. The absolute
numbers depend on the machine described below; the ratios depend on it much less. \`npm run bench -- --help\` lists
the options.`;

/** The parts of the page by their titles. */
function writtenParts(): Map<string, string> {
	const [, ...parts] = readFileSync(page, 'utf8').split(/^(?=## )/m);
	return new Map(parts.map((part) => [/^## (.*)/.exec(part)?.[1] ?? '', part.trim()]));
}

/** The page with new tables of the sections that were measured. What was found is written by hand. */
function pageWith(all: readonly Section[], measured: readonly Section[]): string {
	const written = writtenParts();
	const parts = all.flatMap((one) => {
		const now = measured.find(({ file }) => file === one.file);
		return now ? textOf(now) : (written.get(one.title) ?? []);
	});
	const found = written.get('What was found') ?? [];
	return `${[introduction, setting(), parts, found].flat().join('\n\n')}\n`;
}

async function main(): Promise<void> {
	const { words } = readOptions(help, { words: true });
	const all = await loadSections();
	const sections = chosen(all, words);

	const { folder: work, remove: removeWork } = createTemporaryFolder('videogen-bench-');
	try {
		const tarball = await buildTarball(join(work, 'package'), log);
		await ensureN8n(log);
		for (const section of sections) await runSection(section, { tarball, work });

		const tables = sections.map(textOf).join('\n\n');
		console.log(`\n${tables}\n\n${setting()}`);
		await writePage(page, pageWith(all, sections));
		const measures = sections.flatMap((section) => section.measures);
		const wrong = measures.filter(
			({ value, goal, wrong = [] }) =>
				wrong.length > 0 ||
				(goal !== undefined && value !== undefined && !(farFrom(value, goal) <= outOfReach)),
		);
		const missed = measures.filter((one) => verdictOf(one) === '**missed**');
		console.log(`${missed.length} goals missed, ${wrong.length} out of reach or failed`);
		if (wrong.length > 0) process.exitCode = 1;
	} finally {
		removeWork();
	}
}

// A timer that somebody left behind must not keep a finished run from ending.
main().then(() => process.exit(), fail);
