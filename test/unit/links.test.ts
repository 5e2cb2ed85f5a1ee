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

const author = { name: 'Author', email: 'author@code.test' };

test('the shipped package.json has the URLs of the root, and nothing that only a checkout needs', () => {
	const content = { name: 'a', workspaces: [], scripts: {}, devDependencies: {} };
	expect(completePackageJson(content, { author, homepage: placeholderHomepage })).toEqual({
		name: 'a',
		author,
		homepage: placeholderHomepage,
	});
	expect(
		completePackageJson(content, { author, repository, homepage: placeholderHomepage }),
	).toEqual({
		name: 'a',
		author,
		homepage: `${repository}#readme`,
		repository: { type: 'git', url: `git+${repository}.git` },
		bugs: { url: `${repository}/issues` },
	});
});

test('the shipped package.json of the simulator names its folder and the site', () => {
	const shipped = completePackageJson({}, { author, repository, homepage: site }, 'simulator');
	expect(shipped).toMatchObject({ author, homepage: site, repository: { directory: 'simulator' } });
});

test('a credential links to its chapter, which exists', () => {
	const code = `documentationUrl = '${placeholderDocumentationUrl}';`;
	expect(replaceDocumentationUrl(code, undefined)).toBe(code);
	expect(replaceDocumentationUrl(code, site)).toBe(`documentationUrl = '${site}/credentials';`);
	expect(read('README.md')).toMatch(/^#+ Credentials$/m);
});

test('the build finds the placeholder of the site in the code of errors', () => {
	const code = read('nodes', 'core', 'errors', 'nodeErrors.ts');
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

test('a link leads from the folder of the document, to the files of a version', () => {
	expect(makeLinksAbsolute('[a](../b.md)', repository, { folder: 'docs', version: 'v1.0.0' })).toBe(
		`[a](${repository}/blob/v1.0.0/b.md)`,
	);
});

test('the shipped README has no relative link', () => {
	for (const one of [undefined, repository]) {
		const targets = [...makeLinksAbsolute(read('README.md'), one).matchAll(/\]\(([^)]+)\)/g)].map(
			([, target]) => target,
		);
		expect(targets.filter((target) => !/^(https:\/\/|#)/.test(target ?? ''))).toEqual([]);
	}
});
