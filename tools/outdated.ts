/* Compares the dependencies that are a major version behind with those that the publishing page explains. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from './child';
import { projectRoot } from './install';
import { readOptions } from './options';

const help = `Lists the dependencies that are a major version behind, in all folders that pin their own. Fails if
docs/contributing/publishing.md does not say why, or explains one that is not behind. n8n itself is
compared in newest-n8n.yml.

  npm run outdated`;

const folders = ['.', 'site', 'tools/scan', 'tools/rehearsal', 'tools/mutation'];

interface Outdated {
	wanted: string;
	latest: string;
}

const getMajor = (version: string) => Number(version.split('.')[0]);

/** Returns the names of the packages whose pinned version has a lower major version than the newest. */
export function findBehind(report: string): string[] {
	// npm lists a package once for each workspace that needs it.
	const packages = Object.entries(JSON.parse(report) as Record<string, Outdated | Outdated[]>);
	return packages
		.filter(([, found]) =>
			[found].flat().some(({ wanted, latest }) => getMajor(wanted) < getMajor(latest)),
		)
		.map(([name]) => name);
}

/** Returns the names of the packages that the page lists under "Dependencies". */
export function readExplained(page: string): string[] {
	const [, section = ''] = page.split(/^### Dependencies$/m);
	const [list = ''] = section.split(/^#/m);
	const labels = [...list.matchAll(/^- ([^:]+):/gm)].map(([, label = '']) => label);
	return labels.flatMap((label) => [...label.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** Returns the packages that the page should explain but does not, and those explained without need. */
export function comparePage(behind: readonly string[], explained: readonly string[]): string[] {
	return [
		...behind.filter((name) => !explained.includes(name)).map((name) => `${name}: not explained`),
		...explained.filter((name) => !behind.includes(name)).map((name) => `${name}: not behind`),
	];
}

function main() {
	readOptions(help);
	const behind = folders.flatMap((folder) => {
		const options = { cwd: join(projectRoot, folder), encoding: 'utf8' as const };
		// npm's status is 1 if it lists a package.
		const { stdout, stderr } = spawnSync('npm', ['outdated', '--json'], options);
		if (!stdout.trim().startsWith('{')) throw new Error(`npm outdated in ${folder}: ${stderr}`);
		return findBehind(stdout);
	});
	const page = readFileSync(join(projectRoot, 'docs', 'contributing', 'publishing.md'), 'utf8');
	const problems = comparePage(behind, readExplained(page));
	console.log(`${behind.length} dependencies are a major version behind: ${behind.join(', ')}`);
	if (problems.length > 0)
		throw new Error(`In the list of dependencies:\n- ${problems.join('\n- ')}`);
}

if (require.main === module) {
	try {
		main();
	} catch (error) {
		fail(error);
	}
}
