/** Draws the icons of the nodes and of the credentials, from one frame and a symbol for each. */

interface Colors {
	frame: string;
	/** Color of the symbol. */
	ink: string;
	/** Color of the highlighted part of the symbol. */
	accent: string;
}

const themes: ReadonlyArray<{ ending: string; colors: Colors }> = [
	{ ending: '.svg', colors: { frame: '#5b4bdb', ink: '#fff', accent: '#7df0dd' } },
	{ ending: '.dark.svg', colors: { frame: '#7869f5', ink: '#fff', accent: '#95f7e8' } },
];

type Symbol = (colors: Colors) => string;

const drawShapes = (color: string, ...paths: string[]) =>
	paths.map((d) => `<path fill="${color}" d="${d}"/>`).join('');
const drawLines = (color: string, width: number, ...paths: string[]) =>
	`<g fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${paths.map((d) => `<path d="${d}"/>`).join('')}</g>`;
const drawDot = (color: string, x: number, y: number, r: number) =>
	`<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"/>`;
const drawBox = (color: string, x: number, y: number, width: number, height: number, rx = 2) =>
	`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${rx}" fill="${color}"/>`;

/** Symbol of a new node, until its own symbol is drawn. */
export const placeholderSymbol: Symbol = ({ ink }) => drawDot(ink, 30, 30, 16);

/**
 * Symbols, keyed by the folder of their node. They fill the middle 40 by 40 units of an icon with 60 by
 * 60 units. Lines are 4 to 5 units wide, which is more than two pixels in an icon of 32 pixels.
 */
const symbols: Record<string, Symbol> = {
	VideoGenAgent: ({ ink, accent }) =>
		drawShapes(
			ink,
			'M25 13c2.2 12.5 5.5 15.8 18 18-12.5 2.2-15.8 5.5-18 18-2.2-12.5-5.5-15.8-18-18 12.5-2.2 15.8-5.5 18-18z',
		) +
		drawShapes(
			accent,
			'M44.5 9c1 5.8 2.7 7.5 8.5 8.5-5.8 1-7.5 2.7-8.5 8.5-1-5.8-2.7-7.5-8.5-8.5 5.8-1 7.5-2.7 8.5-8.5z',
		),
	VideoGenVideo: ({ ink }) =>
		drawShapes(
			ink,
			'M20 14.5a3 3 0 0 1 4.5-2.6l24 15.5a3 3 0 0 1 0 5.2l-24 15.5A3 3 0 0 1 20 45.5z',
		),
	VideoGenModelVideo: ({ ink, accent }) =>
		drawLines(
			ink,
			4,
			'M10 13.5h40v33H10z',
			'M18.5 13.5v33M41.5 13.5v33',
			'M10 24.5h8.5M10 35.5h8.5M41.5 24.5H50M41.5 35.5H50',
		) + drawShapes(accent, 'M24.5 21.5v17l12-8.5z'),
	VideoGenTranslation: ({ ink, accent }) =>
		drawLines(
			ink,
			4.5,
			'M10 16h22M21 11v5',
			'M28 16c-1.5 8-8 15-16 18M15 21c2.5 6 7.5 10.5 13 12.5',
		) + drawLines(accent, 4.5, 'M29 50l10-24 10 24M32.5 42.5h13'),
	VideoGenLipsync: ({ ink, frame }) =>
		drawShapes(
			ink,
			'M8 30c7-6.5 11.5-13 16-13 2.7 0 4 2 6 2s3.3-2 6-2c4.5 0 9 6.5 16 13-6 8-12.5 14-22 14S14 38 8 30z',
		) + drawLines(frame, 4.5, 'M16.5 30c5-1.2 9-1.2 13.5 1.2 4.5-2.4 8.5-2.4 13.5-1.2'),
	VideoGenSpeech: ({ ink, frame }) =>
		drawShapes(
			ink,
			'M16 11h28a7 7 0 0 1 7 7v16a7 7 0 0 1-7 7H30l-10.5 9.5V41H16a7 7 0 0 1-7-7V18a7 7 0 0 1 7-7z',
		) + drawLines(frame, 4.5, 'M20 23.5v5M30 18.5v15M40 23.5v5'),
	VideoGenVoice: ({ ink, accent }) =>
		drawBox(ink, 22.5, 9, 15, 25, 7.5) +
		drawLines(accent, 4.5, 'M14.5 27.5a15.5 15.5 0 0 0 31 0', 'M30 43v7.5M21.5 50.5h17'),
	VideoGenAvatar: ({ ink }) =>
		drawDot(ink, 30, 21, 10) + drawShapes(ink, 'M11 50c0-10 8-15.5 19-15.5S49 40 49 50z'),
	VideoGenRealtimeAvatar: ({ ink, accent }) =>
		drawDot(ink, 30, 23, 8.5) +
		drawShapes(ink, 'M14 50.5c0-10 7-15 16-15s16 5 16 15z') +
		drawLines(accent, 5, 'M14.5 11.5a18 18 0 0 0 0 23', 'M45.5 11.5a18 18 0 0 1 0 23'),
	VideoGenTemplate: ({ ink, accent }) =>
		drawBox(ink, 10, 11, 40, 12, 3) +
		drawBox(ink, 10, 28, 17, 21, 3) +
		drawBox(accent, 32, 28, 18, 8, 3) +
		drawBox(accent, 32, 41, 18, 8, 3),
	VideoGenClipping: ({ ink, accent }) =>
		drawLines(ink, 4.5, 'M21.5 36.5 43 10M38.5 36.5 17 10') +
		drawLines(
			accent,
			4.5,
			'M23.5 43a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z',
			'M49.5 43a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z',
		),
	VideoGenComposition: ({ ink, accent }) =>
		drawShapes(ink, 'M30 9 51 20 30 31 9 20z') +
		drawLines(accent, 4.5, 'M11 30.5 30 40.5l19-10') +
		drawLines(ink, 4.5, 'M11 40.5 30 50.5l19-10'),
	VideoGenBackgroundRemoval: ({ ink, accent }) =>
		drawDot(ink, 30, 25, 7.5) +
		drawShapes(ink, 'M16.5 50c0-9 5.5-13.5 13.5-13.5S43.5 41 43.5 50z') +
		drawLines(
			accent,
			4.5,
			'M10.5 19v-5a3.5 3.5 0 0 1 3.5-3.5h5M41 10.5h5a3.5 3.5 0 0 1 3.5 3.5v5M10.5 30.5v5M49.5 30.5v5M27 10.5h6',
		),
	VideoGenSound: ({ ink, accent }) =>
		drawLines(ink, 5, 'M24 43.5V15.5l22-5v28') +
		drawDot(accent, 17.5, 43.5, 7) +
		drawDot(accent, 39.5, 38.5, 7),
	VideoGenAsset: ({ ink, accent }) =>
		drawLines(ink, 4.5, 'M34 10.5H17a3 3 0 0 0-3 3v33a3 3 0 0 0 3 3h26a3 3 0 0 0 3-3v-24zv12h12') +
		drawLines(accent, 4.5, 'M30 43V29.5M23.5 35.5 30 29l6.5 6.5'),
	VideoGenBrandKit: ({ ink, frame }) =>
		drawShapes(
			ink,
			'M30 9.5c12 0 21 8 21 18.5 0 7-5 11-11 11h-5c-4 0-5 3-3 5.5 2.5 3.5 0 6-4 6C17 50.5 9 41.5 9 30S18.5 9.5 30 9.5z',
		) +
		drawDot(frame, 18.5, 32, 3.6) +
		drawDot(frame, 21.5, 21.5, 3.6) +
		drawDot(frame, 32, 17.5, 3.6) +
		drawDot(frame, 41.5, 23.5, 3.6),
	VideoGenBrandGlossary: ({ ink, accent }) =>
		drawLines(
			ink,
			4.5,
			'M30 17.5C25 13 18 12 9.5 12.5v32C18 44 25 45.5 30 49.5c5-4 12-5.5 20.5-5v-32C42 12 35 13 30 17.5z',
		) +
		drawLines(ink, 4.5, 'M30 17.5v31') +
		drawLines(accent, 4, 'M16.5 22.5l6.5 1M16.5 31.5l6.5 1M43.5 22.5l-6.5 1M43.5 31.5l-6.5 1'),
	VideoGenFolder: ({ ink, accent }) =>
		drawShapes(accent, 'M9 16a4 4 0 0 1 4-4h11l6 6h17a4 4 0 0 1 4 4v6H9z') +
		drawBox(ink, 9, 23, 42, 26, 4),
	VideoGenWorkflow: ({ ink, accent }) =>
		drawLines(ink, 4, 'M21 30h7M38 16.5h-5.5a4 4 0 0 0-4 4v19a4 4 0 0 0 4 4H38') +
		drawBox(accent, 8, 22.5, 15, 15, 4) +
		drawBox(ink, 36.5, 9, 15, 15, 4) +
		drawBox(ink, 36.5, 36, 15, 15, 4),
	VideoGenWebhook: ({ ink, accent }) =>
		drawShapes(
			ink,
			'M30 9.5c8.5 0 13.5 6 13.5 14v8.5l5 7.5a2 2 0 0 1-1.7 3.1H13.2a2 2 0 0 1-1.7-3.1l5-7.5v-8.5c0-8 5-14 13.5-14z',
		) + drawShapes(accent, 'M23.5 46h13a6.5 5.5 0 0 1-13 0z'),
	VideoGenAccount: ({ ink, accent }) =>
		drawLines(
			ink,
			4.5,
			'M12 14.5h36a3 3 0 0 1 3 3v25a3 3 0 0 1-3 3H12a3 3 0 0 1-3-3v-25a3 3 0 0 1 3-3z',
		) +
		drawDot(accent, 21, 25.5, 4.5) +
		drawShapes(accent, 'M13.5 39.5c0-5 3-7.5 7.5-7.5s7.5 2.5 7.5 7.5z') +
		drawLines(ink, 4, 'M35 25h9M35 35h9'),
	VideoGenJob: ({ ink, accent }) =>
		drawLines(ink, 4.5, 'M17 10.5h26M17 49.5h26') +
		drawLines(
			ink,
			4.5,
			'M20.5 10.5c0 11 9.5 12 9.5 19.5s-9.5 8.5-9.5 19.5',
			'M39.5 10.5c0 11-9.5 12-9.5 19.5s9.5 8.5 9.5 19.5',
		) +
		drawShapes(accent, 'M24 46.5c1-4 3-5.5 6-8.5 3 3 5 4.5 6 8.5z'),
	VideoGenPollingTrigger: ({ ink, accent }) =>
		drawLines(accent, 4.5, 'M47.5 22.5A19 19 0 0 0 13 21.5M12.5 37.5A19 19 0 0 0 47 38.5') +
		drawLines(accent, 4.5, 'M12 12.5v9.5h9.5M48 47.5V38h-9.5') +
		drawShapes(ink, 'M33 16.5 20 33h8.5L27 43.5 40 27h-8.5z'),
	VideoGenTrigger: ({ ink }) => drawShapes(ink, 'M34.5 8.5 13.5 33.5h13L24 51.5l22.5-27h-13.5z'),
};

const credential: Symbol = ({ ink, accent }) =>
	drawBox(ink, 10, 17.5, 27, 25, 5) + drawShapes(accent, 'M40 27.5 51 20v20l-11-7.5z');

const drawIcon = (symbol: Symbol, colors: Colors) =>
	'<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" viewBox="0 0 60 60">' +
	`<rect width="60" height="60" rx="13" fill="${colors.frame}"/>${symbol(colors)}</svg>\n`;

/**
 * Returns the icons of a symbol for both themes: their paths from the project's root, and their SVG
 * texts.
 */
export const drawThemes = (path: string, symbol: Symbol) =>
	themes.map(({ ending, colors }): [string, string] => [path + ending, drawIcon(symbol, colors)]);

/** Returns the SVG texts of all icons, keyed by their path from the root of the project. */
export const drawIcons = (): Map<string, string> =>
	new Map([
		...Object.entries(symbols).flatMap(([node, symbol]) =>
			drawThemes(`nodes/${node}/${node}`, symbol),
		),
		...drawThemes('nodes/videogen', credential),
	]);
