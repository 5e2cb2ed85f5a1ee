/** The files that stand for results with Check Only. */
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../../../nodes/core/http/client';
import { storeSampleFile } from '../../../nodes/core/collect/sampleResults';

/** Stores the sample file for a result of this type, and returns its content. */
async function storeSample(mimeType: string, extension: string): Promise<Buffer> {
	let content: Buffer = Buffer.alloc(0);
	const prepareBinaryData = async (data: Buffer) => {
		content = data;
		return await Promise.resolve({ data: '', mimeType: '' });
	};
	const n8n = { helpers: { prepareBinaryData } } as unknown as IExecuteFunctions;
	const source = { url: '', name: { kind: 'speech' }, mimeType, extension };
	await storeSampleFile(n8n, {} as Client, async () => await Promise.resolve(source as never));
	return content;
}

test('the sample of a WAV file is one second of silence that players accept', async () => {
	const file = await storeSample('audio/wav', 'wav');
	const text = (start: number, end: number) => file.toString('latin1', start, end);
	expect([text(0, 4), text(8, 16), text(36, 40)]).toStrictEqual(['RIFF', 'WAVEfmt ', 'data']);
	expect(file.length).toBe(44 + 8000);
	expect([file.readUInt32LE(4), file.readUInt32LE(16), file.readUInt32LE(40)]).toStrictEqual([
		...[file.length - 8, 16, 8000],
	]);
	// PCM, one channel, 8,000 samples and bytes per second, one byte per sample.
	const format = [20, 22, 32, 34].map((at) => file.readUInt16LE(at));
	expect([...format, file.readUInt32LE(24), file.readUInt32LE(28)]).toStrictEqual([
		...[1, 1, 1, 8, 8000, 8000],
	]);
	expect(new Set(file.subarray(44))).toStrictEqual(new Set([128]));
});

test.each([
	['video/mp4', 'mp4', 4, 'ftypisom'],
	['audio/mpeg', 'mp3', 4, 'ftypisom'],
	['image/jpeg', 'jpg', 6, 'JFIF'],
	['image/gif', 'gif', 0, 'GIF89a'],
	['text/vtt', 'vtt', 0, 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n'],
	['application/x-subrip', 'srt', 0, '1\n00:00:00,000 --> 00:00:02,000\n'],
])(
	'the sample of %s has the content that its type begins with',
	async (type, ending, at, words) => {
		const file = await storeSample(type, ending);
		expect(file.toString('latin1', at, at + words.length)).toBe(words);
	},
);

test('a sample has the name and the type of the result', async () => {
	const prepareBinaryData = jest.fn(async () => await Promise.resolve({}));
	const n8n = { helpers: { prepareBinaryData } } as unknown as IExecuteFunctions;
	const name = { id: 'v1', kind: 'speech', title: 'Hi' };
	const source = { url: '', name, mimeType: 'audio/mpeg', extension: 'mp3' };
	await storeSampleFile(n8n, {} as Client, async () => await Promise.resolve(source));
	expect(prepareBinaryData.mock.calls).toStrictEqual([
		[expect.any(Buffer), 'Hi.mp3', 'audio/mpeg'],
	]);
});
