/** Media type and extension of a file, which must agree. */
import { detectHtmlOrJson, determineFileType } from '../../../nodes/core/files/fileType';

const mp4 = { extension: 'mp4', mimeType: 'video/mp4' };
const srt = { extension: 'srt', mimeType: 'application/x-subrip' };
const unknown = { extension: '', mimeType: 'application/octet-stream' };
const webm = { extension: 'webm', mimeType: 'video/webm' };

test.each<[string, string, string, typeof mp4, typeof mp4]>([
	['nothing known', 'https://a.example/x', '', mp4, mp4],
	['a type and no extension', 'https://a.example/x', 'video/webm', mp4, webm],
	['an extension and no type', 'https://a.example/x.webm?y=1', '', mp4, webm],
	['a generic type', 'https://a.example/x.webm', 'application/octet-stream', mp4, webm],
	['another generic type', 'https://a.example/x', 'binary/octet-stream', mp4, mp4],
	['subtitles as plain text', 'https://a.example/x.srt', 'text/plain', srt, srt],
	['a type against the extension', 'https://a.example/x.mp4', 'Video/WebM', mp4, webm],
	[
		'another name of the type',
		'https://a.example/x.wav',
		'audio/x-wav',
		mp4,
		{ extension: 'wav', mimeType: 'audio/wav' },
	],
	[
		'another extension of the type',
		'https://a.example/x.jpeg',
		'image/jpeg',
		mp4,
		{ extension: 'jpeg', mimeType: 'image/jpeg' },
	],
	['a dot in the query', 'https://a.example/x?sig=ab.webm', '', mp4, mp4],
	['no path', 'https://a.zip', '', mp4, mp4],
	['an extension that is none', 'https://a.example/x.v12', '', mp4, mp4],
	[
		'an unknown type',
		'https://a.example/x',
		'video/x-new',
		mp4,
		{ extension: 'mp4', mimeType: 'video/x-new' },
	],
	['an unknown file', 'https://a.example/x', '', unknown, unknown],
	['a property of objects', 'https://a.example/x.toString', '', mp4, mp4],
	['no URL', 'rubbish.webm', '', mp4, mp4],
])('%s', (_, url, type, expected, result) => {
	expect(determineFileType(url, type, expected)).toEqual(result);
});

test.each([
	['\uFEFF \n<!DOCTYPE html><p>', 'text/html'],
	['<HTML lang="en">', 'text/html'],
	['<svg>', ''],
	['{"error":', 'application/json'],
	['\n[1]', 'application/json'],
	['a{', ''],
	['', ''],
	[`${' '.repeat(99)}{`, 'application/json'],
	[`${' '.repeat(100)}{`, ''],
])('a file that begins with %j is of the type "%s"', (text, type) => {
	expect(detectHtmlOrJson(Buffer.from(text))).toBe(type);
});
