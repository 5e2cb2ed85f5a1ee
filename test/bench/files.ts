/** A film of a gigabyte, down and up. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { byId, start, type Link } from '../e2e/workflows';
import { inTurn } from './rounds';
import type { BenchFile } from './section';
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
const theirDownload = (url: string, name = measured): Link => ({
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

export const bench: BenchFile = {
	title: 'Large files',
	how: 'One film of 1 GiB from the storage into n8n, and from n8n to the storage. HTTP Request is given the addresses: it does not ask for them, nor tell the service about the file, which the time of ours includes. The value is the speed of ours divided by that of HTTP Request; memory is what n8n (resident) has more at its highest than before.',
	short: false,
	async run({ startOwn, log }) {
		const size = 1024 * MiB;
		const stage = await startOwn({ simulator: { jobSeconds: 0 } });
		const { n8n, simulator } = stage;
		const grown = { down: 0, up: 0 };
		/** Runs it; the growth of the memory counts from the second time on. */
		const timeOf = async (links: Link[], direction?: keyof typeof grown) => {
			const run = await workflow(stage, 'Files', links);
			const before = n8n.rssBytes();
			let most = before;
			const watch = setInterval(() => (most = Math.max(most, n8n.rssBytes())), 50);
			const { milliseconds, execution } = await run().finally(() => clearInterval(watch));
			if (execution.status !== 'success') throw new Error('A file did not get through');
			if (direction) grown[direction] = Math.max(grown[direction], (most - before) / MiB);
			removeFiles(stage);
			return milliseconds;
		};
		const fileUrl = async () => String((await ask(stage, 'GET /v3/videos/video_001')).video_url);

		// Everything that is loaded once is loaded by a small file.
		for (const link of [ourDownload, theirDownload(await fileUrl())]) await timeOf([start, link]);
		simulator.control.setMediaBytes(size);
		const down = await inTurn(
			5,
			() => timeOf([start, ourDownload], 'down'),
			async () => await timeOf([start, theirDownload(await fileUrl())]),
		);
		log(`  down: ${(1 / down.ratio).toFixed(2)}, ${grown.down.toFixed(0)} MiB`);

		const target = async () => {
			const file = { filename: 'film.mp4', content_type: 'video/mp4', size_bytes: size };
			return String((await ask(stage, 'POST /v3/assets/direct-uploads', file)).upload_url);
		};
		const film = async () => theirDownload(await fileUrl(), 'Film');
		const up = await inTurn(
			5,
			async () => await timeOf([start, await film(), ourUpload], 'up'),
			async () => await timeOf([start, await film(), theirUpload(await target())]),
		);
		log(`  up: ${(1 / up.ratio).toFixed(2)}, ${grown.up.toFixed(0)} MiB`);

		const speed = (milliseconds: number) =>
			`${(size / MiB / (milliseconds / 1000)).toFixed(0)} MiB/s`;
		return [
			...Object.entries({ down, up }).map(([direction, { ours, theirs, ratio }]) => ({
				what: `1 GiB ${direction}`,
				beside: 'HTTP Request',
				ours: speed(ours),
				theirs: speed(theirs),
				value: 1 / ratio,
				goal: { least: 0.95 },
			})),
			...Object.entries(grown).map(([direction, value]) => ({
				what: `Growth of n8n's memory meanwhile (${direction}, its highest in six rounds), in MiB`,
				ours: `${value.toFixed(0)} MiB`,
				value,
				goal: { most: 64 },
			})),
		];
	},
};
