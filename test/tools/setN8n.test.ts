/** The version of n8n is only in tools/n8n; documents and tools agree with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';
import { findN8nVersion, n8nVersions, newestVersion } from '../../tools/n8nVersions';
import {
	documentsWithVersion,
	readEngineVersions,
	replaceVersion,
	sortVersions,
} from '../../tools/setN8n';

const read = (...names: string[]) => readFileSync(join(projectRoot, ...names), 'utf8');
const [major] = newestVersion.version.split('.');

test.each(documentsWithVersion)('%s names the n8n that the flows run on, and no other', (name) => {
	const named = read(name).match(
		new RegExp(`(?<![\\d.])${major}\\.\\d+\\.\\d+(?![\\d.]*\\d)`, 'g'),
	);
	// The page on compatibility also lists older releases, after the newest.
	const [first, ...others] = new Set(named);
	expect(first).toBe(newestVersion.version);
	expect(others.length > 0).toBe(name === 'docs/compatibility.md');
});

test.each(n8nVersions.map(({ version, folder }) => [version, folder]))(
	'n8n %s is locked in its folder',
	(version, folder) => {
		const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
			packages: Record<string, { version: string }>;
		};
		expect(packages['node_modules/n8n']?.version).toBe(version);
	},
);

test('README.md and the page on compatibility name every n8n that the flows run on', () => {
	for (const { version } of n8nVersions) {
		expect(read('README.md')).toContain(`n8n ${version}`);
		expect(read('docs', 'compatibility.md')).toContain(`\n| ${version} `);
	}
});

test('scripts and workflows name no version of n8n', () => {
	// The engine in devDependencies may have the same version number as n8n.
	const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
	const texts = {
		'package.json': JSON.stringify(scripts),
		...Object.fromEntries(
			['.ci/run', '.github/workflows/ci.yml', 'tools/n8nVersions.ts'].map((name) => [
				name,
				read(name),
			]),
		),
	};
	for (const { version } of n8nVersions) {
		const naming = Object.entries(texts).filter(([, text]) => text.includes(version));
		expect(naming.map(([name]) => name)).toEqual([]);
	}
});

test('a version is found by its major version', () => {
	expect(findN8nVersion('1')).toBe(n8nVersions[1]);
	expect(findN8nVersion(newestVersion.version)).toBe(newestVersion);
	expect(() => findN8nVersion('1.12')).toThrow('There is no n8n 1.12 here');
	const other = findN8nVersion('2.90.0');
	expect(other).toEqual({ ...newestVersion, version: '2.90.0', folder: other.folder });
	expect(other.folder).toMatch(/2.90.0$/);
});

test.each([
	['n8n 2.40.7. Before it:\n| 2.40.7   |', 'n8n 2.41.1. Before it:\n| 2.40.7   |'],
	['2.40.70 12.40.7 2.40.7.1', '2.40.70 12.40.7 2.40.7.1'],
	['| 2.40.7   | 24 |', '| 2.41.1   | 24 |'],
])('"%s" becomes "%s"', (before, after) => {
	expect(replaceVersion(before, '2.40.7', '2.41.1')).toBe(after);
});

test('the newest release comes first, and betas are left out', () => {
	const versions = ['2.9.0', '2.41.1', '2.41.3-beta.1', '2.40.12', '2.40.9', '1.123.81'];
	expect(sortVersions(versions)).toEqual(['2.41.1', '2.40.12', '2.40.9', '2.9.0', '1.123.81']);
});

test('the engine of a locked n8n is read from its lock file', () => {
	const packages = {
		'node_modules/n8n-core': { version: '2.41.1' },
		'node_modules/n8n-workflow': { version: '2.41.0' },
	};
	const engine = { 'n8n-core': '2.41.1', 'n8n-workflow': '2.41.0' };
	expect(readEngineVersions(JSON.stringify({ packages }))).toEqual(engine);
	expect(() => readEngineVersions('{"packages":{}}')).toThrow('has no n8n-core');
});
