/** WAV files and streamed speech, built as the service sends them. */

/** The header of a WAV file. */
export interface WavHeader {
	channels?: number;
	rate?: number;
	bits?: number;
	kind?: number;
	/** Size of the samples in the header, if it differs from their real size. */
	claimed?: number;
}

/** Builds a WAV file, with a chunk of odd length before the samples. */
export function createWav(samples: Buffer, header: WavHeader = {}): Buffer {
	const { channels = 1, rate = 44_100, bits = 16, kind = 1, claimed = samples.length } = header;
	const frame = (channels * bits) / 8;
	const format = Buffer.alloc(16);
	format.writeUInt16LE(kind, 0);
	format.writeUInt16LE(channels, 2);
	format.writeUInt32LE(rate, 4);
	format.writeUInt32LE(rate * frame, 8);
	format.writeUInt16LE(frame, 12);
	format.writeUInt16LE(bits, 14);
	const size = (value: number) => {
		const bytes = Buffer.alloc(4);
		bytes.writeUInt32LE(value);
		return bytes;
	};
	const chunks = [
		...[Buffer.from('fmt '), size(16), format],
		...[Buffer.from('odd '), size(3), Buffer.from('abc\0')],
		...[Buffer.from('data'), size(claimed), samples],
	];
	const body = Buffer.concat([Buffer.from('WAVE'), ...chunks]);
	return Buffer.concat([Buffer.from('RIFF'), size(body.length), body]);
}

/** N equal samples. Their value shows which part they belong to. */
export function createSamples(value: number, count: number): Buffer {
	const buffer = Buffer.alloc(count * 2);
	for (let i = 0; i < count; i++) buffer.writeInt16LE(value, i * 2);
	return buffer;
}

/** A part of streamed speech. */
export const createAudioEvent = (part_index: number, file: Buffer) => ({
	type: 'audio',
	part_index,
	audio: file.toString('base64'),
});

/** Server-Sent Events, with comments between them. */
export const joinEvents = (events: readonly unknown[], end = '\r\n') =>
	events
		.map(
			(event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}${end}${end}`,
		)
		.join(`: keep alive${end}`);
