/** Reasons not to publish a version. */
import { type ReleaseState, findMissing } from '../../tools/release';

const ready: ReleaseState = {
	version: '0.10.0',
	changelog: '# Changelog\n\n## 0.10.0\n\n- More.\n\n## 0.9.0\n',
	site: 'https://code.example/owner/name',
	changed: [],
	env: { GITHUB_REF_NAME: 'v0.10.0', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://sign.example' },
};

test('a complete release has no missing parts', () => {
	expect(findMissing(ready)).toEqual([]);
});

test.each<[string, Partial<ReleaseState>, string]>([
	['an older changelog', { changelog: '## 0.9.0\n' }, 'CHANGELOG.md begins with 0.9.0'],
	['no repository', { site: undefined }, 'package.json names no "repository"'],
	['a changed file', { changed: ['README.md'] }, 'Not committed: README.md'],
	['another tag', { env: { ...ready.env, GITHUB_REF_NAME: 'main' } }, 'The tag is not v0.10.0'],
	['another machine', { env: { GITHUB_REF_NAME: 'v0.10.0' } }, 'Only the workflow can sign'],
])('%s prevents publishing', (_, change, words) => {
	const [line, ...others] = findMissing({ ...ready, ...change });
	expect(line).toContain(words);
	expect(others).toEqual([]);
});
