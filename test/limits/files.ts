/** Large files, many files, and a full disk. */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../tools/stage';
import {
	createUploads,
	downloads,
	fileUrl,
	growth,
	move,
	ready,
	theirDownload,
	type Side,
} from '../bench/files';
import { rows } from '../bench/workflows';
import { byId, chain, errorText, itemsNode, start, type Link } from '../e2e/workflows';
import { save } from '../faults/creates';
import type { LimitContext, LimitFile } from './section';

const MiB = 2 ** 20;

const inMiB = (value: number) => `${value.toFixed(0)} MiB`;

/** The memory for one large file, down and up. */
async function moveLargeFiles({ startOwn, short, report }: LimitContext): Promise<void> {
	const GiB = 1024 * MiB;
	const bytes = short ? GiB : 10 * GiB;
	const directions: Array<{
		direction: 'down' | 'up';
		sides: Record<'ours' | 'theirs', Side>;
		first?: Side;
	}> = [
		{ direction: 'down', sides: downloads },
		// The file that goes up is downloaded before, so that only the upload is measured.
		{ direction: 'up', sides: createUploads(bytes), first: downloads.theirs },
	];
	for (const { direction, sides, first } of directions) {
		const setting = { bytes, first, runs: 1 };
		const ours = await growth(startOwn, sides.ours, setting);
		// HTTP Request reads a file into memory before it uploads it, which may be too large for that.
		const theirs = await growth(startOwn, sides.theirs, setting).catch((error: unknown) => error);
		report({
			what: `A file of ${bytes / MiB / 1024} GiB ${direction}: peak growth of n8n’s memory`,
			figure: inMiB(ours),
			theirs: `HTTP Request: ${typeof theirs === 'number' ? inMiB(theirs) : (theirs as Error).message}`,
			beyond: {
				down: 'The memory does not depend on the size, because files are streamed. The disk is the limit. Unlike HTTP Request, the node checks the stream and resumes it after a broken connection.',
				up: 'The memory does not depend on the size, because files are streamed. The service itself takes uploads up to the size that each operation names.',
			}[direction],
			wrong:
				typeof theirs === 'number' && ours > theirs + 64
					? [`${inMiB(ours)} is more than that of HTTP Request`]
					: [],
		});
	}
}

const modes = {
	filesystem: {
		mebibytes: 100,
		beyond: 'Files are streamed to the disk. The recommended mode.',
	},
	default: {
		mebibytes: 20,
		beyond:
			'n8n keeps each file in memory as text, for as long as the execution runs. With a file of 100 MiB, n8n stored no result of the node.',
	},
	database: {
		mebibytes: 100,
		beyond:
			'n8n reads each file into memory before it stores it, and rejects files above N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE.',
	},
};

/** The memory for a file in each mode of n8n for binary data. */
async function compareModes({ startOwn, short, report }: LimitContext): Promise<void> {
	for (const [mode, { mebibytes, beyond }] of Object.entries(modes)) {
		const bytes = mebibytes * MiB;
		// Garbage that is not collected yet differs from run to run, the highest of several less so.
		const setting = { bytes, runs: short ? 1 : 5, env: { N8N_DEFAULT_BINARY_DATA_MODE: mode } };
		const ours = await growth(startOwn, downloads.ours, setting);
		const theirs = await growth(startOwn, downloads.theirs, setting);
		report({
			what: `A file of ${mebibytes} MiB down, N8N_DEFAULT_BINARY_DATA_MODE=${mode}: peak growth of n8n’s memory`,
			figure: inMiB(ours),
			theirs: `HTTP Request: ${inMiB(theirs)}`,
			beyond,
			wrong: ours > theirs * 1.1 + 64 ? [`${inMiB(ours)} is more than that of HTTP Request`] : [],
		});
	}
}

const downloadAll = (more: Link['parameters'] = {}): Link => ({
	name: 'Measured',
	type: 'video',
	parameters: {
		operation: 'download',
		video_id: byId('={{ $json.id }}'),
		file: 'video',
		...more,
	},
});

/** Downloads of many items at the same time. */
async function downloadMany({ startOwn, report }: LimitContext): Promise<void> {
	const [count, bytes] = [100, 10 * MiB];
	const measure = async (links: (stage: Stage) => Promise<Link>) => {
		const stage = await ready(startOwn, { bytes });
		const all = [start, ...itemsNode(rows(count)), await links(stage)];
		const { milliseconds, grown } = await move(stage, all);
		await stage.close();
		return { seconds: milliseconds / 1000, grown };
	};
	const ours = await measure(async () => downloadAll({ options: { requestsAtOnce: count } }));
	const theirs = await measure(async (stage) => theirDownload(await fileUrl(stage)));
	const show = ({ seconds, grown }: typeof ours) => `${seconds.toFixed(1)} s, ${inMiB(grown)}`;
	report({
		what: `${count} files of ${bytes / MiB} MiB down at the same time (Requests at Once: ${count}): time, and peak growth of n8n’s memory`,
		figure: show(ours),
		theirs: `HTTP Request: ${show(theirs)}`,
		beyond:
			'All files are read at the same time, which takes 1 to 2 MiB each. HTTP Request reads them one after the other. Without the option, the node adjusts the number.',
		wrong: ours.grown > theirs.grown + 2 * count ? ['more memory than HTTP Request'] : [],
	});
}

/** A small file system. Needs the right to mount one. */
function mountSmall(folder: string, bytes: number): (() => void) | undefined {
	try {
		execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'limits', folder], {
			stdio: 'ignore',
		});
	} catch {
		return undefined;
	}
	return () => execFileSync('umount', ['--lazy', folder]);
}

const filesIn = (folder: string) =>
	(readdirSync(folder, { recursive: true }) as string[])
		.map((name) => ({ name, found: statSync(join(folder, name)) }))
		.filter(({ found }) => found.isFile());

/** A disk that becomes full in the middle of a download, and is then cleared. */
async function fillDisk({ startOwn, newFolder, report }: LimitContext): Promise<void> {
	const [disk, bytes] = [256 * MiB, 200 * MiB];
	const folder = newFolder('disk');
	const unmount = mountSmall(folder, disk);
	const what = `A disk that becomes full after 56 of ${bytes / MiB} MiB of a download`;
	const beyond =
		'Free space, or pass on the URL of the video instead of downloading it. Retry continues with the jobs that exist.';
	if (!unmount) {
		report({ what, figure: 'not measured: this user may not mount a file system', beyond });
		return;
	}
	try {
		const env = {
			N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
			N8N_BINARY_DATA_STORAGE_PATH: folder,
		};
		const stage = await startOwn({ simulator: { jobSeconds: 0 }, env });
		const { n8n, simulator } = stage;
		simulator.control.setMediaBytes(bytes);
		const filler = join(folder, 'filler');
		const links = { ours: downloadAll(), theirs: theirDownload(await fileUrl(stage)) };
		const seen: Record<string, string> = {};
		const wrong: string[] = [];
		for (const [side, link] of Object.entries(links)) {
			const name = `Disk ${side}`;
			const id = await save(stage, chain(name, [start, ...itemsNode(rows(1)), link]));
			writeFileSync(filler, Buffer.alloc(disk - 56 * MiB));
			const failed = await n8n.run(id, { timeoutMs: 120_000 });
			const left = filesIn(folder).filter(({ name }) => name !== 'filler');
			const leftBytes = left.reduce((sum, { found }) => sum + found.size, 0);
			rmSync(filler);
			for (const one of left) rmSync(join(folder, one.name));
			// n8n cannot retry every error of HTTP Request: some refer to the broken connection.
			const retried = await n8n
				.api('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false })
				.then(async () => {
					const execution = { workflowId: id, afterId: failed.id };
					return (await n8n.waitForExecution(execution, { timeoutMs: 120_000 })).status;
				})
				.catch((error: unknown) => `rejected by n8n (${String(error).slice(0, 120)} …)`);
			seen[side] =
				`${failed.status}: “${errorText(failed).split('\n').join(' ')}”; ${inMiB(leftBytes / MiB)} left half-written; retry: ${retried}`;
			if (side === 'ours') {
				if (failed.status !== 'error') wrong.push(`the execution ended as ${failed.status}`);
				if (leftBytes > 0) wrong.push(`${left.length} half-written files are left`);
				if (retried !== 'success') wrong.push(`the retry ended as ${retried}`);
			}
			for (const one of filesIn(folder)) rmSync(join(folder, one.name));
		}
		report({
			what,
			figure: seen.ours ?? '',
			theirs: `HTTP Request: ${seen.theirs}`,
			beyond,
			wrong,
		});
		await stage.close();
	} finally {
		unmount();
	}
}

export const limits: LimitFile = {
	title: 'Files',
	how: 'Memory is the peak growth of n8n’s resident memory, on a separate, freshly started n8n instance for each side.',
	async run(context) {
		await fillDisk(context);
		await downloadMany(context);
		await compareModes(context);
		await moveLargeFiles(context);
	},
};
