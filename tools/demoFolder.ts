/**
 * The n8n folder that `npm run demo` and `npm run dev` share, so that both show the same workflows. Only
 * one n8n at a time can use it.
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
 * Locks the folder for this process until it ends. Throws if a running process holds the lock. Call it
 * before building or packing, which would change the package of a running n8n.
 */
export function lockDemoFolder(): void {
	// Each process writes its own file before it looks for others. If two processes start at the same
	// moment, both may fail, but never do both continue.
	mkdirSync(demoFolder, { recursive: true });
	const own = join(demoFolder, `${process.pid}.pid`);
	writeFileSync(own, '');
	// Runs at every end except a kill. A shutdown hook would not run at a regular end.
	process.on('exit', () => rmSync(own, { force: true }));
	for (const name of readdirSync(demoFolder)) {
		const pid = Number(pidFile.exec(name)?.[1] ?? process.pid);
		if (pid === process.pid) continue;
		const file = join(demoFolder, name);
		if (isProcessAlive(pid)) {
			throw new Error(
				`A demo is already running (process ${pid}): stop it first, with Ctrl-C in its terminal.\n` +
					`(npm run dev counts as one. If process ${pid} is another program, delete ${file}.)`,
			);
		}
		rmSync(file, { force: true });
	}
}

/** Removes everything except the locks. Call it only while this process holds the lock. */
export function emptyDemoFolder(): void {
	for (const name of readdirSync(demoFolder)) {
		if (pidFile.test(name)) continue;
		rmSync(join(demoFolder, name), { recursive: true, force: true, maxRetries: 3 });
	}
}

/**
 * Starts n8n with the folder, and a simulator. Ctrl-C stops both. n8n has no public URL: everything is on
 * localhost, including the forms of workflows and the URLs to which the simulator delivers events.
 */
export async function startDemoStage({
	simulator,
	...options
}: Omit<StageOptions, 'userFolder' | 'port' | 'webhookUrl'>): Promise<Stage> {
	const usedBefore = existsSync(join(userFolder, '.n8n', 'database.sqlite'));
	try {
		const port = await freePort(usualPort);
		if (port !== usualPort) options.log(`Port ${usualPort} is in use: n8n uses port ${port}`);
		const stage = await startStage({
			...options,
			...{ userFolder, port, webhookUrl: `http://localhost:${port}/` },
			simulator: { ...simulator, renderVideos: true, localEndpoints: true },
		});
		onShutdown(stage.close);
		return stage;
	} catch (error) {
		// For example, the user may have changed the password in n8n.
		if (!usedBefore) throw error;
		const message = error instanceof Error ? error.message : String(error);
		throw new Error(
			`${message}\nIf a change in n8n caused this, such as a new password: ${howToStartOver}`,
		);
	}
}
