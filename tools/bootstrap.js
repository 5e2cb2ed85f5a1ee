// Runs a TypeScript file on the Node that the project pins, after installing the project's packages if
// they are missing. Plain JavaScript without dependencies, because it also runs in a fresh clone.
//
//   node tools/bootstrap.js <file.ts> [arguments]

const { spawn } = require('node:child_process');
const { existsSync, lstatSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { describeProgress } = require('./packageProgress');

const root = join(__dirname, '..');
const modules = join(root, 'node_modules');
const onWindows = process.platform === 'win32';
const pinnedNode = join(modules, 'node', 'bin', onWindows ? 'node.exe' : 'node');

/** @param {string} path */
function packagesOf(path) {
	return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/**
 * Whether the installed packages match the lock file. Compares contents, because a checkout may give the
 * file any date. Ignores optional packages, which may be for other platforms, and workspace packages,
 * which are part of the checkout.
 */
function isInstalled() {
	const installedLock = join(modules, '.package-lock.json');
	if (!existsSync(installedLock)) return false;
	const installed = packagesOf(installedLock);
	return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
		([path, wanted]) =>
			!path.startsWith('node_modules/') ||
			wanted.optional ||
			installed[path]?.version === wanted.version,
	);
}

/**
 * Ends the current child process.
 * @type {(signal: NodeJS.Signals) => void}
 */
let end = () => process.exit(1);
let interrupted = false;

/** @param {NodeJS.Signals} signal */
function passOn(signal) {
	interrupted = true;
	end(signal);
}

/** Ends the child process when this process receives a signal or loses its parent. */
function watchForShutdown() {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => passOn(signal));
	// npm sends a signal to the shell between npm and this process. The shell ends without passing it on.
	const parent = process.ppid;
	if (!process.env.npm_lifecycle_event) return;
	setInterval(() => {
		if (process.ppid !== parent) passOn('SIGTERM');
	}, 1000).unref();
}

/**
 * Runs npm. A guard kills npm and its children if this process is killed: a second npm in the same folder
 * would mix up the packages.
 * @param {string[]} args
 * @param {string} label
 */
function npm(args, label) {
	const started = Date.now();
	const progress = setInterval(() => {
		const seconds = Math.round((Date.now() - started) / 1000);
		console.log(`${label}: ${seconds} s, ${describeProgress(modules, seconds)}`);
	}, 10_000);
	console.log(`${label} …`);
	const guard = spawn(process.execPath, [join(__dirname, 'guard.js')], {
		stdio: ['pipe', 'ignore', 'ignore'],
		detached: true,
	});
	return new Promise((resolve, reject) => {
		// npm's warnings are about other people's packages, and only worry users.
		const quiet = ['--no-audit', '--no-fund', '--yes', '--loglevel=error'];
		const running = spawn('npm', [...args, ...quiet], {
			cwd: root,
			stdio: ['ignore', 'inherit', 'inherit'],
			shell: onWindows,
			detached: !onWindows,
		});
		guard.stdin.write(`${JSON.stringify({ group: running.pid })}\n`);
		// If npm received a signal, it would spend minutes removing files that the next installation
		// removes anyway. The guard kills it when its input closes.
		end = () => guard.stdin.end();
		running.on('error', reject);
		running.on('exit', (code) => {
			clearInterval(progress);
			// The guard ends what npm has left running, and then itself.
			guard.stdin.end();
			end = () => process.exit(1);
			if (interrupted) reject(new Error(`${label} was stopped; the next run starts over`));
			else if (code === 0) resolve(undefined);
			else reject(new Error(`npm ${args.join(' ')} ended with exit code ${code}`));
		});
	});
}

async function main() {
	const [script, ...args] = process.argv.slice(2);
	if (!script) throw new Error('Usage: node tools/bootstrap.js <file.ts> [arguments]');

	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	if (major < 20 || (major === 20 && minor < 19)) {
		throw new Error(`Node 20.19 or newer is needed, this is ${process.versions.node}`);
	}

	watchForShutdown();
	if (!isInstalled()) {
		// npm would empty the folder that a link leads to, which other checkouts may use.
		if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) {
			throw new Error(
				`${modules} is a link to other packages than those of this checkout. Remove it.`,
			);
		}
		// NODE_ENV=production or omit=dev in the user's settings would leave out the tools.
		await npm(['ci', '--include=dev'], 'Installing the project');
	}
	// The package `node` downloads its binary in an install script, which some settings disable.
	if (!existsSync(pinnedNode)) {
		await npm(['rebuild', 'node', '--ignore-scripts=false'], 'Installing the pinned Node');
	}

	const running = spawn(pinnedNode, ['--import', 'tsx', script, ...args], {
		cwd: root,
		stdio: 'inherit',
		env: {
			...process.env,
			PATH: `${join(modules, '.bin')}${onWindows ? ';' : ':'}${process.env.PATH ?? ''}`,
		},
	});
	// The script ends its own children; this process only has to outlive it.
	end = (signal) => running.kill(signal);
	running.on('exit', (code, signal) => {
		process.exitCode = code ?? (signal ? 1 : 0);
	});
}

main().catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
