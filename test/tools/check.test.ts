/** npm run check, on a copy of the project. */
import { readFileSync } from 'node:fs';
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
