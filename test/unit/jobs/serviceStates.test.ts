/** The states of every kind of job match service.md, States; and an operation starts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasKnownStatus } from '../../../nodes/core/jobs/jobState';
import type { JobKind } from '../../../nodes/core/jobs/types';
import * as jobs from '../../../nodes/jobKinds/catalog';
import { projectRoot } from '../../../tools/install';
import { nodesFolder } from '../../../tools/nodeFolders';

/** The first cell of the row in the table, or its beginning. */
const rows: Record<string, string> = {
	videoJob: 'Video',
	agentSessionJob: 'Agent session',
	agentChatSessionJob: 'Agent session',
	videoBatchJob: 'Batch of videos',
	modelVideoJob: 'Model video',
	professionalVoiceJob: 'Professional voice',
	voiceCloneJob: 'Voice clone',
	avatarLookJob: 'Look',
	avatarGroupJob: 'Look; avatar',
	translationJob: 'Translation',
	translationBatchJob: 'Batch of videos, translations',
	proofreadJob: 'Proofread',
	lipsyncJob: 'Translation, lipsync',
	lipsyncBatchJob: 'Batch of videos, translations, lipsyncs',
	clippingJob: 'AI clip job',
	assetBatchJob: 'Batch of videos, translations, lipsyncs, uploads',
	brandKitJob: 'Brand kit',
	compositionRenderJob: 'Composition render',
	backgroundRemovalJob: 'Background removal',
	realtimeStreamJob: 'Realtime stream',
	workflowRunJob: 'Workflow run',
};

const page = readFileSync(join(projectRoot, 'docs', 'contributing', 'service.md'), 'utf8');
const table = page.slice(page.indexOf('| Kind of job'));

const sources = readdirSync(nodesFolder, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.ts'))
	.map((name) => readFileSync(join(nodesFolder, name), 'utf8'))
	.join('\n');

const kinds = Object.entries<JobKind>(jobs);

const findLine = (name: string) =>
	table.split('\n').find((line) => line.startsWith(`| ${rows[name]}`));

const readQuoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

test.each(kinds)('the table lists the states of %s', (name, job) => {
	const begin = rows[name];
	if (begin === undefined) throw new Error(`Say in this test which row of States is ${name}`);
	const row = findLine(name);
	if (!row) throw new Error(`Add to docs/contributing/service.md, States, a row "${begin}"`);
	const [, , , completed = '', failed = '', resting = '', evidence = ''] = row.split('|');
	const findMissing = (words: readonly string[] | undefined, cell: string) =>
		(words ?? []).filter((word) => !cell.includes(`\`${word}\``));
	const words = [
		...findMissing(job.completed, completed),
		...findMissing(job.failed, failed),
		...findMissing(job.resting, resting),
		...findMissing(job.resultUrls, evidence),
	];
	if (words.length > 0) {
		throw new Error(`Add to docs/contributing/service.md, States, "${begin}": ${words.join(', ')}`);
	}
	if (sources.split(new RegExp(`\\b${name}\\b`)).length < 4) {
		throw new Error(`Write "starts: ${name}" into the row of its create`);
	}
});

/** Names of modes, which a row may mention too. */
const modes = ['chat', 'generate'];

test.each(kinds)('%s knows the states that the table lists', (name) => {
	const [, , seen, completed, failed, resting] = findLine(name)?.split('|') ?? [];
	const same = kinds.filter(([other]) => findLine(other) === findLine(name)).map(([, job]) => job);
	const findUnknown = (
		cell: string | undefined,
		wordsOf: (job: JobKind) => readonly string[] | undefined,
	) => readQuoted(cell).filter((word) => !same.some((job) => wordsOf(job)?.includes(word)));
	const wrong = [
		...findUnknown(completed, (job) => job.completed),
		...findUnknown(failed, (job) => job.failed),
		...findUnknown(resting, (job) => [...(job.resting ?? []), ...modes]),
		...readQuoted(seen).filter((status) => same.some((job) => !hasKnownStatus(job, { status }))),
	];
	if (wrong.length > 0) {
		throw new Error(
			`Nodes do not know from docs/contributing/service.md, "${rows[name]}": ${wrong.join(', ')}`,
		);
	}
});
