import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { createTemporaryFolder, fail, spawnTracked, timedLog as log } from '../../tools/child';
import { projectRoot } from '../../tools/install';
import { describeEngine } from '../../tools/machine';
import { readOptions } from '../../tools/options';
import { renderTable, writePage } from '../../tools/pages';
import type { PropertyReport } from './property';

const help = `Generates inputs for all code that reads external text: parameters, responses, deliveries,
event streams, file names. Fails if one crashes the package, is accepted although the specification
forbids it, or takes 100 ms of processor time more than a plain input of its size.

  npm run fuzz                    150,000 inputs, about 5 minutes on two cores; writes docs/fuzz.md
  npm run fuzz -- --short         2 minutes, with the same inputs every time
  npm run fuzz -- --seed 7        the inputs of this seed; the seed of each run is printed
  npm run fuzz -- Speech cursor   the properties with one of the words in their name

It prints the smallest input that fails. The same seed and form find it again.`;

/** Share of the inputs that fits into two minutes on two cores. */
const shortShare = 0.4;

const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');

/** Runs the properties in one process for each core, and returns their reports. */
async function runProperties(environment: Record<string, string>, words: readonly string[]) {
	const { folder, remove } = createTemporaryFolder('videogen-fuzz-');
	const report = join(folder, 'report.jsonl');
	const processes = words.length > 0 ? 1 : Math.min(cpus().length, 4);
	const filter = words.length > 0 ? ['--testNamePattern', words.join('|')] : [];
	const readReports = () =>
		(existsSync(report) ? readFileSync(report, 'utf8') : '')
			.split('\n')
			.filter((line) => line !== '')
			.map((line) => JSON.parse(line) as PropertyReport);
	const progress = setInterval(() => {
		const done = readReports();
		log(`${done.length} properties, ${countInputs(done)} inputs`);
	}, 30_000);
	try {
		const endings = Array.from({ length: processes }, async (_, process_) => {
			const child = spawnTracked(
				process.execPath,
				[jest, '--config', join(__dirname, 'jest.config.js'), '--runInBand', '--silent', ...filter],
				{
					cwd: projectRoot,
					env: {
						...process.env,
						...environment,
						VIDEOGEN_FUZZ_REPORT: report,
						VIDEOGEN_FUZZ_PROCESSES: String(processes),
						VIDEOGEN_FUZZ_PROCESS: String(process_),
					},
					stdio: ['ignore', 'ignore', 'pipe'],
				},
			);
			let output = '';
			child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
			const exitCode = await new Promise<number | null>((resolve, reject) => {
				child.on('error', reject);
				child.on('close', resolve);
			});
			return { exitCode, output };
		});
		return { ended: await Promise.all(endings), reports: readReports() };
	} finally {
		clearInterval(progress);
		remove();
	}
}

const countInputs = (reports: readonly PropertyReport[]) =>
	reports.reduce((sum, { inputs }) => sum + inputs, 0);

/** The counts of a run, in the order of the report. */
function summarize(reports: readonly PropertyReport[]) {
	const count = (failure: PropertyReport['failure']) =>
		reports.filter((one) => one.failure === failure).length;
	const slowest = reports.reduce(
		(most, one) => (one.slowest.milliseconds > most.slowest.milliseconds ? one : most),
		reports[0]!,
	);
	return {
		inputs: countInputs(reports),
		crashes: count('crash'),
		wrong: count('wrong acceptance'),
		slow: count('slow'),
		slowest,
	};
}

const formatTime = (milliseconds: number) => `${Math.round(milliseconds)} ms`;
const formatCount = (count: number) => count.toLocaleString('en-US');

/** Properties of the same kind, such as those of all operations of a node, in one row. */
const getGroup = ({ name }: PropertyReport) => name.split(', ')[0] ?? name;

function renderPage(reports: readonly PropertyReport[], seed: number, seconds: number): string {
	const { inputs, crashes, wrong, slow, slowest } = summarize(reports);
	const groups = new Map<string, PropertyReport[]>();
	for (const one of reports) {
		groups.set(getGroup(one), [...(groups.get(getGroup(one)) ?? []), one]);
	}
	const rows = [...groups.entries()].sort().map(([group, all]) => {
		const counts = summarize(all);
		return [
			group,
			all.length,
			formatCount(counts.inputs),
			counts.crashes,
			counts.wrong,
			counts.slow,
			formatTime(counts.slowest.slowest.milliseconds),
		];
	});
	const head = ['Properties of', 'Number', 'Inputs', 'Crashes', 'Wrong', 'Slow', 'Slowest input'];
	return `# Generated inputs

Written by \`npm run fuzz\`, which generates inputs for all code that reads external text, on n8n's
engine and with the simulator of this repository. The option \`--seed ${seed}\` repeats this run, and
\`npm run fuzz -- --help\` lists the other forms.

${formatCount(inputs)} inputs: ${crashes} crashes, ${wrong} wrong acceptances, ${slow} slow inputs.

- **Crash**: an error that is not readable, such as a TypeError, or a run that does not end.
- **Wrong**: an input that was accepted although the specification forbids it, or refused although the
  specification allows it.
- **Slow**: an input that took 100 ms more processor time than a simple input of the same size.
- **Slowest input**: processor time of the whole run of the node, with inputs of up to 1 MB. The slowest
  one of all took ${formatTime(slowest.slowest.milliseconds)} (${slowest.name.replace(/:.*/, '')}).

${renderTable(head, rows)}

${describeEngine(`${Math.round(seconds / 60)} minutes, seed ${seed}`)}
`;
}

async function main(): Promise<void> {
	const { flags, values, words } = readOptions(help, {
		flags: ['--short'],
		valued: ['--seed'],
		words: true,
	});
	const short = flags.has('--short');
	const seed = Number(values.get('--seed') ?? (short ? 1 : Date.now() % 1_000_000));
	if (!Number.isInteger(seed)) throw new Error('--seed needs a whole number');
	const started = Date.now();
	log(`Seed ${seed}`);
	const { ended, reports } = await runProperties(
		{ VIDEOGEN_FUZZ_SEED: String(seed), VIDEOGEN_FUZZ_SHARE: String(short ? shortShare : 1) },
		words,
	);
	const failed = reports.filter(({ failure }) => failure !== undefined);
	for (const { name, failure, problem } of failed) {
		console.log(`\n${failure?.toUpperCase()}  ${name}\n${problem?.slice(0, 2000)}`);
	}
	// A process that ends for another reason, such as a type error, has no report of it.
	const isBroken = ended.some(({ exitCode }) => exitCode !== 0) && failed.length === 0;
	if (isBroken || reports.length === 0) {
		throw new Error(ended.map(({ output }) => output.slice(-4000)).join('\n'));
	}
	const { inputs, crashes, wrong, slow, slowest } = summarize(reports);
	const seconds = (Date.now() - started) / 1000;
	console.log(`
Seed ${seed}, ${reports.length} properties, ${Math.round(seconds)} s
${formatCount(inputs)} inputs, ${crashes} crashes, ${wrong} wrong acceptances, ${slow} slow
Slowest input: ${formatTime(slowest.slowest.milliseconds)} of processor time, ${slowest.name}
  ${slowest.slowest.input}`);
	if (failed.length > 0) process.exitCode = 1;
	else if (!short && words.length === 0) {
		await writePage(join(projectRoot, 'docs', 'fuzz.md'), renderPage(reports, seed, seconds));
	}
}

// A timer that somebody left behind must not keep a finished run from ending.
main().then(() => process.exit(), fail);
