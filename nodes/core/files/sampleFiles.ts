/** Small files that take the place of result files when the user asks for sample results. */
import type { downloadFile } from './download';
import { storeUniquelyNamedFile } from './fileNames';

/** MP4 with H.264: two seconds, a single frame of 16 × 16 pixels. */
const video =
	'AAAAHGZ0eXBpc29tAAACAGlzb21hdmMxbXA0MQAAAkhtb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAH0AABAA' +
	'ABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
	'AAAAAAAAAAACAAAB1HRyYWsAAABcdGtoZAAAAAMAAAAAAAAAAAAAAAEAAAAAAAAH0AAAAAAAAAAAAAAAAAAAAAAAAQ' +
	'AAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAEAAAABAAAAAAAXBtZGlhAAAAIG1kaGQAAAAAAAAAAAAA' +
	'AAAAAAPoAAAH0FXEAAAAAAAhaGRscgAAAAAAAAAAdmlkZQAAAAAAAAAAAAAAAAAAAAEnbWluZgAAABR2bWhkAAAAAQ' +
	'AAAAAAAAAAAAAAJGRpbmYAAAAcZHJlZgAAAAAAAAABAAAADHVybCAAAAABAAAA53N0YmwAAACDc3RzZAAAAAAAAAAB' +
	'AAAAc2F2YzEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAEAAQAEgAAABIAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAA' +
	'AAAAAAAAAAAAAAAAAAAAAY//8AAAAdYXZjQwFCwAr/4QAGZ0LACtp5AQAEaM44gAAAABhzdHRzAAAAAAAAAAEAAAAB' +
	'AAAH0AAAABxzdHNjAAAAAAAAAAEAAAABAAAAAQAAAAEAAAAUc3RzegAAAAAAAAGKAAAAAQAAABRzdGNvAAAAAAAAAA' +
	'EAAAJsAAABkm1kYXQAAAGGZYiEhoA8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8' +
	'PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PD' +
	'w8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8' +
	'PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PDw8PD' +
	'w8PDw8PDw8lpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaW' +
	'lpaWlm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm5ubm' +
	'6A';

/** JPEG of 16 × 9 pixels. */
const picture =
	'/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1td' +
	'hbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk' +
	'pKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAAJABADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEA' +
	'AAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAA//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhED' +
	'EQA/AIgDCf/Z';

/** GIF of one pixel. */
const animation = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const subtitles = '00:00:00.000 --> 00:00:02.000\nThis is a sample.\n';

/** Header of a WAV file: one second, mono, 8 bits at 8,000 Hz. The file is silent. */
const soundHeader = 'UklGRmQfAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YUAfAAA=';

function createSampleFile(mimeType: string): Buffer {
	switch (mimeType) {
		case 'audio/wav':
			return Buffer.concat([Buffer.from(soundHeader, 'base64'), Buffer.alloc(8_000, 128)]);
		case 'image/jpeg':
			return Buffer.from(picture, 'base64');
		case 'image/gif':
			return Buffer.from(animation, 'base64');
		case 'text/vtt':
			return Buffer.from(`WEBVTT\n\n${subtitles}`);
		case 'application/x-subrip':
			return Buffer.from(`1\n${subtitles.replaceAll('.000', ',000')}`);
		default:
			return Buffer.from(video, 'base64');
	}
}

export const storeSampleFile: typeof downloadFile = async (n8n, _client, source) => {
	const { name, mimeType, extension } = await source();
	return await storeUniquelyNamedFile(n8n, createSampleFile(mimeType), name, {
		mimeType,
		extension,
	});
};
