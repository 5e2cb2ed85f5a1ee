/* Moves the project to another version of n8n. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, runCommand, timedLog as log } from './child';
import { projectRoot } from './install';
import { lockN8n } from './installN8n';
import { newestVersion } from './n8nVersions';
import { readOptions } from './options';

const help = `Moves the project to another version of n8n: the real n8n of the tools, n8n's engine of the integration
tests, and the documents that name the version. Prints what it changes.

  npm run n8n -- 2.41.1    this version
  npm run n8n -- newest    the newest version that can be installed

Some versions need packages that the registry does not have. npm's error names them: put the nearest version
that exists under "overrides" in tools/n8n/package.json, and try again.`;

/** Documents that name the version that the flows run on. */
export const documentsWithVersion = [
	'README.md',
	'CONTRIBUTING.md',
	'docs/compatibility.md',
	'.github/ISSUE_TEMPLATE/bug.yml',
];

/** Maximum number of versions that `newest` tries, starting with the newest. */
const maxAttempts = 10;

const { folder } = newestVersion;
const packageFile = join(folder, 'package.json');
const lockFile = join(folder, 'package-lock.json');

interface LockFile {
	packages: Record<string, { version?: string; dependencies?: Record<string, string> }>;
}

/** Returns the engine versions that belong to the locked n8n. The integration tests must run on them. */
export function readEngineVersions(lock: string): Record<'n8n-core' | 'n8n-workflow', string> {
	const { packages } = JSON.parse(lock) as LockFile;
	const readVersion = (name: string) => {
		const version = packages[`node_modules/${name}`]?.version;
		if (version === undefined) throw new Error(`The lock file of n8n has no ${name}`);
		return version;
	};
	return { 'n8n-core': readVersion('n8n-core'), 'n8n-workflow': readVersion('n8n-workflow') };
}

/**
 * Replaces the first occurrence of n8n's old version in a text. Later occurrences stay, because the page
 * on compatibility also lists older versions, and the old version may be one of these. Longer version
 * numbers that contain the old one also stay.
 */
export const replaceVersion = (text: string, from: string, to: string): string =>
	text.replace(new RegExp(`(?<![\\d.])${from.replaceAll('.', '\\.')}(?![\\d])(?!\\.\\d)`), to);

/** Returns the released versions, newest first, without the betas. */
export const sortVersions = (versions: readonly string[]): string[] => {
	const numbers = (version: string) => version.split('.').map(Number);
	return versions
		.filter((version) => /^\d+\.\d+\.\d+$/.test(version))
		.sort((one, other) => {
			const [a, b] = [numbers(one), numbers(other)];
			const at = a.findIndex((number, index) => number !== b[index]);
			return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
		});
};

function listVersions(): string[] {
	const { stdout, status } = spawnSync('npm', ['view', 'n8n', 'versions', '--json'], {
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error('npm cannot list the versions of n8n');
	return sortVersions(JSON.parse(stdout) as string[]);
}

/** Locks this version of n8n. If npm fails, both files keep their contents. */
async function lockOrRestore(version: string): Promise<void> {
	const before = [packageFile, lockFile].map((file) => [file, readFileSync(file)] as const);
	try {
		await lockN8n({ folder, version }, log);
	} catch (error) {
		for (const [file, bytes] of before) writeFileSync(file, bytes);
		throw error;
	}
}

/** Locks the newest version that npm can lock, and returns it. */
async function lockNewest(current: string): Promise<string> {
	for (const version of listVersions().slice(0, maxAttempts)) {
		if (version === current) return current;
		try {
			await lockOrRestore(version);
			return version;
		} catch (error) {
			log(`n8n ${version} cannot be installed: ${String(error)}`);
		}
	}
	throw new Error(`None of the ${maxAttempts} newest versions of n8n can be installed`);
}

function rewriteDocuments(from: string, to: string): void {
	for (const name of documentsWithVersion) {
		const file = join(projectRoot, name);
		const text = readFileSync(file, 'utf8');
		const changed = replaceVersion(text, from, to);
		if (changed === text) throw new Error(`${name} does not name n8n ${from}`);
		writeFileSync(file, changed);
		log(`${name}: n8n ${from} → ${to}`);
	}
}

/** Installs the engine of the locked n8n for the integration tests. */
async function installEngine(): Promise<void> {
	const wanted = Object.entries(readEngineVersions(readFileSync(lockFile, 'utf8')));
	const { devDependencies } = JSON.parse(
		readFileSync(join(projectRoot, 'package.json'), 'utf8'),
	) as { devDependencies: Record<string, string> };
	const changed = wanted.filter(([name, version]) => devDependencies[name] !== version);
	if (changed.length === 0) return log('n8n-core and n8n-workflow already belong to it');
	const names = changed.map(([name, version]) => `${name}@${version}`);
	const args = ['install', '--save-dev', '--save-exact', '--no-audit', '--no-fund', ...names];
	await runCommand('npm', args, { cwd: projectRoot, label: `Installing ${names.join(' ')}`, log });
	for (const [name, version] of changed) log(`${name}: ${devDependencies[name]} → ${version}`);
}

async function main(): Promise<void> {
	const { words } = readOptions(help, { words: true });
	const [wanted, ...others] = words;
	if (wanted === undefined || others.length > 0) throw new Error(`Name one version.\n\n${help}`);
	const { version: current } = newestVersion;
	const version = wanted === 'newest' ? await lockNewest(current) : wanted;
	if (version === current) return log(`The project is at n8n ${current}`);
	if (wanted !== 'newest') await lockOrRestore(version);
	log(`tools/n8n/package.json and its lock: n8n ${current} → ${version}`);
	rewriteDocuments(current, version);
	await installEngine();
	log('The next command with a real n8n installs it. Then run npm run generate and npm run e2e.');
}

if (require.main === module) main().then(() => process.exit(), fail);
