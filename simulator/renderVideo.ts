import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { createH264MP4Encoder } from 'h264-mp4-encoder';
import type { VideoContent } from './videoContent';

const seconds = 4;
const framesPerSecond = 4;
const shortSide = 360;
const margin = 32;
const barHeight = 8;
const paragraphGap = 12;
const maxCachedVideos = 50;

const noteStyle = { size: 14, weight: 400, maxLines: 1 };
const titleStyle = { size: 30, weight: 700, maxLines: 3 };
const textStyle = { size: 20, weight: 400, maxLines: 7 };
/** Widest average of a line of Noto Sans, as a share of the font size. */
const characterWidth = 0.56;

const readPackageFile = (path: string) => readFileSync(require.resolve(path));

const fontFiles = [
	'latin-400',
	'latin-700',
	'latin-ext-400',
	'latin-ext-700',
	'greek-400',
	'cyrillic-400',
];

let loaded: Promise<Uint8Array[]> | undefined;

/** Loads the SVG renderer once, and returns the fonts. */
const loadRenderer = () =>
	(loaded ??= initWasm(readPackageFile('@resvg/resvg-wasm/index_bg.wasm')).then(() =>
		fontFiles.map((name) =>
			readPackageFile(`@fontsource/noto-sans/files/noto-sans-${name}-normal.woff2`),
		),
	));

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string) =>
	text.replace(/[&<>]/g, (character) => entities[character] ?? '');

/** Breaks the text into lines, and ends the last one with an ellipsis if more text follows. */
function wrapText(text: string, { size, maxLines }: typeof titleStyle, width: number): string[] {
	const lineLength = Math.floor((width - 2 * margin) / (size * characterWidth));
	const lines: string[] = [];
	// Control characters are invalid in XML, even as entities.
	for (const word of text.split(/[\s\p{C}]+/u).filter(Boolean)) {
		const shown = word.length > lineLength ? `${word.slice(0, lineLength - 1)}…` : word;
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + shown.length <= lineLength) {
			lines[lines.length - 1] = `${last} ${shown}`;
		} else if (lines.length < maxLines) {
			lines.push(shown);
		} else {
			lines[lines.length - 1] = `${last?.slice(0, lineLength - 2)} …`;
			break;
		}
	}
	return lines;
}

/** Draws the picture that the whole video shows. The background color depends on the content. */
function drawPicture(content: VideoContent, width: number, height: number): string {
	const hash = createHash('sha256').update(JSON.stringify(content)).digest();
	const hue = Math.round((hash.readUInt16BE() / 0x1_0000) * 360);
	let y = 0;
	const drawLines = (text: string, style: typeof titleStyle) => {
		y += paragraphGap;
		return wrapText(text, style, width).map((line) => {
			y += style.size * 1.3;
			return `<text x="${margin}" y="${y}" font-size="${style.size}" font-weight="${style.weight}">${escapeXml(line)}</text>`;
		});
	};
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" fill="white" font-family="Noto Sans">`,
		`<rect width="100%" height="100%" fill="hsl(${hue}, 55%, 25%)"/>`,
		...drawLines('Simulated video', noteStyle),
		...drawLines(content.title, titleStyle),
		...drawLines(content.text, textStyle),
		'</svg>',
	].join('\n');
}

function computeSize(aspectRatio: string) {
	const named: Record<string, string> = { portrait: '9:16', square: '1:1' };
	const [across = 16, down = 9] =
		(named[aspectRatio] ?? aspectRatio)
			.match(/^(\d+):(\d+)$/)
			?.slice(1)
			.map(Number) ?? [];
	// The encoder takes even numbers only.
	const longSide =
		2 * Math.round((shortSide * Math.max(across, down)) / Math.min(across, down) / 2);
	return across >= down
		? { width: longSide, height: shortSide }
		: { width: shortSide, height: longSide };
}

/** Sets the creation times in an MP4 file to 0, so that the same content has the same bytes. */
function removeTimes(file: Buffer) {
	for (const box of ['mvhd', 'tkhd', 'mdhd']) {
		const start = file.indexOf(box);
		// After the name: 4 bytes of version and flags, then two times of 4 bytes.
		if (start > 0) file.fill(0, start + 8, start + 16);
	}
	return file;
}

async function encodeVideo(content: VideoContent): Promise<Buffer> {
	const fontBuffers = await loadRenderer();
	const encoder = await createH264MP4Encoder();
	const { width, height } = computeSize(content.aspectRatio);
	const picture = new Resvg(drawPicture(content, width, height), { font: { fontBuffers } });
	const { pixels } = picture.render();
	picture.free();
	Object.assign(encoder, { width, height, frameRate: framesPerSecond, speed: 10 });
	encoder.quantizationParameter = 26;
	encoder.initialize();
	const frameCount = seconds * framesPerSecond;
	for (let frame = 1; frame <= frameCount; frame += 1) {
		const barWidth = Math.round((width * frame) / frameCount);
		for (let y = height - barHeight; y < height; y += 1) {
			pixels.fill(255, y * width * 4, (y * width + barWidth) * 4);
		}
		encoder.addFrameRgba(pixels);
	}
	encoder.finalize();
	const file = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
	encoder.delete();
	return removeTimes(file);
}

const cache = new Map<string, Promise<Buffer>>();

/** Returns an MP4 file that shows the title and the text. The last 50 files stay in memory. */
export function renderVideo(content: VideoContent): Promise<Buffer> {
	const key = JSON.stringify(content);
	const video = cache.get(key) ?? encodeVideo(content);
	// Moves it to the end of the map, which drops the entry that was used least recently.
	cache.delete(key);
	cache.set(key, video);
	for (const oldest of [...cache.keys()].slice(0, -maxCachedVideos)) cache.delete(oldest);
	return video;
}
