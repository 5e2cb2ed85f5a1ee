/** Links in shipped files lead to the site and the repository if package.json has their URLs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';
import {
	addDocumentationLink,
	completePackageJson,
	replaceDocumentationUrl,
	getRepositoryUrl,
	getSiteUrl,
	makeLinksAbsolute,
	placeholderDocumentationUrl,
	placeholderHomepage,
	placeholderSite,
	replaceSite,
} from '../../tools/links';

const repository = 'https://code.example/owner/name';
const site = 'https://docs.example/name';
const read = (...names: string[]) => readFileSync(join(projectRoot, ...names), 'utf8');

test.each([
	[{}, undefined],
	[{ repository: { url: '' } }, undefined],
	[{ repository: { url: `git+${repository}.git` } }, repository],
	[{ repository }, repository],
])('the repository of %j is %s', (packageJson, expected) => {
	expect(getRepositoryUrl(packageJson)).toBe(expected);
});

test.each([
	[{}, undefined],
	[{ homepage: placeholderHomepage }, undefined],
	[{ homepage: `${site}/` }, site],
])('the site of %j is %s', (packageJson, expected) => {
	expect(getSiteUrl(packageJson)).toBe(expected);
});

test('a codex file links to the page of its node', () => {
	const codex = read('nodes', 'VideoGenVideo', 'VideoGenVideo.node.json');
	expect(addDocumentationLink(codex, 'VideoGenVideo', undefined)).toBe(codex);
	expect(JSON.parse(addDocumentationLink(codex, 'VideoGenVideo', site))).toEqual({
		...(JSON.parse(codex) as object),
		resources: { primaryDocumentation: [{ url: `${site}/nodes/VideoGenVideo` }] },
	});
});

test('the shipped package.json has the URL for bugs, and a homepage instead of the placeholder', () => {
	const text = JSON.stringify({ name: 'a', homepage: placeholderHomepage });
	expect(completePackageJson(text, undefined)).toBe(text);
	expect(JSON.parse(completePackageJson(text, repository))).toEqual({
		name: 'a',
		homepage: `${repository}#readme`,
		bugs: { url: `${repository}/issues` },
	});
	const withSite = JSON.stringify({ homepage: site });
	expect(JSON.parse(completePackageJson(withSite, repository))).toHaveProperty('homepage', site);
});

test('a credential links to its chapter, which exists', () => {
	const code = `documentationUrl = '${placeholderDocumentationUrl}';`;
	expect(replaceDocumentationUrl(code, undefined)).toBe(code);
	expect(replaceDocumentationUrl(code, site)).toBe(
		`documentationUrl = '${site}/start#credentials';`,
	);
	expect(read('README.md')).toMatch(/^#+ Credentials$/m);
});

test('the build finds the placeholder of the site in the code of errors', () => {
	const code = read('nodes', 'core', 'errors', 'errorLink.ts');
	expect(code).toContain(placeholderSite);
	expect(replaceSite(code, undefined)).toBe(code);
	expect(replaceSite(code, site)).toContain(`site: '${site}'`);
});

test.each([
	['[a](docs/b.md#c)', 'a', `[a](${repository}/blob/HEAD/docs/b.md#c)`],
	['[`[x]` a](./b.md)', '`[x]` a', `[\`[x]\` a](${repository}/blob/HEAD/b.md)`],
	['![a](docs/b.webp) c', ' c', `![a](${repository}/raw/HEAD/docs/b.webp) c`],
	['[a](https://b.example) [c](#d)', '[a](https://b.example) [c](#d)', undefined],
])('%s becomes "%s" without a repository, and %s with one', (text, without, withSite) => {
	expect(makeLinksAbsolute(text, undefined)).toBe(without);
	expect(makeLinksAbsolute(text, repository)).toBe(withSite ?? text);
});

test('the shipped README has no relative link', () => {
	for (const one of [undefined, repository]) {
		const targets = [...makeLinksAbsolute(read('README.md'), one).matchAll(/\]\(([^)]+)\)/g)].map(
			([, target]) => target,
		);
		expect(targets.filter((target) => !/^(https:\/\/|#)/.test(target ?? ''))).toEqual([]);
	}
});
