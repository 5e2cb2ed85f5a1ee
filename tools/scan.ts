import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, type Log, createTemporaryFolder, timedLog as log } from './child';
import { installOnce, runNpm, projectRoot } from './install';
import { readOptions } from './options';
import { buildTarball } from './pack';

const help = `Runs the scanner with which n8n verifies community packages, on the source and on the packed tarball.
Warnings count as errors.

  npm run scan`;

const scanFolder = join(projectRoot, 'tools', 'scan');
const modules = join(scanFolder, 'node_modules');

/** Folders that are not in a checkout, or that the scanner ignores. */
const notSource = ['node_modules', 'dist', 'coverage', 'tools', 'test', 'simulator', 'site'];
/** The scanner's file patterns for a published package. The scanner exports only those for the source. */
const tarballPatterns = ['**/*.js', 'package.json'];

interface Scanner {
	analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
	buildScanConfig(): Promise<unknown>;
	SOURCE_FILE_PATTERNS: string[];
}

interface LintResult {
	filePath: string;
	messages: Array<{
		line: number;
		column: number;
		severity: number;
		message: string;
		ruleId: string;
	}>;
}

interface Eslint {
	ESLint: new (options: object) => { lintFiles(files: string[]): Promise<LintResult[]> };
}

type Scan = (folder: string, patterns: string[]) => Promise<string[]>;

async function main(): Promise<void> {
	readOptions(help);
	await ensureScanner(log);
	const { folder: work, remove: removeWork } = createTemporaryFolder('videogen-scan-');
	try {
		const { scan, sourcePatterns } = await loadScanner();

		const source = join(work, 'source');
		stageSource(source);
		const tarball = join(work, 'tarball');
		await unpackTarball(tarball, join(work, 'pack'));

		const clean = [
			await report('source', scan, source, sourcePatterns),
			await report('tarball', scan, tarball, tarballPatterns),
		];
		await checkTheScanner(scan, source, sourcePatterns);
		await checkTheScanner(scan, tarball, tarballPatterns);
		console.log('scanner: found the violations planted in both');
		if (clean.includes(false)) process.exitCode = 1;
	} finally {
		removeWork();
	}
}

async function ensureScanner(to: Log): Promise<void> {
	await installOnce(scanFolder, to, async () => {
		await runNpm(
			scanFolder,
			['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'],
			{
				label: 'Installing n8n’s package scanner (once)',
				log: to,
			},
		);
	});
}

async function loadScanner(): Promise<{ scan: Scan; sourcePatterns: string[] }> {
	const load = async (path: string) =>
		(await import(pathToFileURL(join(modules, path)).href)) as unknown;
	const scanner = (await load('@n8n/scan-community-package/scanner/scanner.mjs')) as Scanner;
	const { ESLint } = (await load('eslint/lib/api.js')) as Eslint;

	const scan: Scan = async (folder, patterns) => {
		const verdict = await scanner.analyzePackage(folder, patterns);
		// The scanner reports "passed" with a message if it found no files.
		const findings = verdict.passed && verdict.message ? [verdict.message] : [];

		// The scanner does not report warnings, so run its configuration again.
		const eslint = new ESLint({
			cwd: folder,
			allowInlineConfig: false,
			overrideConfigFile: true,
			overrideConfig: await scanner.buildScanConfig(),
		});
		for (const { filePath, messages } of await eslint.lintFiles(patterns)) {
			for (const { line, column, severity, message, ruleId } of messages) {
				findings.push(
					`${relative(folder, filePath)}:${line}:${column}  ` +
						`${severity === 2 ? 'error' : 'warning'}  ${message}  ${ruleId}`,
				);
			}
		}
		if (!verdict.passed && findings.length === 0) {
			findings.push(verdict.details ?? verdict.message ?? 'The scanner gave no reason');
		}
		return findings;
	};
	return { scan, sourcePatterns: scanner.SOURCE_FILE_PATTERNS };
}

/** Copies the source without tools, tests and installed packages. */
function stageSource(target: string): void {
	mkdirSync(target, { recursive: true });
	for (const name of readdirSync(projectRoot)) {
		if (name.startsWith('.') || notSource.includes(name)) continue;
		cpSync(join(projectRoot, name), join(target, name), { recursive: true });
	}
}

async function unpackTarball(target: string, packFolder: string): Promise<void> {
	const tarball = await buildTarball(packFolder, log);
	mkdirSync(target, { recursive: true });
	const untar = spawnSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
	if (untar.status !== 0) throw new Error(`tar -xzf ${tarball}: ${String(untar.stderr)}`);
}

async function report(
	name: string,
	scan: Scan,
	folder: string,
	patterns: string[],
): Promise<boolean> {
	const findings = await scan(folder, patterns);
	for (const finding of findings) console.log(`  ${finding}`);
	console.log(findings.length === 0 ? `${name}: clean` : `${name}: ${findings.length} finding(s)`);
	return findings.length === 0;
}

/** Throws unless the scanner finds a planted violation. A clean result may mean that it read no files. */
async function checkTheScanner(scan: Scan, folder: string, patterns: string[]): Promise<void> {
	const compiled = patterns === tarballPatterns;
	const file = compiled ? 'dist/nodes/Planted.js' : 'nodes/Planted.ts';
	mkdirSync(join(folder, file, '..'), { recursive: true });
	writeFileSync(
		join(folder, file),
		compiled
			? "const fs = require('fs');\nmodule.exports = fs;\n"
			: "import fs from 'fs';\n\nexport default fs;\n",
	);
	const findings = await scan(folder, patterns);
	if (!findings.some((finding) => finding.startsWith(file))) {
		throw new Error(`The scanner did not find the violation planted in ${file}`);
	}
}

main().then(() => process.exit(), fail);
