/** npm run check, on a copy of the project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChangedLimits, readTestFailures, renderTasks } from '../../tools/check';
import { projectRoot } from '../../tools/install';
import { copyProject, runScript, useFolder, write } from './support';

const at = useFolder();

test('the types, lint, format and tests of a changed file are one list', () => {
	copyProject(at());
	expect(runScript(at(), 'check.ts')).toEqual({
		stdout: 'No file differs from the last commit\n',
		stderr: '',
		status: 0,
	});

	const file = at('nodes', 'VideoGenFolder', 'operations', 'create.ts');
	const source = readFileSync(file, 'utf8').replace("name: 'Create'", "name: 'Make'");
	write(file, `${source}const   count: number = 'one';\n`);
	const { stdout, status } = runScript(at(), 'check.ts');
	expect(status).toBe(1);
	expect(stdout).toContain('Checking nodes/VideoGenFolder/operations/create.ts (1 in all)');
	const [, list = ''] = stdout.split(' to do:');
	const line = source.split('\n').length;
	for (const task of [
		`create.ts:${line}:9\n   Type 'string' is not assignable to type 'number'. (TS2322)`,
		`create.ts:${line}:9\n   'count' is assigned a value but never used. (@typescript-eslint/no-unused-vars)`,
		'Format it: npx prettier --write nodes/VideoGenFolder/operations/create.ts',
		'npm run generate\n   Out of date: docs/contributing/api-coverage.md, docs/nodes/README.md, docs/nodes/VideoGenFolder.md',
	]) {
		expect(list).toContain(task);
	}
});

test('commands are the first tasks, and messages of tests are short', () => {
	const fail = (name: string, message: string) => ({
		name: join(projectRoot, 'test', name),
		message: '',
		assertionResults: [
			{ status: 'failed', ancestorTitles: [], title: 'works', failureMessages: [message] },
		],
	});
	const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');
	const tasks = readTestFailures(
		JSON.stringify({
			testResults: [
				fail('one.test.ts', `Error: No ${join(projectRoot, 'docs', 'x.md')}\n${lines}`),
				fail('two.test.ts', 'Error: Run npm run generate: docs/y.md'),
			],
		}),
	);
	const text = renderTasks(tasks);
	expect(text).toMatch(/^2 to do:\n\n1\. npm run generate\n {3}Out of date: docs\/y\.md\n/);
	expect(text).toContain('2. test/one.test.ts\n   works\n   No docs/x.md\n');
	expect(text).toMatch(/line 39\n {3}… and 1 more line$/);
});

test('finds the entries of nodes/apiLimits.ts that have changed', () => {
	const before = readFileSync(join(projectRoot, 'nodes', 'apiLimits.ts'), 'utf8');
	expect(findChangedLimits(before, before)).toEqual([]);
	const after = before
		.replace('export const apiLimits = {\n', "$&\t'POST /v3/labels': { name: { min: 1 } },\n")
		.replace(
			'	AvatarVideo: { script: { min: 1, max: 5000 } },',
			'	AvatarVideo: {\n		script: { min: 2 },\n	},',
		);
	expect(after.length).toBeGreaterThan(before.length);
	expect(findChangedLimits(before, after)).toEqual(['AvatarVideo', 'POST /v3/labels']);
});
