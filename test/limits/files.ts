/** Large files, many files, and a full disk. */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	createUploads,
	downloads,
	fileUrl,
	growth,
	theirDownload,
	type Side,
} from '../bench/files';
import { median } from '../bench/rounds';
import { rows } from '../bench/workflows';
import { byId, chain, errorText, itemsNode, start, type Link } from '../e2e/workflows';
import { save } from '../faults/creates';
import type { Limit, LimitContext, LimitFile } from './section';

const MiB = 2 ** 20;

const inMiB = (value: number) => `${value.toFixed(0)} MiB`;

const sideNames = ['theirs', 'ours'] as const;
type Sides = Record<(typeof sideNames)[number], Side>;

/**
 * The growth of n8n's memory on both sides: the median of several freshly started n8n instances,
 * because uncollected garbage differs from one to the next by tens of MiB.
 */
async function compareGrowth(
	{ startOwn }: LimitContext,
	sides: Sides,
	setting: Parameters<typeof growth>[2],
): Promise<{ ours: number; theirs: number }> {
	const seen: Record<keyof Sides, number[]> = { ours: [], theirs: [] };
	for (let round = 0; round < 3; round++) {
		for (const name of sideNames) {
			seen[name].push(await growth(startOwn, sides[name], { ...setting, runs: 1 }));
		}
	}
	return { ours: median(seen.ours), theirs: median(seen.theirs) };
}

/** The row of the table that compares the growth of n8n's memory. */
function createGrowthRow(
	what: string,
	{ ours, theirs }: { ours: number; theirs: number },
	beyond: string,
): Limit {
	// Even medians differ by tens of MiB from run to run.
	const most = theirs * 1.1 + 64;
	return {
		what: `${what}: peak growth of n8n’s memory`,
		figure: inMiB(ours),
		theirs: `HTTP Request: ${inMiB(theirs)}`,
		beyond,
		wrong: ours > most ? [`${inMiB(ours)} is more than that of HTTP Request`] : [],
	};
}

/** The memory for one large file, down and up. */
async function moveLargeFiles(context: LimitContext): Promise<void> {
	const { startOwn, report } = context;
	const GiB = 1024 * MiB;
	const bytes = 10 * GiB;
	const name = `a file of ${bytes / GiB} GiB`;
	const down = await compareGrowth(context, downloads, { bytes });
	report(
		createGrowthRow(
			`Download of ${name}`,
			down,
			'The memory does not depend on the file size, because files are streamed. The disk is the limit. Unlike HTTP Request, the node checks the stream, and resumes the download after a broken connection.',
		),
	);
	// The file that goes up is downloaded before, so that only the upload is measured.
	const setting = { bytes, first: downloads.theirs, runs: 1 };
	const uploads = createUploads(bytes);
	const ours = await growth(startOwn, uploads.ours, setting);
	// HTTP Request reads a file into memory before it uploads it, which may be too large for that.
	const theirs = await growth(startOwn, uploads.theirs, setting).catch((error: unknown) => error);
	report({
		what: `Upload of ${name}: peak growth of n8n’s memory`,
		figure: inMiB(ours),
		theirs: `HTTP Request: ${typeof theirs === 'number' ? inMiB(theirs) : (theirs as Error).message}`,
		beyond:
			'The memory does not depend on the file size, because files are streamed. The service itself accepts uploads up to the size that each operation names.',
		wrong:
			typeof theirs === 'number' && ours > theirs
				? [`${inMiB(ours)} is more than that of HTTP Request`]
				: [],
	});
}

const modes = {
	filesystem: {
		mebibytes: 100,
		beyond: 'This is the recommended mode: files are streamed to the disk.',
	},
	default: {
		mebibytes: 20,
		beyond:
			'n8n keeps each file in memory as text while the execution runs. With a file of 100 MiB, n8n did not store the node’s result.',
	},
	database: {
		mebibytes: 100,
		beyond:
			'n8n reads each file into memory before it stores it, and rejects files above N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE.',
	},
};

const useMode = (mode: string) => ({ N8N_DEFAULT_BINARY_DATA_MODE: mode });

/** The memory for a file in each mode of n8n for binary data. */
async function compareModes(context: LimitContext): Promise<void> {
	for (const [mode, { mebibytes, beyond }] of Object.entries(modes)) {
		const setting = { bytes: mebibytes * MiB, env: useMode(mode) };
		const grown = await compareGrowth(context, downloads, setting);
		const what = `Download of a file of ${mebibytes} MiB, N8N_DEFAULT_BINARY_DATA_MODE=${mode}`;
		context.report(createGrowthRow(what, grown, beyond));
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

/** Downloads of many items in one execution. */
async function downloadMany(context: LimitContext): Promise<void> {
	const [count, bytes] = [100, 10 * MiB];
	const all = (link: Link) => [start, ...itemsNode(rows(count)), link];
	const sides: Sides = {
		ours: async () => all(downloadAll({ options: { requestsAtOnce: count } })),
		theirs: async (stage) => all(theirDownload(await fileUrl(stage))),
	};
	for (const mode of ['filesystem', 'database']) {
		const grown = await compareGrowth(context, sides, { bytes, env: useMode(mode) });
		const what = `Download of ${count} files of ${bytes / MiB} MiB (Max Concurrent Requests: ${count}), N8N_DEFAULT_BINARY_DATA_MODE=${mode}`;
		const beyond =
			'A node run transfers at most 3 files at the same time. Here, HTTP Request receives the URLs and downloads the files one after the other. Each additional execution needs memory for its own files.';
		context.report(createGrowthRow(what, grown, beyond));
	}
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
		"Free up space, or use the video's URL instead of downloading the video. Retry continues with the existing jobs.";
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
				.catch((error: unknown) => `a rejection by n8n (${String(error).slice(0, 120)} …)`);
			seen[side] =
				`the execution ends with status ${failed.status} (“${errorText(failed).split('\n').join('. ')}”), ${inMiB(leftBytes / MiB)} of incomplete files are left, and Retry ends as ${retried}.`;
			if (side === 'ours') {
				if (failed.status !== 'error') wrong.push(`the execution ended as ${failed.status}`);
				if (leftBytes > 0) wrong.push(`${left.length} half-written files are left`);
				if (retried !== 'success') wrong.push(`the retry ended as ${retried}`);
			}
			for (const one of filesIn(folder)) rmSync(join(folder, one.name));
		}
		report({
			what,
			figure: `With VideoGen Video, ${seen.ours}`,
			theirs: `With HTTP Request, ${seen.theirs}`,
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
	how: 'Memory is the peak growth of n8n’s resident memory. For each of the two nodes, the figure is the median of three freshly started n8n instances (for uploads, the figure of one instance). V8 frees the chunks of a streamed download only when they total 64 MiB, regardless of which node reads the stream. Our downloads therefore need about as much memory as those with HTTP Request.',
	async run(context) {
		await fillDisk(context);
		await downloadMany(context);
		await compareModes(context);
		await moveLargeFiles(context);
	},
};
