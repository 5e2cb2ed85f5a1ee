import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

/** Written by tools/site.ts, together with the pages. */
const { base, repository, sidebar, nav } = JSON.parse(
	readFileSync(fileURLToPath(new URL('../pages/site.json', import.meta.url)), 'utf8'),
);

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
		},
	},
	themeConfig: {
		logo: '/icon.svg',
		nav,
		sidebar,
		outline: { level: [2, 3] },
		search: {
			provider: 'local',
			options: {
				miniSearch: {
					// Error codes and parameters are searched by their words, too.
					options: { tokenize: (text) => text.split(/[\s\p{P}]+/u).filter(Boolean) },
				},
			},
		},
		...(repository ? { socialLinks: [{ icon: 'github', link: repository }] } : {}),
	},
});
