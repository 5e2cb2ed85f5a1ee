/** npm run generate, on a copy of the project. */
import { readFileSync } from 'node:fs';
import { copyProject, readGitStatus, runScript, useFolder, write } from './support';

const at = useFolder();

const change = (file: string, from: string, to: string) => {
	const text = readFileSync(file, 'utf8');
	expect(text).toContain(from);
	write(file, text.replace(from, to));
};

test('a changed text is written to its page alone, and nothing if a test fails', () => {
	copyProject(at());
	const source = 'nodes/VideoGenFolder/operations/create.ts';
	const cases = 'test/integration/nodes/VideoGenFolder.test.ts';
	change(
		at(source),
		"description: 'Kind of content in the folder'",
		"description: 'What it holds'",
	);
	change(at(cases), "name: 'Spring'", "name: ''");
	const failed = runScript(at(), 'generate.ts', 'VideoGenFolder');
	expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining('create')]);
	expect(readGitStatus(at())).toEqual([` M ${source}`, ` M ${cases}`]);

	change(at(cases), "name: ''", "name: 'Spring'");
	const { stderr, status } = runScript(at(), 'generate.ts', 'VideoGenFolder');
	expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
	expect(readGitStatus(at())).toEqual([' M docs/nodes/VideoGenFolder.md', ` M ${source}`]);
	expect(readFileSync(at('docs/nodes/VideoGenFolder.md'), 'utf8')).toContain('What it holds.');

	change(at(source), "name: 'type'", "name: 'kind'");
	const rejected = runScript(at(), 'generate.ts', 'VideoGenFolder');
	expect(rejected.stderr).toContain('Saved workflows would break');
	expect(readGitStatus(at())).toEqual([' M docs/nodes/VideoGenFolder.md', ` M ${source}`]);
});
