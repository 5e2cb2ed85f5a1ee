/** Creates the fake jobs and files that Check Only outputs if it is set to Sample Result. */
import type { IDataObject } from 'n8n-workflow';
import type { downloadFile } from '../files/download';
import { storeUniquelyNamedFile } from '../files/fileNames';
import { addFollowUpJobResult } from '../jobs/jobState';
import type { Job, JobKind, SuccessfulOutcome } from '../jobs/types';
import { getOwnProperty, mapStrings } from '../json';

const idPrefix = 'sample_';

/** Creates a fake (sample) job. If an item has several jobs, `part` is the suffix of the ID. */
export const createSampleJob = (kind: JobKind, part = ''): Job => ({
	kind,
	id: `${idPrefix}${kind.name}_{n}${part}`,
});

/** Whether an ID from an item identifies a fake (sample) job, which the service does not know. */
export const isSampleJob = (json: IDataObject, id: string) =>
	json.simulated === true && id.startsWith(idPrefix);

/** Replaces `{n}` in every string of a sample result with the item number, counted from 1. */
export const insertItemNumberIntoSample = <T>(sample: T, item: number): T =>
	mapStrings(sample, (text) => text.replaceAll('{n}', String(item + 1)));

/**
 * Returns the successful outcome of a fake (sample) job, including its follow-up job's result.
 *
 * @param item index of the input item, which appears in the sample values
 */
export function createSampleJobOutcome({ kind, id, row }: Job, item: number): SuccessfulOutcome {
	const job = row !== undefined && kind.rows ? createSampleJob(kind.rows) : { kind, id };
	return insertItemNumberIntoSample(createOutcome(job), item);
}

function createOutcome(job: Job): SuccessfulOutcome {
	const { kind, id } = job;
	const response: IDataObject = { id, ...kind.sample };
	const data = { ...response, ...kind.extract?.(response) };
	const outcome: SuccessfulOutcome = {
		outcome: 'completed',
		job,
		data,
		result: { ...job, data, isSample: true },
	};
	if (!kind.next || response.video_id === null) return outcome;
	return addFollowUpJobResult(outcome, createOutcome(createSampleJob(kind.next.job)));
}

/** MP4 file without its pixels: H.264, two seconds, one frame of 16 × 16 pixels. */
const videoStart =
	'AAAAHGZ0eXBpc29tAAACAGlzb21hdmMxbXA0MQAAAkhtb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAH0AABAAABAA' +
	'AAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
	'AAACAAAB1HRyYWsAAABcdGtoZAAAAAMAAAAAAAAAAAAAAAEAAAAAAAAH0AAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAA' +
	'AAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAEAAAABAAAAAAAXBtZGlhAAAAIG1kaGQAAAAAAAAAAAAAAAAAAAPoAAAH0FXE' +
	'AAAAAAAhaGRscgAAAAAAAAAAdmlkZQAAAAAAAAAAAAAAAAAAAAEnbWluZgAAABR2bWhkAAAAAQAAAAAAAAAAAAAAJGRpbm' +
	'YAAAAcZHJlZgAAAAAAAAABAAAADHVybCAAAAABAAAA53N0YmwAAACDc3RzZAAAAAAAAAABAAAAc2F2YzEAAAAAAAAAAQAA' +
	'AAAAAAAAAAAAAAAAAAAAEAAQAEgAAABIAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY//8AAA' +
	'AdYXZjQwFCwAr/4QAGZ0LACtp5AQAEaM44gAAAABhzdHRzAAAAAAAAAAEAAAABAAAH0AAAABxzdHNjAAAAAAAAAAEAAAAB' +
	'AAAAAQAAAAEAAAAUc3RzegAAAAAAAAGKAAAAAQAAABRzdGNvAAAAAAAAAAEAAAJsAAABkm1kYXQAAAGGZYiEhoA=';

/** JPEG image of 16 × 9 pixels. */
const picture =
	'/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1td' +
	'hbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk' +
	'pKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAJABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEA' +
	'AAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAA//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhED' +
	'EQA/AIgDCf/Z';

/** GIF image of one pixel. */
const animation = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const subtitles = '00:00:00.000 --> 00:00:02.000\nThis is a sample.\n';

/** Header of a WAV file: one second, mono, 8 bits at 8,000 Hz. The file is silent. */
const soundHeader = 'UklGRmQfAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YUAfAAA=';

const decode = (text: string) => Buffer.from(text, 'base64');

/** Sample files, keyed by media type. For any other type, the sample is a video. */
const sampleFiles: Readonly<Record<string, Buffer>> = {
	'audio/wav': Buffer.concat([decode(soundHeader), Buffer.alloc(8_000, 128)]),
	'image/jpeg': decode(picture),
	'image/gif': decode(animation),
	'text/vtt': Buffer.from(`WEBVTT\n\n${subtitles}`),
	'application/x-subrip': Buffer.from(`1\n${subtitles.replaceAll('.000', ',000')}`),
};

/** Pixels of the sample video's only frame: brightness, and two color channels. */
const pixels = [Buffer.alloc(256, 0x3c), Buffer.alloc(64, 0x96), Buffer.alloc(64, 0x6e)];
const sampleVideo = Buffer.concat([decode(videoStart), ...pixels, Buffer.from([0x80])]);

export const storeSampleFile: typeof downloadFile = async (n8n, _client, source) => {
	const { name, ...type } = await source();
	const content = getOwnProperty(sampleFiles, type.mimeType) ?? sampleVideo;
	return await storeUniquelyNamedFile(n8n, content, name, type);
};
