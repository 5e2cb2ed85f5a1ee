/** Every kind of job is in docs/service.md, States, as the nodes read it; and a row starts it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKnownStatus } from '../../../nodes/core/jobs/state';
import type { JobKind } from '../../../nodes/core/jobs/types';
import * as jobs from '../../../nodes/jobs/catalog';
import { projectRoot } from '../../../tools/install';
import { nodesFolder } from '../../../tools/nodes';

/** How the row of the table begins. */
const rows: Record<string, string> = {
	videoJob: 'Video',
	sessionJob: 'Agent session',
	chatSessionJob: 'Agent session',
	videoBatchJob: 'Batch of videos',
	modelVideoJob: 'Model video',
	modelVoiceJob: 'Professional voice',
	voiceCloneJob: 'Voice clone',
	lookJob: 'Look',
	avatarGroupJob: 'Look; avatar',
	translationJob: 'Translation',
	translationBatchJob: 'Batch of videos, translations',
	proofreadJob: 'Proofread',
	lipsyncJob: 'Translation, lipsync',
	lipsyncBatchJob: 'Batch of videos, translations, lipsyncs',
	clippingJob: 'AI clip job',
	assetBatchJob: 'Batch of videos, translations, lipsyncs, uploads',
	brandKitJob: 'Brand kit',
	renderJob: 'Composition render',
	backgroundRemovalJob: 'Background removal',
	realtimeStreamJob: 'Realtime stream',
	workflowRunJob: 'Workflow run',
};

const page = readFileSync(join(projectRoot, 'docs', 'service.md'), 'utf8');
const table = page.slice(page.indexOf('| Kind of job'));

const sources = readdirSync(nodesFolder, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.ts'))
	.map((name) => readFileSync(join(nodesFolder, name), 'utf8'))
	.join('\n');

const kinds = Object.entries<JobKind>(jobs);

const lineOf = (name: string) =>
	table.split('\n').find((line) => line.startsWith(`| ${rows[name]}`));

const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');

test.each(kinds)('%s', (name, job) => {
	const begin = rows[name];
	if (begin === undefined) throw new Error(`Say in this test which row of States is ${name}`);
	const row = lineOf(name);
	if (!row) throw new Error(`Add to docs/service.md, States, a row "${begin}"`);
	const [, , , completed = '', failed = '', resting = '', evidence = ''] = row.split('|');
	const lacking = (words: readonly string[] | undefined, cell: string) =>
		(words ?? []).filter((word) => !cell.includes(`\`${word}\``));
	const words = [
		...lacking(job.completed, completed),
		...lacking(job.failed, failed),
		...lacking(job.resting, resting),
		...lacking(job.resultUrls, evidence),
	];
	if (words.length > 0) {
		throw new Error(`Add to docs/service.md, States, "${begin}": ${words.join(', ')}`);
	}
	if (sources.split(new RegExp(`\\b${name}\\b`)).length < 4) {
		throw new Error(`Write "starts: ${name}" into the row of its create`);
	}
});

/** Names of modes, of which a row may speak too. */
const modes = ['chat', 'generate'];

test.each(kinds)('what States says of a %s holds', (name) => {
	const [, , seen, completed, failed, resting] = lineOf(name)?.split('|') ?? [];
	const same = kinds.filter(([other]) => lineOf(other) === lineOf(name)).map(([, job]) => job);
	const beyond = (
		cell: string | undefined,
		wordsOf: (job: JobKind) => readonly string[] | undefined,
	) => quoted(cell).filter((word) => !same.some((job) => wordsOf(job)?.includes(word)));
	const wrong = [
		...beyond(completed, (job) => job.completed),
		...beyond(failed, (job) => job.failed),
		...beyond(resting, (job) => [...(job.resting ?? []), ...modes]),
		...quoted(seen).filter((status) => same.some((job) => !isKnownStatus(job, { status }))),
	];
	if (wrong.length > 0) {
		throw new Error(`Nodes do not know from docs/service.md, "${rows[name]}": ${wrong.join(', ')}`);
	}
});
