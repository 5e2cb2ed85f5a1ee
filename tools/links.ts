/**
 * Links to the repository on the web, for what is shipped. The address stands in package.json, under
 * `repository`, and nowhere else; while it is missing, no link leads there.
 */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The address of the repository, such as `https://host.example/owner/name`. */
export function getRepositoryUrl({ repository }: { repository?: string | { url?: string } }) {
	const url = typeof repository === 'string' ? repository : repository?.url;
	return url === undefined || url === '' ? undefined : url.replace(/^git\+|\.git$/g, '');
}

/** The address of this project's repository. */
export const readRepositoryUrl = (folder: string) =>
	getRepositoryUrl(
		JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { repository?: string },
	);

const buildFileUrl = (site: string, file: string) => `${site}/blob/HEAD/${file}`;
const buildPictureUrl = (site: string, file: string) => `${site}/raw/HEAD/${file}`;

/** The codex file of a node, with the page that the editor's Docs link opens. */
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

/** What n8n's rules want in a credential as long as there is nothing better: n8n's own page. */
export const placeholderDocumentationUrl = 'https://docs.n8n.io/credentials';

/** The compiled code of a credential, with its chapter of the README. */
export const replaceDocumentationUrl = (code: string, site: string | undefined) =>
	site === undefined
		? code
		: code.replaceAll(placeholderDocumentationUrl, buildFileUrl(site, 'README.md#credentials'));

const image = /!\[([^\]]*)\]\(([^)\s]+)\)/g;
const link = /\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/g;
const isRelative = (target: string) => !/^(?:[a-z]+:|#)/i.test(target);

/** A document as it can be read away from its repository: links lead to the web, or are no links. */
export function makeLinksAbsolute(markdown: string, site: string | undefined): string {
	const target = (given: string) => posix.normalize(given);
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
