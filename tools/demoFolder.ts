/**
 * `npm run demo` and `npm run dev` share one n8n folder, so that they show the same workflows. Its
 * database, package and credential are for one n8n at a time.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/e2e/n8n';
import { isProcessAlive, onShutdown } from './child';
import { projectRoot } from './install';
import { type Stage, type StageOptions, startStage } from './stage';

export const demoFolder = join(projectRoot, '.demo');

export const howToStartOver = '`npm run demo -- --reset` starts over with an empty n8n.';

const userFolder = join(demoFolder, 'n8n');
const usualPort = 5678;
const pidFile = /^(\d+)\.pid$/;

/**
 * Keeps the folder for this process until it ends. Throws when another process that lives has it.
 * Call it before anything is built or packed: that would reach the n8n that runs, too.
 */
export function lockDemoFolder(): void {
	// Each process has a file of its own and makes it before it looks around: of two that start in
	// the same moment both may give way, but never both go on.
	mkdirSync(demoFolder, { recursive: true });
	const own = join(demoFolder, `${process.pid}.pid`);
	writeFileSync(own, '');
	// However this process ends, unless it is killed. A shutdown hook would miss the usual ends.
	process.on('exit', () => rmSync(own, { force: true }));
	for (const name of readdirSync(demoFolder)) {
		const pid = Number(pidFile.exec(name)?.[1] ?? process.pid);
		if (pid === process.pid) continue;
		const file = join(demoFolder, name);
		if (isProcessAlive(pid)) {
			throw new Error(
				`A demo runs already (process ${pid}): stop it first, with Ctrl-C in its terminal.\n` +
					`(npm run dev counts as one. If process ${pid} is another program, delete ${file}.)`,
			);
		}
		rmSync(file, { force: true });
	}
}

/** Only for who has locked it. */
export function emptyDemoFolder(): void {
	for (const name of readdirSync(demoFolder)) {
		if (pidFile.test(name)) continue;
		rmSync(join(demoFolder, name), { recursive: true, force: true, maxRetries: 3 });
	}
}

/** Starts n8n on the folder, and a simulator; both are closed at Ctrl-C. */
export async function startDemoStage(options: Omit<StageOptions, 'userFolder'>): Promise<Stage> {
	const usedBefore = existsSync(join(userFolder, '.n8n', 'database.sqlite'));
	try {
		const port = await freePort(usualPort);
		if (port !== usualPort) options.log(`Port ${usualPort} is taken: n8n gets port ${port}`);
		const stage = await startStage({ ...options, userFolder, port });
		onShutdown(stage.close);
		return stage;
	} catch (error) {
		// A password that the user changed in n8n, for one, keeps us out.
		if (!usedBefore) throw error;
		const message = error instanceof Error ? error.message : String(error);
		throw new Error(
			`${message}\nIf it is about what was changed in n8n (the password, say): ${howToStartOver}`,
		);
	}
}
