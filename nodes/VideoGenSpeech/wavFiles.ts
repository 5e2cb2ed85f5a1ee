/** Format of the samples in uncompressed audio. */
export interface WavFormat {
	channels: number;
	/** Samples per second. */
	rate: number;
	/** Bits per sample. */
	bits: number;
}

/** Uncompressed audio: its samples and their format. */
export interface WavAudio extends WavFormat {
	samples: Buffer;
}

const pcmFormatTag = 1;
/** WAV header value indicating that the actual format is in a header extension. */
const extensibleFormatTag = 0xfffe;
/**
 * Smallest data size in a WAV header that means "unknown". Programs that write the header before
 * they know the size use either a huge number or 0.
 */
const minUnknownSize = 0x7fff_f000;

/**
 * Reads the format and the samples of a WAV file. Returns undefined if the file is truncated,
 * compressed or not a WAV file.
 */
export function readWav(file: Buffer): WavAudio | undefined {
	const readId = (at: number) => file.toString('latin1', at, at + 4);
	if (readId(0) !== 'RIFF' || readId(8) !== 'WAVE') return undefined;
	let format: WavFormat | undefined;
	for (let at = 12; at + 8 <= file.length;) {
		const id = readId(at);
		const size = file.readUInt32LE(at + 4);
		const from = at + 8;
		if (id === 'fmt ' && size >= 16 && from + size <= file.length) {
			const headerTag = file.readUInt16LE(from);
			const tag =
				headerTag === extensibleFormatTag && size >= 26 ? file.readUInt16LE(from + 24) : headerTag;
			if (tag !== pcmFormatTag) return undefined;
			format = {
				channels: file.readUInt16LE(from + 2),
				rate: file.readUInt32LE(from + 4),
				bits: file.readUInt16LE(from + 14),
			};
		}
		if (id === 'data') {
			const end = size === 0 || size >= minUnknownSize ? file.length : from + size;
			if (!format || end > file.length) return undefined;
			return { ...format, samples: file.subarray(from, end) };
		}
		at = from + size + (size % 2);
	}
	return undefined;
}

/** Returns the content of a WAV file with all samples in order, split into several chunks. */
export function writeWav(
	{ channels, rate, bits }: WavFormat,
	samples: readonly Buffer[],
): Buffer[] {
	const size = samples.reduce((sum, { length }) => sum + length, 0);
	const frame = (channels * bits) / 8;
	const padding = size % 2;
	const header = Buffer.alloc(44);
	header.write('RIFF', 0, 'latin1');
	header.writeUInt32LE(36 + size + padding, 4);
	header.write('WAVEfmt ', 8, 'latin1');
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(pcmFormatTag, 20);
	header.writeUInt16LE(channels, 22);
	header.writeUInt32LE(rate, 24);
	header.writeUInt32LE(rate * frame, 28);
	header.writeUInt16LE(frame, 32);
	header.writeUInt16LE(bits, 34);
	header.write('data', 36, 'latin1');
	header.writeUInt32LE(size, 40);
	return [header, ...samples, Buffer.alloc(padding)];
}

/**
 * Calculates the duration of audio in seconds from its format and the total size of its sample data
 * in bytes.
 */
export const calculateWavDuration = ({ channels, rate, bits }: WavFormat, bytes: number) =>
	bytes / ((rate * channels * bits) / 8);
