/**
 * Runs the tests for Stryker in one process, which loads n8n's engine and the tested code once: a mutant
 * is a variable that the code reads when it runs. What runs when a file is loaded is left out.
 */
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import {
	determineHitLimitReached,
	DryRunStatus,
	MutantRunStatus,
} from '@stryker-mutator/api/test-runner';

const load = async (...path) => await import(pathToFileURL(join(...path)));

const statuses = { passed: 0, failed: 1, pending: 2 };

const escape = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const createKey = (file, name) => `${file}: ${name}`;

export class BareNodeRunner {
	/** What the mutants read and write. */
	state = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

	files = JSON.parse(process.env.MUTATION_TESTS);

	/** Names of the tests of each file, without repetitions. */
	names = [];

	/**
	 * IDs of tests by file and name: the numbers of both. With names as IDs, the list of the tests that
	 * reach each mutant is longer than a string may be.
	 */
	ids = new Map();

	/** Whether this process has run a mutant. */
	isUsed = false;

	/** Whether tests fail in this process that passed before. */
	hasTraces = false;

	capabilities = () => ({ reloadEnvironment: false });

	async init() {
		// The copy of the project with all mutants in it: only now is it the working directory.
		const project = process.cwd();
		const require = createRequire(join(project, 'package.json'));
		await (await load(project, 'test', 'folder.js')).default();
		await load(project, 'test', 'typescript.js');
		await load(project, 'test', 'setup.js');
		const runner = require.resolve('jest-light-runner').replace(/index\.js$/, 'worker-runner.js');
		this.worker = await load(runner);
		const jest = require('jest-config');
		const { configs, globalConfig } = await jest.readConfigs({ _: [], $0: '' }, [project]);
		this.config = { globalConfig, projectConfig: configs[0], runtime: 'main_thread' };
		// What runs when the code is loaded belongs to no test, and must not run with a mutant.
		for (const file of globSync('nodes/**/*.ts', { cwd: project })) await load(project, file);
	}

	/** Runs the tests of a file, all or those with these full names. */
	async runFile(file, names) {
		const testNamePattern = names ? `^(?:${names.map(escape).join('|')})$` : null;
		const { globalConfig } = this.config;
		this.worker.setWorkerData({
			...this.config,
			globalConfig: { ...globalConfig, testNamePattern },
		});
		globalThis.expect?.setState({ currentTestName: undefined });
		try {
			const { testResults } = await this.worker.default(file);
			return testResults.map(({ ancestorTitles, title, status, duration, failureMessages }) => {
				const name = [...ancestorTitles, title].join(' ');
				return {
					...{
						id: this.ids.get(createKey(file, name)),
						name,
						fileName: resolve(file),
						timeSpentMs: duration ?? 0,
					},
					...{ status: statuses[status], failureMessage: failureMessages.join('\n') },
				};
			});
		} finally {
			await this.worker.cleanup();
		}
	}

	/** Returns the names of a file's tests, and gives them IDs. */
	async readNames(number) {
		const file = this.files[number];
		if (!this.names[number]) {
			// No test has an empty name: none runs.
			const results = await this.runFile(file, ['']);
			this.names[number] = [...new Set(results.map(({ name }) => name))];
			for (const [i, name] of this.names[number].entries()) {
				this.ids.set(createKey(file, name), `${number}:${i}`);
			}
		}
		return this.names[number];
	}

	async dryRun() {
		Object.defineProperty(this.state, INSTRUMENTER_CONSTANTS.CURRENT_TEST_ID, {
			get: () => {
				const { currentTestName, testPath } = globalThis.expect?.getState() ?? {};
				return currentTestName && this.ids.get(createKey(testPath, currentTestName));
			},
		});
		const tests = [];
		for (const [number, file] of this.files.entries()) {
			await this.readNames(number);
			tests.push(...(await this.runFile(file)));
		}
		const { mutantCoverage } = this.state;
		return { status: DryRunStatus.Complete, tests, mutantCoverage };
	}

	async mutantRun({ activeMutant, testFilter, hitLimit }) {
		// Stryker runs it again in a new process.
		if (this.hasTraces) throw new Error('An earlier mutant has left something behind');
		let nrOfTests = 0;
		for (const [file, names] of await this.groupByFile(testFilter)) {
			Object.assign(this.state, { activeMutant: activeMutant.id, hitLimit, hitCount: 0 });
			const results = await this.runFile(file, names);
			this.state.activeMutant = undefined;
			const endless = determineHitLimitReached(this.state.hitCount, hitLimit);
			if (endless) return endless;
			const run = results.filter(({ status }) => status !== statuses.pending);
			nrOfTests += run.length;
			const failed = run.find(({ status }) => status === statuses.failed);
			if (!failed) continue;
			await this.checkForTraces(file, names);
			const { id, failureMessage } = failed;
			return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests };
		}
		this.isUsed = true;
		return { status: MutantRunStatus.Survived, nrOfTests };
	}

	/** Runs the tests without a mutant. If they still fail, that of an earlier mutant may be the reason. */
	async checkForTraces(file, names) {
		const results = await this.runFile(file, names);
		this.hasTraces = results.some(({ status }) => status === statuses.failed);
		if (this.hasTraces && this.isUsed) throw new Error('The tests fail without a mutant, too');
		this.isUsed = true;
	}

	/** Returns the files of these tests, with the names of the tests, those with the fewest tests first. */
	async groupByFile(ids) {
		const files = new Map();
		for (const id of ids) {
			const [number, i] = id.split(':');
			const names = await this.readNames(number);
			const file = this.files[number];
			files.set(file, [...(files.get(file) ?? []), names[i]]);
		}
		return [...files].sort(([, one], [, other]) => one.length - other.length);
	}
}
