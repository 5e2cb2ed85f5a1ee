/** Help texts and messages about wrong arguments. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
	scripts: Record<string, string>;
};
const tools = Object.entries(scripts).flatMap(([name, command]) => {
	const [, file] = /^node tools\/bootstrap\.js (\S+)$/.exec(command) ?? [];
	return file === undefined ? [] : [[name, file] as const];
});

/** Runs a tool without npm and bootstrap.js, which print nothing of their own. */
function runTool(file: string, ...args: string[]) {
	const { stdout, stderr, status } = spawnSync(
		process.execPath,
		['--import', require.resolve('tsx'), join(projectRoot, file), ...args],
		{ cwd: projectRoot, encoding: 'utf8', timeout: 25_000 },
	);
	return { stdout, stderr, status };
}

test('the tools are found', () => {
	const some = ['demo', 'dev', 'e2e', 'simulator', 'scan', 'faults', 'bench', 'generate'];
	expect(tools.map(([name]) => name)).toEqual(expect.arrayContaining(some));
});

test.each(tools)('npm run %s -- --help prints its help', (name, file) => {
	const { stdout, stderr, status } = runTool(file, '--help');
	expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
	expect(stdout).toContain(`npm run ${name}`);
});

test('lists the flows if the word matches none, without a stack', () => {
	const { stderr, status } = runTool('test/e2e/run.ts', 'nosuchflow');
	expect(status).toBe(1);
	expect(stderr).toMatch(/^No flow has nosuchflow in its name:\n  00-boots +n8n lists/);
	expect(stderr).not.toMatch(/\n\s+at /);
});

test.each([
	[['--seconds', '-1'], 'The time of a job is "-1": give --seconds'],
	[['--port', '-1'], 'The port is "-1": give --port'],
	[['--port', 'many'], 'The port is "many": give --port'],
	[['--tunnel', 'x'], 'The tunnel is "x": give --tunnel'],
	[['--nope'], "Unknown option '--nope': give options as in --port 4010"],
])('npm run simulator -- %j prints one readable line', (args, words) => {
	const { stderr, status } = runTool('simulator/main.ts', ...args);
	expect(status).toBe(1);
	expect(stderr).toContain(words);
	expect(stderr.trim().split('\n')).toHaveLength(1);
});
