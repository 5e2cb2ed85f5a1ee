/** The builds of a copy of the project: what users get, and what npm run dev starts. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyProject, useFolder } from './support';

const at = useFolder();

function build(task: string): string[] {
	const gulp = at('node_modules', 'gulp', 'bin', 'gulp.js');
	const { status, stderr } = spawnSync(process.execPath, [gulp, task], {
		cwd: at(),
		encoding: 'utf8',
		env: { ...process.env, NODE_ENV: undefined },
	});
	expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
	return globSync('dist/**/*.js.map', { cwd: at() }).map((file) => at(file));
}

test('only the build for development has source maps, which lead to the sources', () => {
	copyProject(at());
	expect(build('build')).toEqual([]);
	const maps = build('development');
	expect(maps).toContain(at('dist/nodes/VideoGenVideo/VideoGenVideo.node.js.map'));
	for (const map of maps) {
		const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] };
		const missing = sources.filter((source) => !existsSync(join(dirname(map), source)));
		expect([map, missing]).toEqual([map, []]);
	}
});
