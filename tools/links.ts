/**
 * Adds links to the documentation site and to the repository to the shipped files. The URLs are only in
 * package.json, under `homepage` and `repository`. If a URL is missing, no links lead there.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Returns a repository's web URL, such as `https://host.example/owner/name`, or undefined if none is set.
 */
export function getRepositoryUrl({ repository }: { repository?: string | { url?: string } }) {
	const url = typeof repository === 'string' ? repository : repository?.url;
	return url === undefined || url === '' ? undefined : url.replace(/^git\+|\.git$/g, '');
}

export interface PackageJson {
	name?: string;
	version?: string;
	author?: { name: string; email: string };
	repository?: string | { url?: string };
	homepage?: string;
	workspaces?: unknown;
	scripts?: unknown;
	devDependencies?: unknown;
}

export const readPackageJson = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;

/** Returns the web URL of this project's repository, or undefined if none is set. */
export const readRepositoryUrl = (folder: string) => getRepositoryUrl(readPackageJson(folder));

/** The homepage in package.json until the documentation site has a URL: n8n's rules require one. */
export const placeholderHomepage = 'https://docs.n8n.io/integrations/community-nodes/';

/** Returns the URL of the documentation site, without a slash at the end, or undefined if none is set. */
export const getSiteUrl = ({ homepage }: { homepage?: string }) =>
	homepage === undefined || homepage === placeholderHomepage
		? undefined
		: homepage.replace(/\/$/, '');

/** Returns the URL of this project's documentation site, or undefined if none is set. */
export const readSiteUrl = (folder: string) => getSiteUrl(readPackageJson(folder));

/** Returns the URL of a file's page on the web. */
export const buildFileUrl = (site: string, file: string, version = 'HEAD') =>
	`${site}/blob/${version}/${file}`;
const buildPictureUrl = (site: string, file: string) => `${site}/raw/HEAD/${file}`;

/** Returns the codex file of a node with the URL of its page, which the editor's Docs link opens. */
export function addDocumentationLink(
	codex: string,
	folder: string,
	site: string | undefined,
): string {
	if (site === undefined) return codex;
	const resources = { primaryDocumentation: [{ url: `${site}/nodes/${folder}` }] };
	return `${JSON.stringify({ ...(JSON.parse(codex) as object), resources }, null, '\t')}\n`;
}

/** The documentation URL in the sources of credentials: n8n's rules require one. */
export const placeholderDocumentationUrl = 'https://docs.n8n.io/credentials';

/** Returns the compiled code of a credential with the URL of its chapter. */
export const replaceDocumentationUrl = (code: string, site: string | undefined) =>
	site === undefined ? code : code.replaceAll(placeholderDocumentationUrl, `${site}/credentials`);

/** The site's URL in the sources of nodes, until the build replaces it. */
export const placeholderSite = '@documentation-site@';

/** Returns compiled code whose errors link to the site. */
export const replaceSite = (code: string, site: string | undefined) =>
	site === undefined ? code : code.replaceAll(placeholderSite, site);

/**
 * Returns the shipped package.json of this package or of a workspace. The author and all URLs come from
 * the root's package.json. Omits what only a checkout needs.
 *
 * @param directory of the workspace in the repository
 */
export function completePackageJson(
	{ workspaces, scripts, devDependencies, ...shipped }: PackageJson,
	root: PackageJson,
	directory?: string,
) {
	const { author } = root;
	const repository = getRepositoryUrl(root);
	if (repository === undefined) return { ...shipped, author, homepage: root.homepage };
	return {
		...shipped,
		author,
		homepage: getSiteUrl(root) ?? `${repository}#readme`,
		repository: { type: 'git', url: `git+${repository}.git`, directory },
		bugs: { url: `${repository}/issues` },
	};
}

const image = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const link = /\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g;
const isRelative = (target: string) => !/^(?:[a-z]+:|#)/i.test(target);

/**
 * Returns a document for readers outside the repository: relative links lead to the web, or become text.
 *
 * @param folder of the document in the repository
 * @param version a tag; by default, links lead to the newest files
 */
export function makeLinksAbsolute(
	markdown: string,
	site: string | undefined,
	{ folder = '.', version }: { folder?: string; version?: string } = {},
): string {
	const target = (path: string) => posix.join(folder, path);
	return markdown
		.replace(image, (whole, alt: string, given: string) => {
			if (!isRelative(given)) return whole;
			return site === undefined ? '' : `![${alt}](${buildPictureUrl(site, target(given))})`;
		})
		.replace(link, (whole, text: string, given: string) => {
			if (!isRelative(given)) return whole;
			return site === undefined ? text : `[${text}](${buildFileUrl(site, target(given), version)})`;
		})
		.replace(/\n{3,}/g, '\n\n');
}
