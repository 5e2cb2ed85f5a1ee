/** Reasons not to release a version, and the notes of a release. */
import { type ReleaseState, findMissing, renderReleaseNotes } from '../../tools/release';
import { findOtherLicenses } from '../../tools/sbom';

const ready: ReleaseState = {
	version: '0.10.0',
	simulatorVersion: '0.10.0',
	changelog: '# Changelog\n\n## 0.10.0 - 2026-11-25\n\n- More.\n\n## 0.9.0 - 2026-11-01\n',
	repository: 'https://code.example/owner/name',
	site: 'https://docs.example/name',
	authorEmail: 'somebody@code.test',
	changed: [],
	env: { GITHUB_REF_NAME: 'v0.10.0' },
};

test('a complete release has no missing parts', () => {
	expect(findMissing(ready)).toEqual([]);
});

test.each<[string, Partial<ReleaseState>, string]>([
	[
		'an older changelog',
		{ changelog: '## 0.9.0 - 2026-11-01\n' },
		'CHANGELOG.md begins with 0.9.0',
	],
	['no date', { changelog: '## 0.10.0 (not yet released)\n' }, 'CHANGELOG.md has no date'],
	['another simulator', { simulatorVersion: '0.9.0' }, 'simulator/package.json says 0.9.0'],
	['no repository', { repository: undefined }, 'package.json names no "repository"'],
	['no site', { site: undefined }, 'package.json has no documentation site'],
	['a placeholder as author', { authorEmail: 'a@b.example' }, 'package.json names no "author"'],
	['no email address', { authorEmail: '' }, 'package.json names no "author"'],
	['a changed file', { changed: ['README.md'] }, 'Not committed: README.md'],
	['another tag', { env: { GITHUB_REF_NAME: 'main' } }, 'The tag is not v0.10.0'],
])('%s prevents publishing', (_, change, words) => {
	const [line, ...others] = findMissing({ ...ready, ...change });
	expect(line).toContain(words);
	expect(others).toEqual([]);
});

test('release notes are the newest section of the changelog and the checksums', () => {
	expect(renderReleaseNotes(ready, { 'a-0.10.0.tgz': 'abc' })).toBe(
		'- More.\n\n### SHA-256\n\n```\nabc  a-0.10.0.tgz\n```\n',
	);
});

test('links of the release notes lead to the files of the version', () => {
	const changelog = '## 0.10.0\n\n- [More](docs/more.md#a) and [b](https://b.example).\n';
	expect(renderReleaseNotes({ ...ready, changelog }, {})).toContain(
		'- [More](https://code.example/owner/name/blob/v0.10.0/docs/more.md#a) and [b](https://b.example).',
	);
});

test('a license that is not allowed is found, also if a package names none', () => {
	const components = [
		{ name: 'a', licenses: [{ license: { id: 'MIT' } }] },
		{ name: 'b', licenses: [{ license: { id: 'GPL-3.0-only' } }] },
		{ name: 'c', licenses: [{ expression: 'MIT OR X' }] },
		{ name: 'd', licenses: [] },
	];
	expect(findOtherLicenses(components, ['MIT'])).toEqual([
		'b: GPL-3.0-only',
		'c: MIT OR X',
		'd: no license',
	]);
});
