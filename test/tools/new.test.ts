/** npm run new, on a copy of the project. */
import { readFileSync } from 'node:fs';
import { copyProject, readGitStatus, runScript, useFolder } from './support';

const at = useFolder();

test('an operation and a node are written, and the check lists what is left', () => {
	copyProject(at());
	const request = 'POST /v3/folders/{folder_id}/archive';
	const operation = ['operation', 'VideoGenFolder', 'archive', '--request', request];
	expect(runScript(at(), 'new.ts', ...operation).stderr).toBe('');
	expect(readGitStatus(at())).toEqual([
		' M nodes/VideoGenFolder/operations/index.ts',
		' M simulator/openapi.yaml',
		' M simulator/requestTypes.ts',
		' M simulator/resources/folders.ts',
		' M test/integration/nodes/VideoGenFolder.test.ts',
		'?? nodes/VideoGenFolder/operations/archive.ts',
	]);
	expect(readFileSync(at('nodes/VideoGenFolder/operations/archive.ts'), 'utf8')).toContain(
		"import { folderField } from '../../fields/folder';",
	);
	expect(readFileSync(at('simulator/openapi.yaml'), 'utf8')).toMatch(
		/\n  \/v3\/folders\/\{folder_id\}:\n(?: {4}.*\n)+  \/v3\/folders\/\{folder_id\}\/archive:\n {4}parameters:\n.*parameters\/folder_id/,
	);
	const posters = '/v3/movie-posters';
	const node = ['node', 'MoviePoster', 'create', '--request', `POST ${posters}`];
	expect(runScript(at(), 'new.ts', ...node).stderr).toBe('');
	const list = ['operation', 'VideoGenMoviePoster', 'getMany', '--request', `GET ${posters}`];
	expect(runScript(at(), 'new.ts', ...list).stderr).toBe('');
	expect(readGitStatus(at())).toEqual(
		expect.arrayContaining([
			' M README.md',
			' M package.json',
			' M simulator/resources/index.ts',
			' M simulator/rows.ts',
			' M tools/icons.ts',
			'?? nodes/VideoGenMoviePoster/VideoGenMoviePoster.node.json',
			'?? nodes/VideoGenMoviePoster/VideoGenMoviePoster.node.ts',
			'?? nodes/VideoGenMoviePoster/operations/create.ts',
			'?? nodes/VideoGenMoviePoster/operations/getMany.ts',
			'?? nodes/VideoGenMoviePoster/operations/index.ts',
			'?? simulator/resources/moviePosters.ts',
			'?? test/integration/nodes/VideoGenMoviePoster.test.ts',
		]),
	);
	expect(readFileSync(at('package.json'), 'utf8')).toContain(
		'"dist/nodes/VideoGenMoviePoster/VideoGenMoviePoster.node.js",\n\t\t\t"dist/nodes/VideoGenTrigger/',
	);

	// The code needs no work but what is to be filled in and generated.
	const { stdout } = runScript(at(), 'check.ts');
	const tasks = [...stdout.matchAll(/^\d+\. (.*)/gm)].map(([, place = '']) => place);
	expect(tasks).toEqual(expect.arrayContaining(['npm run generate', 'test/unit/layout.test.ts']));
	expect(tasks.filter((place) => !/^(npm|test\/unit)\b/.test(place))).toEqual([]);
	for (const text of [
		'nodes/VideoGenFolder/operations/archive.ts:8 description: ',
		'nodes/VideoGenMoviePoster/VideoGenMoviePoster.node.ts:18 description: ',
		'docs/nodes/VideoGenMoviePoster.md',
	]) {
		expect(stdout).toContain(text);
	}
});

test('a second operation or node of the same name changes nothing', () => {
	copyProject(at());
	for (const [words, message] of [
		[
			['operation', 'VideoGenFolder', 'get'],
			'Folder of VideoGenFolder already has the operation get.',
		],
		[['operation', 'VideoGenFolder', 'create it'], '"create it" is no name of an operation'],
		[
			['operation', 'VideoGenNone', 'get'],
			'There is no node with operations called "VideoGenNone"',
		],
		[['node', 'Folder'], 'nodes/VideoGenFolder already exists.'],
		[[], 'Name a node, or a node and an operation.'],
	] as const) {
		const { stderr, status } = runScript(at(), 'new.ts', ...words);
		expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
	}
	expect(readGitStatus(at())).toEqual([]);
});
