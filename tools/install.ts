import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isProcessAlive, type Log, onShutdown, runCommand } from './child';
import { describeProgress } from './packageProgress';

export const projectRoot = join(__dirname, '..');

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
	const installs = args[0] === 'install' && !args.includes('--package-lock-only');
	const wanted = installs ? countLockedPackages(folder) : 0;
	log(`${label} …`);
	await runCommand('npm', args, {
		cwd: folder,
		label,
		log,
		// With some user settings, npm answers its own questions with no.
		env: { npm_config_yes: 'true', ...env },
		...(installs ? { progress: (seconds) => describeProgress(modules, seconds, wanted) } : {}),
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
	// Also after Ctrl-C, because another program may later have this process ID.
	onShutdown(done);
	try {
		await install();
	} finally {
		done();
	}
	writeFileSync(stamp, hash);
}

function countLockedPackages(folder: string): number {
	const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, unknown>;
	};
	return Object.keys(packages).filter((path) => path.lastIndexOf('node_modules/') === 0).length;
}
