import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import type { Flow } from '../flow';
import { until } from '../workflows';

export const flow: Flow = {
	name: 'npm run dev links the package, restarts n8n after a change, and ends with Ctrl-C',
	run: async () => {
		const dev = spawn('npm', ['run', 'dev'], {
			cwd: projectRoot,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		let said = '';
		for (const stream of [dev.stdout, dev.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => (said += text));
		}
		const ended = once(dev, 'exit');
		const group = -(dev.pid ?? assert.fail('npm does not start'));
		const starts = () => said.split('n8n runs after').length - 1;
		const comesTo = async (what: string, isSo: () => boolean) =>
			await until(
				`${what}, after: ${said}`,
				() => isSo() || (dev.exitCode !== null && assert.fail(said)),
				240_000,
			);
		try {
			await comesTo('n8n', () => said.includes('Watching '));
			const [, address = ''] = /n8n +(http:\S+)/.exec(said) ?? [];
			const names = async () => {
				const response = await fetch(new URL('types/nodes.json', address));
				return response.status;
			};
			// Signed in or not, it is n8n that answers.
			assert.ok([200, 401].includes(await names()), said);
			const before = starts();
			const file = join(projectRoot, 'nodes', 'VideoGenAccount', 'VideoGenAccount.node.ts');
			utimesSync(file, new Date(), new Date());
			await comesTo('a restart', () => starts() > before);

			process.kill(group, 'SIGINT');
			await ended;
			await assert.rejects(names(), 'n8n has ended');
		} finally {
			if (dev.exitCode === null && dev.signalCode === null) process.kill(group, 'SIGKILL');
		}
	},
};
