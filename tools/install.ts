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

/** Changes whenever the folder's lock file does. */
export function hashLockFile(folder: string): string {
	return createHash('sha256')
		.update(readFileSync(join(folder, 'package-lock.json')))
		.digest('hex')
		.slice(0, 16);
}

/** Runs npm in a folder that has a lock file of its own, with progress. */
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
		// Some users' settings answer npm's questions with no.
		env: { npm_config_yes: 'true', ...env },
		...(installs
			? { progress: () => `${countPackages(modules)} of about ${wanted} packages` }
			: {}),
	});
}

/**
 * Calls `install` once for every state of the folder's lock file, on a folder without node_modules:
 * npm trusts the half-unpacked packages of an installation that was cut off. Throws when another
 * process is installing there, and where node_modules is a link to another place.
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
			throw new Error(`${path} is a link, and nothing is installed through it: remove the link.`);
		}
	}
	const installing = join(modules, '.installing');
	const installer = existsSync(installing) ? Number(readFileSync(installing, 'utf8')) : 0;
	if (installer > 0 && isProcessAlive(installer)) {
		throw new Error(
			`Process ${installer} is installing ${modules}: try again when it is done. ` +
				`(If process ${installer} is another program, delete ${installing}.)`,
		);
	}
	if (existsSync(modules)) {
		log(`Removing what an earlier installation left in ${modules} …`);
		await rm(modules, { recursive: true, maxRetries: 3 });
	}
	mkdirSync(modules);
	writeFileSync(installing, String(process.pid));
	const done = () => rmSync(installing, { force: true });
	// At Ctrl-C, too: another program may have our number by the next time.
	onShutdown(done);
	try {
		await install();
	} finally {
		done();
	}
	writeFileSync(stamp, hash);
}

/**
 * The packages at the top of node_modules: cheap to count, and enough to see progress. npm makes
 * all folders first and fills them later.
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
