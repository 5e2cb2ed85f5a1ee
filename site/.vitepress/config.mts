import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { miniSearch } from './search';

/** Reads what tools/site.ts has written, together with the pages. */
const readPages = (name: string) =>
	JSON.parse(readFileSync(fileURLToPath(new URL(`../pages/${name}`, import.meta.url)), 'utf8'));

const { base, repository, sidebar, nav } = readPages('site.json');
const pictures = readPages('pictures.json');

/** As code hosts name a heading, so that links work on both. Repeated headings get a number. */
const slugify = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

export default defineConfig({
	title: 'VideoGen for n8n',
	description: 'n8n community nodes for a Video Generation Service',
	lang: 'en-US',
	base,
	srcDir: 'pages',
	outDir: 'dist',
	cleanUrls: true,
	head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
	markdown: {
		theme: { light: 'github-light', dark: 'github-dark' },
		anchor: { slugify },
		config: ({ renderer, utils }) => {
			// Expressions of n8n have the braces that Vue evaluates.
			const escape = (text: string) =>
				utils.escapeHtml(text).replaceAll('{{', '<span v-pre>{{</span>');
			renderer.rules.text = (tokens, i) => escape(tokens[i].content);
			renderer.rules.code_inline = (tokens, i) =>
				`<code v-pre>${utils.escapeHtml(tokens[i].content)}</code>`;
			// A link to the picture, which the theme opens on top of the page.
			renderer.rules.image = (tokens, i) => {
				const token = tokens[i];
				const path = token.attrGet('src') ?? '';
				const alt = utils.escapeHtml(token.content);
				const [width, height] = pictures[path] ?? [];
				if (width === undefined) throw new Error(`There is no picture ${path}`);
				// A tall form is cut off until it is enlarged.
				const shape = height > 1.25 * width ? ' tall' : '';
				return (
					`<a class="enlarge${shape}" href="${base}${path.slice(1)}" target="_self" title="Enlarge" ` +
					`data-pswp-width="${width}" data-pswp-height="${height}">` +
					`<img src="${path}" alt="${alt}" width="${width}" height="${height}" loading="lazy"></a>`
				);
			};
		},
	},
	themeConfig: {
		logo: '/icon.svg',
		nav,
		sidebar,
		outline: { level: [2, 3] },
		search: { provider: 'local', options: { miniSearch } },
		...(repository ? { socialLinks: [{ icon: 'github', link: repository }] } : {}),
	},
});
