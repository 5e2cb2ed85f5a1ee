/** Links in shipped files lead to the repository if package.json names one; otherwise they are plain text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';
import {
	addDocumentationLink,
	completePackageJson,
	replaceDocumentationUrl,
	getRepositoryUrl,
	makeLinksAbsolute,
	placeholderDocumentationUrl,
} from '../../tools/links';

const site = 'https://code.example/owner/name';
const read = (...names: string[]) => readFileSync(join(projectRoot, ...names), 'utf8');

test.each([
	[{}, undefined],
	[{ repository: { url: '' } }, undefined],
	[{ repository: { url: `git+${site}.git` } }, site],
	[{ repository: site }, site],
])('the site of %j is %s', (packageJson, expected) => {
	expect(getRepositoryUrl(packageJson)).toBe(expected);
});

test('a codex file links to the page of its node', () => {
	const codex = read('nodes', 'VideoGenVideo', 'VideoGenVideo.node.json');
	expect(addDocumentationLink(codex, 'VideoGenVideo', undefined)).toBe(codex);
	expect(JSON.parse(addDocumentationLink(codex, 'VideoGenVideo', site))).toEqual({
		...(JSON.parse(codex) as object),
		resources: {
			primaryDocumentation: [{ url: `${site}/blob/HEAD/docs/nodes/VideoGenVideo.md` }],
		},
	});
});

test('the shipped package.json has the homepage and the URL for bugs of the repository', () => {
	const text = '{"name":"a","homepage":"b"}';
	expect(completePackageJson(text, undefined)).toBe(text);
	expect(JSON.parse(completePackageJson(text, site))).toEqual({
		name: 'a',
		homepage: `${site}#readme`,
		bugs: { url: `${site}/issues` },
	});
});

test('a credential links to its chapter of the README, which exists', () => {
	const code = `documentationUrl = '${placeholderDocumentationUrl}';`;
	expect(replaceDocumentationUrl(code, undefined)).toBe(code);
	expect(replaceDocumentationUrl(code, site)).toBe(
		`documentationUrl = '${site}/blob/HEAD/README.md#credentials';`,
	);
	expect(read('README.md')).toMatch(/^#+ Credentials$/m);
});

test.each([
	['[a](docs/b.md#c)', 'a', `[a](${site}/blob/HEAD/docs/b.md#c)`],
	['[`[x]` a](./b.md)', '`[x]` a', `[\`[x]\` a](${site}/blob/HEAD/b.md)`],
	['![a](docs/b.webp) c', ' c', `![a](${site}/raw/HEAD/docs/b.webp) c`],
	['[a](https://b.example) [c](#d)', '[a](https://b.example) [c](#d)', undefined],
])('%s becomes "%s" without a repository, and %s with one', (text, without, withSite) => {
	expect(makeLinksAbsolute(text, undefined)).toBe(without);
	expect(makeLinksAbsolute(text, site)).toBe(withSite ?? text);
});

test('the shipped README has no relative link', () => {
	for (const one of [undefined, site]) {
		const targets = [...makeLinksAbsolute(read('README.md'), one).matchAll(/\]\(([^)]+)\)/g)].map(
			([, target]) => target,
		);
		expect(targets.filter((target) => !/^(https:\/\/|#)/.test(target ?? ''))).toEqual([]);
	}
});
