/** Download and upload of a video of one gigabyte. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { byId, errorText, start, type Link } from '../e2e/workflows';
import { inTurn, withGrowth } from './rounds';
import type { BenchContext, BenchFile, Measure } from './section';
import { measured, workflow } from './workflows';

const MiB = 2 ** 20;

async function ask(stage: Stage, line: string, body?: object): Promise<IDataObject> {
	const [method = '', path = ''] = line.split(' ');
	const response = await fetch(stage.simulator.baseUrl + path, {
		method,
		headers: { 'x-api-key': stage.simulator.apiKey, 'content-type': 'application/json' },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	return ((await response.json()) as { data: IDataObject }).data;
}

/** Removes the files of earlier rounds, which would fill the disk. */
function removeFiles({ n8n }: Stage): void {
	const folder = join(n8n.userFolder, '.n8n');
	for (const name of readdirSync(folder, { recursive: true }) as string[]) {
		const file = join(folder, name);
		const found = statSync(file, { throwIfNoEntry: false });
		if (found?.isFile() && found.size > 16 * MiB && !name.includes('sqlite')) rmSync(file);
	}
}

const ourDownload: Link = {
	name: measured,
	type: 'video',
	parameters: { operation: 'download', video_id: byId('video_001'), file: 'video' },
};
const ourUpload: Link = {
	name: measured,
	type: 'n8n-nodes-videogen.videoGenAsset',
	parameters: { operation: 'upload', binaryPropertyName: 'data' },
};
export const theirDownload = (url: string, name = measured): Link => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	parameters: { url, options: { response: { response: { responseFormat: 'file' } } } },
	more: { typeVersion: 4.2 },
});
const theirUpload = (url: string): Link => ({
	name: measured,
	type: 'n8n-nodes-base.httpRequest',
	parameters: {
		method: 'PUT',
		url,
		sendBody: true,
		contentType: 'binaryData',
		inputDataFieldName: 'data',
		options: {},
	},
	more: { typeVersion: 4.2 },
});

const size = 1024 * MiB;

/** Runs a workflow. Returns the duration of its node and the highest growth of n8n's memory. */
export async function move(
	stage: Stage,
	links: Link[],
): Promise<{ milliseconds: number; grown: number }> {
	const run = await workflow(stage, 'Files', links);
	const { result, grown } = await withGrowth(stage.n8n, run);
	if (result.execution.status !== 'success') {
		throw new Error(`A file did not get through: ${errorText(result.execution).split('\n')[0]}`);
	}
	removeFiles(stage);
	return { milliseconds: result.milliseconds, grown };
}

export const fileUrl = async (stage: Stage) =>
	String((await ask(stage, 'GET /v3/videos/video_001')).video_url);

export type Side = (stage: Stage) => Promise<Link[]>;

export const downloads: Record<'ours' | 'theirs', Side> = {
	ours: async () => [start, ourDownload],
	theirs: async (stage) => [start, theirDownload(await fileUrl(stage))],
};

const film = async (stage: Stage) => theirDownload(await fileUrl(stage), 'Film');

/** Uploads of a file of this size, in bytes. */
export const createUploads = (bytes: number): Record<'ours' | 'theirs', Side> => ({
	ours: async (stage) => [start, await film(stage), ourUpload],
	async theirs(stage) {
		const file = { filename: 'film.mp4', content_type: 'video/mp4', size_bytes: bytes };
		const { upload_url } = await ask(stage, 'POST /v3/assets/direct-uploads', file);
		return [start, await film(stage), theirUpload(String(upload_url))];
	},
});

const uploads = createUploads(size);

/** Starts an n8n that has loaded all code for files. From then on, videos are large. */
export async function ready(
	startOwn: BenchContext['startOwn'],
	{ bytes = size, env = {} }: { bytes?: number; env?: Record<string, string> } = {},
): Promise<Stage> {
	const stage = await startOwn({ simulator: { jobSeconds: 0 }, env });
	for (const links of Object.values(downloads)) await move(stage, await links(stage));
	stage.simulator.control.setMediaBytes(bytes);
	return stage;
}

/** How much n8n's memory grows by N of these, in an n8n that has moved no large file before. */
export async function growth(
	startOwn: BenchContext['startOwn'],
	links: Side,
	{
		first,
		runs = 3,
		...setting
	}: { first?: Side; runs?: number; bytes?: number; env?: Record<string, string> } = {},
): Promise<number> {
	const stage = await ready(startOwn, setting);
	if (first) await move(stage, await first(stage));
	let most = 0;
	for (let i = 0; i < runs; i++) {
		most = Math.max(most, (await move(stage, await links(stage))).grown);
	}
	await stage.close();
	return most;
}

export const bench: BenchFile = {
	title: 'Large files',
	how: 'A 1 GiB video is downloaded from storage to n8n, and uploaded from n8n to storage. HTTP Request receives the URLs in advance. Our nodes’ times include requesting the URLs and registering the file. The value is our speed divided by that of HTTP Request. Memory is the peak growth of n8n’s resident memory in three runs. Each variant runs on a separate, freshly started n8n instance. Before an upload, the same n8n instance downloads the file once, and this download does not count.',
	async run({ startOwn, log }) {
		const stage = await ready(startOwn);
		const timeOf = (links: Side) => async () =>
			(await move(stage, await links(stage))).milliseconds;
		const speed = (milliseconds: number) =>
			`${(size / MiB / (milliseconds / 1000)).toFixed(0)} MiB/s`;
		const measures: Measure[] = [];
		const both = { down: downloads, up: uploads };
		for (const [direction, sides] of Object.entries(both)) {
			const { ours, theirs, ratio } = await inTurn(5, timeOf(sides.ours), timeOf(sides.theirs));
			log(`  ${direction}: ${(1 / ratio).toFixed(2)}`);
			measures.push({
				what: `${direction === 'up' ? 'Upload' : 'Download'} of 1 GiB`,
				beside: 'HTTP Request',
				ours: speed(ours),
				theirs: speed(theirs),
				value: 1 / ratio,
				goal: { least: 0.95 },
			});
		}
		await stage.close();
		for (const [direction, sides] of Object.entries(both)) {
			const first = direction === 'up' ? downloads.theirs : undefined;
			const ours = await growth(startOwn, sides.ours, { first });
			const theirs = await growth(startOwn, sides.theirs, { first });
			const inMiB = (grown: number) => `${grown.toFixed(0)} MiB`;
			log(`  memory, ${direction}: ${inMiB(ours)} beside ${inMiB(theirs)}`);
			measures.push({
				what: `Growth of n8n's memory during ${direction === 'up' ? 'an upload' : 'a download'} of 1 GiB, in MiB`,
				beside: 'HTTP Request',
				ours: inMiB(ours),
				theirs: inMiB(theirs),
				value: ours,
				goal: { most: 64 },
			});
		}
		return measures;
	},
};
