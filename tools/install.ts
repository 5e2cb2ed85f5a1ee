import { createHash } from 'node:crypto';
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive, type Log, onShutdown, runCommand } from './child';

export const projectRoot = join(__dirname, '..');

/** A hash of the folder's lock file. */
export function hashLockFile(folder: string): string {
	return createHash('sha256')
		.update(readFileSync(join(folder, 'package-lock.json')))
		.digest('hex')
		.slice(0, 16);
}

/** Runs npm in a folder with its own lock file, and prints progress. */
export async function runNpm(
	folder: string,
	args: string[],
	{ label, log, env }: { label: string; log: Log; env?: NodeJS.ProcessEnv },
): Promise<void> {
	const modules = join(folder, 'node_modules');
	const wanted = countLockedPackages(folder);
	const installs = args[0] === 'install';
	log(`${label} …`);
	await runCommand('npm', args, {
		cwd: folder,
		label,
		log,
		// In some users' settings, npm answers its own questions with no.
		env: { npm_config_yes: 'true', ...env },
		...(installs
			? { progress: () => `${countPackages(modules)} of about ${wanted} packages` }
			: {}),
	});
}

/**
 * Calls `install` once for each version of the folder's lock file. Removes node_modules first, because npm
 * trusts half-unpacked packages of an interrupted installation. Throws if another process is installing
 * there, or if node_modules is a link.
 */
export async function installOnce(
	folder: string,
	log: Log,
	install: () => Promise<void>,
): Promise<void> {
	const modules = join(folder, 'node_modules');
	const stamp = join(modules, '.installed-lock');
	const hash = hashLockFile(folder);
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;

	for (const path of [folder, modules]) {
		if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
			throw new Error(
				`${path} is a link; the installation does not write through links. Remove it.`,
			);
		}
	}
	const installing = join(modules, '.installing');
	const installer = existsSync(installing) ? Number(readFileSync(installing, 'utf8')) : 0;
	if (installer > 0 && isProcessAlive(installer)) {
		throw new Error(
			`Process ${installer} is installing ${modules}: try again when it has finished. ` +
				`(If process ${installer} is another program, delete ${installing}.)`,
		);
	}
	if (existsSync(modules)) {
		log(`Removing an earlier installation in ${modules} …`);
		await rm(modules, { recursive: true, maxRetries: 3 });
	}
	mkdirSync(modules);
	writeFileSync(installing, String(process.pid));
	const done = () => rmSync(installing, { force: true });
	// Also at Ctrl-C: later, another program may have this process id.
	onShutdown(done);
	try {
		await install();
	} finally {
		done();
	}
	writeFileSync(stamp, hash);
}

/**
 * Number of packages at the top of node_modules with a package.json: cheap to count, and enough to show
 * progress. npm creates all folders first and fills them later.
 */
function countPackages(modules: string): number {
	if (!existsSync(modules)) return 0;
	return readdirSync(modules)
		.flatMap((name) =>
			name.startsWith('@')
				? readdirSync(join(modules, name)).map((each) => join(name, each))
				: [name],
		)
		.filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}

function countLockedPackages(folder: string): number {
	const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, unknown>;
	};
	return Object.keys(packages).filter((path) => path.lastIndexOf('node_modules/') === 0).length;
}
