import { request } from 'undici';
import { renderVideo } from '../../simulator/renderVideo';
import { avatarVideo, useSimulator } from './support';

const simulator = useSimulator({ renderVideos: true, jobSeconds: 1 });

async function download(url: string, headers = {}) {
	const { body, headers: received } = await request(url, { headers });
	return { bytes: Buffer.from(await body.arrayBuffer()), etag: received.etag };
}

/** Creates a video, waits for its end, and returns its URL. */
async function createVideo(fields: object): Promise<string> {
	const { video_id } = await simulator.data('POST /v3/videos', { ...avatarVideo, ...fields });
	simulator.control.clock.advance(1);
	return (await simulator.data(`GET /v3/videos/${video_id}`)).video_url;
}

/** Reads the width and height from the track header of an MP4 file. */
function readSize(file: Buffer) {
	const box = file.indexOf('tkhd');
	return [file.readUInt16BE(box + 80), file.readUInt16BE(box + 84)];
}

test('videos with other words differ, and the same video has the same bytes', async () => {
	const ada = await createVideo({ title: 'For Ada', script: 'Hello Ada, welcome to the team!' });
	const bert = await createVideo({ title: 'For Bert', script: 'Hello Bert, welcome to the team!' });
	const video = await download(ada);
	expect(video.bytes.subarray(4, 12).toString()).toBe('ftypmp42');
	expect(video.bytes.includes('avc1')).toBe(true);
	expect((await download(bert)).bytes.equals(video.bytes)).toBe(false);
	expect(await download(ada)).toEqual(video);
	const end = await download(ada, { range: 'bytes=1000-' });
	expect(end.bytes.equals(video.bytes.subarray(1000))).toBe(true);
});

test('a video that was dropped from memory is rendered with the same bytes', async () => {
	const content = { title: 'Kept', text: 'for a while', aspectRatio: '16:9' };
	const first = await renderVideo(content);
	for (let index = 0; index < 50; index += 1) {
		await renderVideo({ title: String(index), text: '', aspectRatio: '1:1' });
	}
	const again = await renderVideo(content);
	expect(again).not.toBe(first);
	expect(again.equals(first)).toBe(true);
});

test.each([
	['16:9', [640, 360]],
	['9:16', [360, 640]],
	['1:1', [360, 360]],
	['auto', [640, 360]],
])('a video with the aspect ratio %s has that shape', async (aspect_ratio, size) => {
	const { bytes } = await download(await createVideo({ aspect_ratio }));
	expect(readSize(bytes)).toEqual(size);
});

test('every kind of text can be drawn', async () => {
	const texts = ['', '<b>&"\u0000\u001f', 'x'.repeat(10_000), 'Ελλάδα Киев Łódź 日本 🎬 \ud800'];
	const videos = await Promise.all(
		texts.map(async (text) => await renderVideo({ title: text, text, aspectRatio: '16:9' })),
	);
	for (const video of videos) expect(readSize(video)).toEqual([640, 360]);
	// Each text is in the picture.
	expect(new Set(videos.map((video) => video.toString('latin1'))).size).toBe(texts.length);
});

test('jobs of every kind with a video have a video of their own', async () => {
	const video = { type: 'url', url: 'https://files.example/video.mp4' };
	const created = await simulator.data('POST /v3/ai-clipping', { video });
	simulator.control.clock.advance(1);
	const { clips } = await simulator.data(`GET /v3/ai-clipping/${created.ai_clipping_id}`);
	const files = await Promise.all(
		clips.map(async (clip: { video_url: string }) => (await download(clip.video_url)).bytes),
	);
	expect(new Set(files.map((file) => file.toString('latin1'))).size).toBe(3);
	expect(readSize(files[0])).toEqual([360, 640]);

	const { video_id } = await simulator.data('POST /v3/models/videos', {
		mode: 'text_to_video',
		model: 'seedance_2_0',
		prompt: 'A red kite over the sea',
	});
	simulator.control.clock.advance(1);
	const shown = await simulator.data(`GET /v3/models/videos/${video_id}`);
	const { bytes } = await download(shown.video_url);
	expect(
		bytes.equals(
			await renderVideo({
				title: shown.model,
				text: 'A red kite over the sea',
				aspectRatio: '16:9',
			}),
		),
	).toBe(true);
});
