import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fail, timedLog, type Log } from './child';
import { installOnce, runNpm } from './install';
import { type N8nVersion, n8nVersions, newestVersion } from './n8nVersions';

export interface InstalledN8n {
	/** Path of the Node that runs it. */
	node: string;
	/** Path of n8n's start script. */
	n8n: string;
}

const getModulesFolder = ({ folder }: N8nVersion) => join(folder, 'node_modules');
const getNodePackage = (line: N8nVersion) => join(getModulesFolder(line), 'node');

/** Installs n8n and its Node into their own folder, unless they are there: takes 3 minutes once. */
export async function ensureN8n(log: Log, line = newestVersion): Promise<InstalledN8n> {
	const { folder, version } = line;
	await installOnce(folder, log, async () => {
		// n8n's peer dependencies contradict each other, and about 15 of its packages build native code, of
		// which it needs one. So install without peers and scripts, then build that one.
		await runNpm(
			folder,
			['install', '--legacy-peer-deps', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'],
			{ label: `Installing n8n ${version} (once, about 3 minutes)`, log },
		);
		await rebuild(line, 'node', 'Installing the Node that runs n8n', log);
		if (copyDriver(line)) return;
		await rebuild(
			line,
			'sqlite3',
			'Preparing n8n’s database driver (a minute if it must be compiled)',
			log,
		).catch((error: unknown) => {
			throw new Error(
				`${String(error)}\nThe build needs python3, make and a C++ compiler (Debian: python3 build-essential).`,
			);
		});
	});
	const modules = getModulesFolder(line);
	const installed = {
		node: join(getNodePackage(line), 'bin', 'node'),
		n8n: join(modules, 'n8n/bin/n8n'),
	};
	for (const path of Object.values(installed)) {
		if (!existsSync(path)) throw new Error(`${path} is missing: remove ${modules} and try again`);
	}
	return installed;
}

/** Path of the compiled database driver in the package folder. */
const driver = join('sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** The versions on which the compiled driver depends. */
const readDriverVersions = (line: N8nVersion) =>
	['sqlite3', 'node']
		.map((name) => join(getModulesFolder(line), name, 'package.json'))
		.map((file) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version)
		.join(' ');

/** Copies the driver from another installed n8n, because compiling it takes minutes. */
function copyDriver(line: N8nVersion): boolean {
	const other = n8nVersions.find(
		(one) =>
			one !== line &&
			existsSync(join(getModulesFolder(one), driver)) &&
			readDriverVersions(one) === readDriverVersions(line),
	);
	if (other === undefined) return false;
	const target = join(getModulesFolder(line), driver);
	mkdirSync(dirname(target), { recursive: true });
	copyFileSync(join(getModulesFolder(other), driver), target);
	return true;
}

async function rebuild(line: N8nVersion, name: string, label: string, log: Log): Promise<void> {
	const bin = join(getModulesFolder(line), '.bin');
	await runNpm(line.folder, ['rebuild', name, '--ignore-scripts=false'], {
		label,
		log,
		env: {
			PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
			// The headers of that Node: node-gyp would download them, or use those of another Node.
			npm_config_nodedir: findHeadersFolder(line),
		},
	});
}

/** The folder with `include`, in the package of this platform's Node. */
function findHeadersFolder(line: N8nVersion): string | undefined {
	const folder = join(getNodePackage(line), 'node_modules');
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
