/**
 * Links from the shipped files to the repository on the web. Its URL is only in package.json, under
 * `repository`; while it is missing, no link leads there.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The web URL of a repository, such as `https://host.example/owner/name`; undefined if none is set. */
export function getRepositoryUrl({ repository }: { repository?: string | { url?: string } }) {
	const url = typeof repository === 'string' ? repository : repository?.url;
	return url === undefined || url === '' ? undefined : url.replace(/^git\+|\.git$/g, '');
}

/** The web URL of this project's repository; undefined if none is set. */
export const readRepositoryUrl = (folder: string) =>
	getRepositoryUrl(
		JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { repository?: string },
	);

const buildFileUrl = (site: string, file: string) => `${site}/blob/HEAD/${file}`;
const buildPictureUrl = (site: string, file: string) => `${site}/raw/HEAD/${file}`;

/** The codex file of a node with the URL of its page, which the editor's Docs link opens. */
export function addDocumentationLink(
	codex: string,
	folder: string,
	site: string | undefined,
): string {
	if (site === undefined) return codex;
	const url = buildFileUrl(site, `docs/nodes/${folder}.md`);
	const resources = { primaryDocumentation: [{ url }] };
	return `${JSON.stringify({ ...(JSON.parse(codex) as object), resources }, null, '\t')}\n`;
}

/** The documentation URL in the sources of credentials: n8n's rules require one. */
export const placeholderDocumentationUrl = 'https://docs.n8n.io/credentials';

/** The compiled code of a credential with the URL of its chapter in the README. */
export const replaceDocumentationUrl = (code: string, site: string | undefined) =>
	site === undefined
		? code
		: code.replaceAll(placeholderDocumentationUrl, buildFileUrl(site, 'README.md#credentials'));

/** The homepage in package.json: n8n's rules require one. */
export const placeholderHomepage = 'https://docs.n8n.io/integrations/community-nodes/';

/** The shipped package.json: its homepage and its URL for bugs come from `repository`. */
export function completePackageJson(text: string, site: string | undefined): string {
	if (site === undefined) return text;
	const content = JSON.parse(text) as Record<string, unknown>;
	const links = { homepage: `${site}#readme`, bugs: { url: `${site}/issues` } };
	return `${JSON.stringify({ ...content, ...links }, null, '\t')}\n`;
}

const image = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const link = /\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g;
const isRelative = (target: string) => !/^(?:[a-z]+:|#)/i.test(target);

/** A document for readers outside the repository: relative links lead to the web, or become plain text. */
export function makeLinksAbsolute(markdown: string, site: string | undefined): string {
	const target = (path: string) => posix.normalize(path);
	return markdown
		.replace(image, (whole, alt: string, given: string) => {
			if (!isRelative(given)) return whole;
			return site === undefined ? '' : `![${alt}](${buildPictureUrl(site, target(given))})`;
		})
		.replace(link, (whole, text: string, given: string) => {
			if (!isRelative(given)) return whole;
			return site === undefined ? text : `[${text}](${buildFileUrl(site, target(given))})`;
		})
		.replace(/\n{3,}/g, '\n\n');
}
