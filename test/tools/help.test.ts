/** Help texts and messages about wrong arguments. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';
import type { Command, Result } from './runCommands';

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
const tools = Object.entries(scripts).flatMap(([name, command]) => {
	const [, file] = /^node tools\/bootstrap\.js (\S+)$/.exec(command) ?? [];
	return file === undefined ? [] : [[name, file] as const];
});

/** Runs commands without npm and bootstrap.js, which print nothing of their own. */
function runCommands(commands: readonly Command[]): Result[] {
	const script = join(__dirname, 'runCommands.ts');
	const { stdout, stderr } = spawnSync(
		process.execPath,
		['--import', require.resolve('tsx'), script, JSON.stringify(commands)],
		{ cwd: projectRoot, encoding: 'utf8', timeout: 250_000 },
	);
	expect(stderr).toBe('');
	return JSON.parse(stdout) as Result[];
}

test('the tools are found', () => {
	const some = ['demo', 'dev', 'e2e', 'simulator', 'scan', 'faults', 'bench', 'generate'];
	expect(tools.map(([name]) => name)).toEqual(expect.arrayContaining(some));
});

test('every command prints its help', () => {
	const results = runCommands(tools.map(([, file]) => [file, '--help']));
	expect(results).toEqual(
		tools.map(([name]) => ({
			stdout: expect.stringContaining(`npm run ${name}`),
			stderr: '',
			status: 0,
		})),
	);
});

test('lists the flows if the word matches none, without a stack', () => {
	const [result] = runCommands([['test/e2e/run.ts', 'nosuchflow']]);
	expect(result?.status).toBe(1);
	expect(result?.stderr).toMatch(/^No flow has nosuchflow in its name:\n  00-boots +n8n lists/);
	expect(result?.stderr).not.toMatch(/\n\s+at /);
});

test('npm run simulator prints one readable line about a wrong option', () => {
	const wrong = [
		[['--seconds', '-1'], 'The time of a job is "-1": give --seconds'],
		[['--port', '-1'], 'The port is "-1": give --port'],
		[['--port', 'many'], 'The port is "many": give --port'],
		[['--tunnel', 'x'], 'The tunnel is "x": give --tunnel'],
		[['--nope'], "Unknown option '--nope': give options as in --port 4010"],
		[['--host', '203.0.113.7', '--port', '0'], 'no address of this machine'],
		[['--key', 'two words'], 'spaces or special characters'],
		[['--url', 'simulator:4010'], 'an http or https URL'],
	] as const;
	const results = runCommands(wrong.map(([args]) => ['simulator/main.ts', ...args]));
	const line = expect.stringMatching(/^[^\n]+\n$/);
	expect(results).toEqual(wrong.map(() => ({ stdout: '', stderr: line, status: 1 })));
	expect(results.map(({ stderr }) => stderr)).toEqual(
		wrong.map(([, words]) => expect.stringContaining(words)),
	);
});
