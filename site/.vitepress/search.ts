/** How the site's search works. VitePress copies the functions into the pages, so they use nothing outside them. */
export const miniSearch = {
	// Error codes and parameters are searched by their words, too.
	options: { tokenize: (text: string) => text.split(/[\s\p{P}]+/u).filter(Boolean) },
	searchOptions: {
		// Each node has operations such as Cancel: a guide that explains the word comes first.
		boostDocument: (id: string) => (id.includes('/nodes/') ? 0.5 : 1),
	},
};
