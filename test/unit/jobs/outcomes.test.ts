/** Outcomes are decided as the table in service.md, Outcomes, says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readJobOutcome } from '../../../nodes/core/jobs/readJobs';
import type { JobKind } from '../../../nodes/core/jobs/types';
import {
	agentChatSessionJob,
	agentSessionJob,
	brandKitJob,
	clippingJob,
	realtimeStreamJob,
} from '../../../nodes/jobKinds/catalog';
import { projectRoot } from '../../../tools/install';
import { readTableCells } from '../../../tools/pages';
import { passTime, useVirtualTime } from '../http/virtualTime';
import { createStatusService, fail, missing, type Response } from './statusService';

useVirtualTime();

const page = readFileSync(join(projectRoot, 'docs', 'contributing', 'service.md'), 'utf8');
const [, section = ''] = page.split('### Outcomes');
const readRows = (begin: string, end: string) =>
	readTableCells(section.slice(section.indexOf(begin), section.indexOf(end))).slice(2);

/** A row of the table: what it applies to, and the first word of its outcome. */
const rows = readRows('| Kind', 'The reason for a session').map(
	([kind = '', own = '', belongings = '', outcome = '']) => ({
		kind,
		own: own.split(', '),
		belongings: (belongings.split(': ')[1] ?? '').split(', '),
		outcome: /^(waits for the user|\w+)/.exec(outcome)?.[0],
	}),
);
const reasons = readRows('| Rank', 'Results of other jobs').map(([, reason = '']) => reason);

/** The outcome of the first row that matches. */
function findOutcome(kind: string, own: string, belonging: string): string | undefined {
	const matches = (cells: string[], value: string) =>
		cells.includes('any') || cells.includes(value);
	const row = rows.find(
		(one) => one.kind === kind && matches(one.own, own) && matches(one.belongings, belonging),
	);
	if (!row?.outcome) throw new Error(`The table has no row for ${kind}, ${own}, ${belonging}`);
	return row.outcome;
}

/** Resolves a job with these responses, in the words of the table. */
async function resolve(kind: JobKind, response: IDataObject, video: Response = missing) {
	const { client } = createStatusService({ v: video });
	const resolving = readJobOutcome(client, { kind, id: 'j' }, response);
	await passTime(resolving);
	const { outcome, error } = await resolving;
	if (error !== undefined) return { state: error === missing ? 'unknown' : 'pending' };
	const words = { completed: 'completed', failed: 'failed', resting: 'waits for the user' };
	return { state: outcome ? words[outcome.outcome] : 'pending', outcome };
}

const texts = fc.constantFrom('No renderer', 'Out of stock', 'No page', 'I am sorry');
const optionalText = fc.option(texts, { nil: null });
const message = fc.record({
	role: fc.constantFrom('user', 'model'),
	type: fc.constantFrom('text', 'error', 'resource'),
	content: texts,
	created_at: fc.integer({ min: 1, max: 9 }),
});

const ownWords: Record<string, string> = {
	'`thinking`': 'thinking',
	'waits for the user': 'reviewing',
	completed: 'completed',
	failed: 'failed',
	pending: 'generating',
};
const unreadable = fail({ status: 503 });

const session = fc.record({
	own: fc.constantFrom(...Object.keys(ownWords)),
	video: fc.constantFrom('completed', 'failed', 'pending', 'unreadable', 'missing', 'none'),
	videoReason: optionalText,
	sessionReason: optionalText,
	messages: fc.uniqueArray(message, { maxLength: 4, selector: (one) => one.created_at }),
});
type Session = typeof session extends fc.Arbitrary<infer T> ? T : never;

/** The reason of a failed session, by rank. Only a video that was read can name one. */
function findReason({ video, videoReason, sessionReason, messages }: Session): string {
	const byTime = [...messages].sort((a, b) => b.created_at - a.created_at);
	const [newest] = byTime;
	const byRank = [
		video === 'failed' ? videoReason : null,
		sessionReason,
		byTime.find(({ type }) => type === 'error')?.content ?? null,
		newest && newest.role !== 'user'
			? `The service gave no reason. The last message is: "${newest.content}"`
			: null,
		'The service gave no reason',
	];
	expect(byRank).toHaveLength(reasons.length);
	return byRank.find((reason) => reason !== null) ?? '';
}

test('500 combinations of a session, its video and its messages', async () => {
	const check = async (combination: Session) => {
		const { own, video, videoReason, sessionReason, messages } = combination;
		const kind = own === 'waits for the user' ? agentChatSessionJob : agentSessionJob;
		const response = {
			...{ session_id: 'j', status: ownWords[own], messages },
			...(video !== 'none' && { video_id: 'v' }),
			...(own === 'failed' && { error: sessionReason && { message: sessionReason } }),
		};
		const done = { status: 'completed', video_url: 'https://files.example/v' };
		const read: Record<string, Response> = {
			completed: done,
			failed: { status: 'failed', failure_message: videoReason },
			pending: { status: 'processing' },
			unreadable,
			missing,
		};
		const { state, outcome } = await resolve(kind, response, read[video]);
		expect(state).toBe(findOutcome('Agent session', own, video));
		if (outcome?.outcome === 'failed') {
			const reason = own === 'failed' ? sessionReason : null;
			expect(outcome.reason).toBe(findReason({ ...combination, sessionReason: reason }));
			expect(outcome.running?.id).toBe(video === 'pending' ? 'v' : undefined);
		} else if (outcome && video === 'completed' && state === 'completed') {
			expect(outcome.data).toMatchObject(done);
		}
	};
	await fc.assert(fc.asyncProperty(session, check), { numRuns: 500, seed: 46 });
});

const list = fc.array(fc.constant({ id: 'x' }), { maxLength: 1 });

test('combinations of the lists in a kit, the clips of a job, and the URL of a stream', async () => {
	const kit = fc.record({ colors: list, fonts: list, logos: list });
	const clips = fc.array(fc.record({ video_url: optionalText }), { maxLength: 3 });
	const check = async (lists: IDataObject, parts: IDataObject[], hls_url: string | null) => {
		const toWord = (isSome: boolean) => (isSome ? 'some' : 'none');
		const some = toWord(Object.values(lists).some((one) => (one as unknown[]).length > 0));
		const withLists = await resolve(brandKitJob, { status: 'error', ...lists });
		expect(withLists.state).toBe(findOutcome('Brand kit', 'failed', some));
		const hasClip = toWord(parts.some(({ video_url }) => video_url !== null));
		const withClips = await resolve(clippingJob, { status: 'failed', clips: parts });
		expect(withClips.state).toBe(findOutcome('AI clip job', 'failed', hasClip));
		for (const { state, outcome } of [withLists, withClips]) {
			const { warning } = outcome?.data ?? {};
			expect(typeof warning).toBe(state === 'completed' ? 'string' : 'undefined');
		}
		for (const status of ['pending', 'ready', 'streaming']) {
			const kind = { ...realtimeStreamJob, resultUrls: ['hls_url'] };
			const stream = await resolve(kind, { status, hls_url });
			const expected = findOutcome('Realtime stream', 'pending', toWord(hls_url !== null));
			expect(stream.state).toBe(expected);
		}
	};
	await fc.assert(fc.asyncProperty(kit, clips, optionalText, check), { numRuns: 100, seed: 46 });
});
