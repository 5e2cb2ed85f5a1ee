import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import type { Flow } from '../flow';
import { until } from '../workflows';

interface Running {
	/** Waits until what it has printed says so. */
	says(what: string | RegExp): Promise<void>;
	/** How often it has printed that. */
	count(what: string): number;
}

/** Runs a command of the documents as at a terminal, and ends it with Ctrl-C. */
async function untilCtrlC(script: string, use: (running: Running) => Promise<void>) {
	const command = spawn('npm', ['run', script], {
		cwd: projectRoot,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const { pid } = command;
	assert.ok(pid, 'npm does not start');
	let said = '';
	for (const stream of [command.stdout, command.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (said += text));
	}
	const ended = once(command, 'exit');
	const isOver = () => command.exitCode !== null || command.signalCode !== null;
	const running: Running = {
		count: (what) => said.split(what).length - 1,
		says: async (what) => {
			await until(
				`${what} of npm run ${script}`,
				() => isOver() || said.search(what) >= 0,
				300_000,
			);
			assert.ok(!isOver(), said);
		},
	};
	try {
		await running.says(/^ +n8n +http:/m);
		const [, address = ''] = /^ +n8n +(http:\S+)/m.exec(said) ?? [];
		// Signed in or not, it is n8n that answers.
		const status = async () => (await fetch(new URL('types/nodes.json', address))).status;
		assert.ok([200, 401].includes(await status()), said);
		await use(running);
		process.kill(-pid, 'SIGINT');
		await ended;
		await assert.rejects(status(), `n8n is still running after ${script}`);
	} finally {
		if (!isOver()) process.kill(-pid, 'SIGKILL');
	}
}

export const flow: Flow = {
	name: 'npm run dev restarts n8n after a change, npm run demo has its video; both end with Ctrl-C',
	isWeekly: true,
	run: async () => {
		await untilCtrlC('dev', async ({ says, count }) => {
			await says('Watching ');
			const before = count('n8n runs after');
			const file = join(projectRoot, 'nodes', 'VideoGenAccount', 'VideoGenAccount.node.ts');
			utimesSync(file, new Date(), new Date());
			await until('a restart', () => count('n8n runs after') > before, 120_000);
		});
		await untilCtrlC('demo', async ({ says }) => await says('The simulated video is ready: '));
	},
};
