import {
	copyFileSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, timedLog, type Log } from './child';
import { installOnce, projectRoot, runNpm } from './install';
import { type N8nVersion, n8nVersions, newestVersion } from './n8nVersions';

const getModulesFolder = ({ folder }: N8nVersion) => join(folder, 'node_modules');

/**
 * Returns the path of n8n's start script, for the Node that the project pins. If n8n is not installed
 * yet, installs it into its own folder, which takes about 3 minutes.
 */
export async function ensureN8n(log: Log, line = newestVersion): Promise<string> {
	const { folder, version } = line;
	if (!existsSync(join(folder, 'package-lock.json'))) await lockN8n(line, log);
	await installOnce(folder, log, async () => {
		// n8n's peer dependencies contradict each other, and about 15 of its packages build native code, of
		// which it needs one. So install without peers and scripts, then build that one.
		await runNpm(
			folder,
			['install', '--legacy-peer-deps', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'],
			{ label: `Installing n8n ${version} (once, about 3 minutes)`, log },
		);
		if (copyDriver(line)) return;
		await buildDriver(line, log).catch((error: unknown) => {
			throw new Error(
				`${String(error)}\nThe build needs python3, make and a C++ compiler (Debian: python3 build-essential).`,
			);
		});
	});
	const modules = getModulesFolder(line);
	const startScript = join(modules, 'n8n/bin/n8n');
	if (!existsSync(startScript)) {
		throw new Error(`${startScript} is missing: remove ${modules} and try again`);
	}
	return startScript;
}

/**
 * Writes the package.json and the lock file of a version of n8n into its folder. The lock file contains
 * the current versions of n8n's dependencies.
 */
export async function lockN8n(
	{ folder, version }: Pick<N8nVersion, 'folder' | 'version'>,
	log: Log,
): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const pinned = JSON.parse(
		readFileSync(join(newestVersion.folder, 'package.json'), 'utf8'),
	) as object;
	const content = { ...pinned, dependencies: { n8n: version } };
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, '\t')}\n`);
	const args = ['install', '--package-lock-only', '--legacy-peer-deps', '--ignore-scripts'];
	const options = { label: `Locking n8n ${version}`, log };
	await runNpm(folder, [...args, '--no-audit', '--no-fund'], options);
}

/** Path of the compiled database driver in the package folder. */
const driver = join('sqlite3', 'build', 'Release', 'node_sqlite3.node');

const readDriverVersion = (line: N8nVersion) => {
	const file = join(getModulesFolder(line), 'sqlite3', 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

/** Copies the driver from another installed n8n, because compiling it takes minutes. */
function copyDriver(line: N8nVersion): boolean {
	const other = n8nVersions.find(
		(one) =>
			one !== line &&
			existsSync(join(getModulesFolder(one), driver)) &&
			readDriverVersion(one) === readDriverVersion(line),
	);
	if (other === undefined) return false;
	const target = join(getModulesFolder(line), driver);
	mkdirSync(dirname(target), { recursive: true });
	copyFileSync(join(getModulesFolder(other), driver), target);
	return true;
}

async function buildDriver(line: N8nVersion, log: Log): Promise<void> {
	await runNpm(line.folder, ['rebuild', 'sqlite3', '--ignore-scripts=false'], {
		label: 'Preparing n8n’s database driver (a minute if it must be compiled)',
		log,
		// Otherwise node-gyp would download the headers of this Node.
		env: { npm_config_nodedir: findHeadersFolder() },
	});
}

/** Returns the folder with the header files (`include`) in the package of this platform's Node. */
function findHeadersFolder(): string | undefined {
	const folder = join(projectRoot, 'node_modules', 'node', 'node_modules');
	if (!existsSync(folder)) return undefined;
	return readdirSync(folder)
		.map((name) => join(folder, name))
		.find((path) => existsSync(join(path, 'include')));
}

async function installAll(): Promise<void> {
	for (const line of n8nVersions) await ensureN8n(timedLog, line);
}

// As a command, it installs every version of n8n on which the flows run.
if (require.main === module) installAll().then(() => process.exit(), fail);
