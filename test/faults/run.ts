import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createRandom } from '../../simulator/faults';
import { fail, createTemporaryFolder, timedLog as log } from '../../tools/child';
import { projectRoot } from '../../tools/install';
import { ensureN8n } from '../../tools/installN8n';
import { describeMachine } from '../../tools/machine';
import { type N8nVersion, findN8nVersion, newestVersion } from '../../tools/n8nVersions';
import { readOptions } from '../../tools/options';
import { buildTarball } from '../../tools/pack';
import { readTableCells, renderTableWithNotes, writePage } from '../../tools/pages';
import { startStage, type Stage } from '../../tools/stage';
import type { FaultContext, FaultFile, Row, Scenario } from './scenario';

const help = `Provokes failures on a real n8n with the packed package: kills, lost responses, retries with changing
values, errors, hostile responses. Everything stays on this machine.

  npm run faults                 all of it, about 25 minutes
  npm run faults -- kills        the files and scenarios whose name contains the word
  npm run faults -- --short      a part of it; writes nothing
  npm run faults -- --n8n 1      on the older version of n8n; writes nothing
  npm run faults -- --help       this text

It writes the tables of complete files to docs/evidence/faults.md, each if all of its rows hold. The command
fails if a row does not hold. SEED=7 npm run faults changes the random moments
and the generated values.`;

/** Long enough for a job of the shared simulator to be seen running (seconds). */
const jobSeconds = 0.5;

/**
 * Jobs that the account may run at the same time. High, so that no row waits for jobs to end: the
 * rows of capacity.ts set their own.
 */
const jobsAtOnce = 5_000;

/** No scenario takes longer; what does is stuck (milliseconds). */
const longestScenario = 360_000;

interface Section extends FaultFile {
	/** The file's name without its ending. */
	file: string;
	rows: Row[];
}

async function loadSections(): Promise<Section[]> {
	const sections: Section[] = [];
	for (const name of readdirSync(__dirname).sort()) {
		// This file runs when it is loaded.
		if (!name.endsWith('.ts') || name === basename(__filename)) continue;
		const found = (await import(join(__dirname, name))) as Partial<FaultFile>;
		if (!found.scenario) continue;
		const { title = basename(name, '.ts'), columns = [], scenario } = found;
		sections.push({ title, columns, scenario, file: basename(name, '.ts'), rows: [] });
	}
	return sections;
}

/** The scenarios that the words name, or that belong to the form of the run. */
function chosen(sections: Section[], words: string[], short: boolean): Section[] {
	const fits = ({ file }: Section, { name, short: inShort }: Scenario) => {
		if (short && !inShort) return false;
		const text = `${file} ${name}`.toLowerCase();
		return words.length === 0 || words.some((word) => text.includes(word.toLowerCase()));
	};
	const found = sections
		.map((section) => ({
			...section,
			scenario: section.scenario.filter((one) => fits(section, one)),
		}))
		.filter(({ scenario }) => scenario.length > 0);
	if (found.length === 0) {
		const names = sections.flatMap(({ file, scenario }) =>
			scenario.map(({ name }) => `  ${file.padEnd(12)}${name}`),
		);
		throw new Error(`No scenario has ${words.join(', ')} in its name:\n${names.join('\n')}`);
	}
	return found;
}

/** Stops what hangs, so that the command always ends. */
async function bounded<T>(name: string, task: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`"${name}" did not end`)), longestScenario);
	});
	return await Promise.race([task, late]).finally(() => clearTimeout(timer));
}

/** Runs the scenarios of a section one after the other; what a scenario throws becomes a row. */
async function runSection(
	section: Section,
	context: Omit<FaultContext, 'startOwn' | 'random'>,
	setting: { line: N8nVersion; tarball: string; work: string; seed: number },
): Promise<void> {
	for (const [index, scenario] of section.scenario.entries()) {
		const own: Stage[] = [];
		const startOwn: FaultContext['startOwn'] = async (options) => {
			const userFolder = join(setting.work, `${section.file}-${index}-${own.length}`);
			mkdirSync(userFolder, { recursive: true });
			const stage = await startStage({
				...{ line: setting.line, userFolder, tarball: setting.tarball, log },
				...options,
				simulator: { jobSeconds, ...options?.simulator },
			});
			own.push(stage);
			stage.simulator.control.setWorkspace({ jobsAtOnce });
			return stage;
		};
		log(`${section.file}: ${scenario.name} …`);
		const started = Date.now();
		let rows: Row[];
		try {
			const random = createRandom(setting.seed);
			rows = await bounded(scenario.name, scenario.run({ ...context, startOwn, random }));
		} catch (error) {
			console.error(error);
			rows = [{ id: '–', what: scenario.name, cells: [], wrong: [String(error)] }];
		}
		for (const stage of own) await stage.close().catch((error: unknown) => console.error(error));
		section.rows.push(...rows);
		for (const row of rows) {
			log(`  ${row.id}  ${row.what}: ${row.cells.join(' / ')}  ${verdictOf(row)}`);
		}
		log(`  ${((Date.now() - started) / 1000).toFixed(1)} s`);
	}
}

const fails = ({ wrong, known }: Row) => wrong.length > 0 && known === undefined;

/** The last cell of a row. */
function verdictOf(row: Row): string {
	if (row.wrong.length === 0) return 'holds';
	return fails(row) ? `**fails**: ${row.wrong.join('; ')}` : `does not hold: ${row.known}`;
}

/** A section with its table. */
function textOf({ title, columns, rows }: Section): string {
	const head = ['Row', 'What was done', ...columns, 'Verdict'];
	const body = rows.map((row) => [
		row.id,
		row.what,
		...columns.map((_, i) => row.cells[i] ?? ''),
		verdictOf(row),
	]);
	return `## ${title}\n\n${renderTableWithNotes(head, body)}`;
}

/** Where and when the tables were seen. */
const setting = (line: N8nVersion, seconds: number, seed: number) =>
	describeMachine({
		line,
		n8n: 'SQLite, one process unless a row says otherwise',
		run: `${Math.round(seconds / 60)} minutes, seed ${seed}`,
	});

const page = join(projectRoot, 'docs', 'evidence', 'faults.md');
const readPage = () => (existsSync(page) ? readFileSync(page, 'utf8') : '');

/** The chapters of the page by their titles. */
const readChapters = () =>
	new Map(
		readPage()
			.split(/^(?=## )/m)
			.slice(1)
			.map((text) => [/^## (.*)/.exec(text)?.[1] ?? '', text.trim()]),
	);

/** The page, with the tables of these sections and those that it had of the others. */
function renderPage(all: readonly Section[], seen: readonly Section[], run: string): string {
	const written = readChapters();
	const chapters = all.flatMap((one) => {
		const section = seen.find(({ file }) => file === one.file);
		return section ? [textOf(section)] : (written.get(one.title) ?? []);
	});
	return `${[introduction, run, ...chapters].join('\n\n')}\n`;
}

/** Rows of the page that this run has not seen. */
function leftOut(rows: readonly Row[]): string[] {
	const known = readTableCells(readPage()).map(([id = '']) => id);
	return known.filter((id) => /^[A-Z]\d+$/.test(id) && rows.every((row) => row.id !== id));
}

const introduction = `# Failures and their outcomes

Generated by \`npm run faults\`, which causes these failures on a real n8n instance, with the package's tarball and
this repository's simulator. Everything runs on one machine with no external network access. A row _holds_ if the user
gets the intended result. A few rows are known not to hold, and each of them states the reason. If any other row does not hold, the
command fails. \`npm run faults -- --short\` tests only some of the rows, and \`npm run faults -- --help\` lists the other
options.

**Requested** is the number of jobs that the user wants, including those that replace failed ones. **Created** is the
number of jobs that the service created. **Named** is the number of jobs that can be identified from an execution or
n8n's log, either by the job's ID or by a key that returns the job without a second payment (**Custom Key**). **Lost** is
the number of created jobs that cannot be identified. **Duplicate** is the number of jobs created beyond those
requested. [Promises](../contributing/promises.md) refers to these rows.`;

async function main(): Promise<void> {
	const { flags, values, words } = readOptions(help, {
		flags: ['--short'],
		valued: ['--n8n'],
		words: true,
	});
	const short = flags.has('--short');
	const line = findN8nVersion(values.get('--n8n') ?? newestVersion.version);
	const seed = Number(process.env.SEED ?? 1);
	if (!Number.isInteger(seed))
		throw new Error(`SEED is "${process.env.SEED}": give a whole number.`);
	const all = await loadSections();
	const sections = chosen(all, words, short);

	const started = Date.now();
	const { folder: work, remove: removeWork } = createTemporaryFolder('videogen-faults-');
	try {
		const tarball = await buildTarball(join(work, 'package'), log);
		await ensureN8n(log, line);
		let common: Promise<Stage> | undefined;
		const shared = async () => {
			const userFolder = join(work, 'n8n');
			common ??= startStage({ line, userFolder, tarball, simulator: { jobSeconds }, log });
			const stage = await common;
			stage.simulator.control.reset();
			stage.simulator.control.setWorkspace({ jobsAtOnce });
			return stage;
		};
		for (const section of sections) {
			await runSection(section, { shared, short, log }, { line, tarball, work, seed });
		}
		await (await common)?.close();

		const tables = sections.map(textOf).join('\n\n');
		const seconds = (Date.now() - started) / 1000;
		console.log(`\n${tables}\n\n${setting(line, seconds, seed)}`);
		const rows = sections.flatMap((section) => section.rows);
		const wrong = rows.filter(fails);
		const known = rows.filter((row) => row.wrong.length > 0 && !fails(row));
		const complete = sections.filter(
			({ file, scenario, rows: seen }) =>
				scenario.length === all.find((one) => one.file === file)?.scenario.length &&
				!seen.some(fails),
		);
		if (!short && line === newestVersion && complete.length > 0) {
			await writePage(page, renderPage(all, complete, setting(line, seconds, seed)));
		}
		const left = leftOut(rows);
		if (left.length > 0) console.log(`Left out of docs/evidence/faults.md: ${left.join(', ')}`);
		const holding = rows.length - wrong.length - known.length;
		const counts = [
			`${holding} rows hold`,
			`${known.length} are known not to hold`,
			`${wrong.length} fail`,
		];
		console.log([...counts, `${left.length} left out`].join(', '));
		if (wrong.length > 0) process.exitCode = 1;
	} finally {
		removeWork();
	}
}

// A timer that somebody left behind must not keep a finished run from ending.
main().then(() => process.exit(), fail);
