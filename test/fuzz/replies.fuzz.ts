/** Replies of the service: bodies, status words, batches and lists of any form. */
import { createServer } from 'node:http';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { parseReply } from '../../nodes/core/http/reply';
import { matchEntriesToRows } from '../../nodes/core/jobs/matchBatchEntries';
import { resolveOutcome, decideJobState } from '../../nodes/core/jobs/jobState';
import type { JobKind } from '../../nodes/core/jobs/types';
import * as jobs from '../../nodes/jobKinds/catalog';
import { runNode } from '../integration/support/engine';
import { useServers } from '../integration/support/servers';
import { property, WrongAcceptance } from './property';
import { buildText, texts, toPlainText, type Text } from './values';

const anyObject = fc.dictionary(
	fc.oneof(
		fc.constantFrom(
			...['data', 'error', 'code', 'message', 'status', 'id', 'video_id', 'progress', 'items'],
			...['errors', 'param', 'msg', '__proto__', 'constructor', 'completed_at', 'video_url'],
			...['toString', 'valueOf', 'counts_by_status'],
		),
		fc.string({ maxLength: 6 }),
	),
	fc.jsonValue({ maxDepth: 3 }),
	{ maxKeys: 6 },
) as fc.Arbitrary<IDataObject>;

property<{ status: number; body: unknown; headers: IDataObject; legacy: boolean }>({
	name: 'Replies, any body with any status is read without a crash',
	inputs: 10_000,
	arbitrary: fc.record({
		status: fc.integer({ min: 200, max: 599 }),
		body: fc.oneof(anyObject, fc.jsonValue(), fc.string()),
		headers: fc.record({ 'retry-after': fc.oneof(fc.string(), fc.double()) }),
		legacy: fc.boolean(),
	}),
	check: ({ status, body, headers, legacy }) => {
		const response = { statusCode: status, headers, body: body as IDataObject };
		const reply = parseReply(response, legacy);
		const isSuccess = status < 300;
		if (!isSuccess && reply.kind !== 'rejection') throw new WrongAcceptance(`is a ${reply.kind}`);
		if (reply.kind === 'success' && typeof reply.body !== 'object') {
			throw new WrongAcceptance('has no body');
		}
		if (reply.kind === 'rejection' && (reply.details.code ?? '').length > 1_010) {
			throw new WrongAcceptance('has a code without an end');
		}
	},
});

const kinds = Object.values<JobKind>(jobs);

/** Words with one meaning for every kind, and what the table of service.md says they mean. */
const words = {
	pending: ['pending', 'waiting', 'queued', 'processing', 'rendering', 'running'],
	failed: ['failed', 'error', 'canceled', 'rejected', 'timed_out', 'import_failed', 'deleted'],
	completed: ['completed', 'success', 'succeeded', 'done', 'finished'],
	other: ['finalizing', 'polishing', 'stage 2', ''],
} as const;

const disguised = (word: string) =>
	fc
		.tuple(fc.constantFrom('', ' ', '\n'), fc.boolean())
		.map(([space, isUpper]) => `${space}${isUpper ? word.toUpperCase() : word}${space}`);

const statusReply = fc
	.constantFrom(...(Object.keys(words) as Array<keyof typeof words>))
	.chain((meaning) =>
		fc.record({
			meaning: fc.constant(meaning),
			word: fc.constantFrom(...words[meaning]).chain(disguised),
			kind: fc.constantFrom(...kinds),
			data: anyObject,
		}),
	);

/** Whether a reply has something that may mean the end of a job, apart from its status word. */
const hasEndFacts = (kind: JobKind, data: IDataObject) =>
	kind.describeUsable?.(data) !== undefined ||
	[...(kind.resultUrls ?? []), kind.parts ?? '', 'completed_at', 'counts_by_status'].some((key) =>
		Object.hasOwn(data, key),
	);

const hasFailureFacts = (data: IDataObject) =>
	['error', 'failure_code', 'failure_message', 'failure_reason', 'error_message'].some((key) =>
		Object.hasOwn(data, key),
	);

property({
	name: 'Status words, the word decides, and no other value makes a pending job fail',
	inputs: 10_000,
	arbitrary: statusReply,
	check: ({ meaning, word, kind, data }) => {
		const response = { ...data, status: word };
		const own = [kind.completed, kind.failed, kind.resting ?? [], kind.pending ?? []].flat();
		if (own.some((one) => one.toLowerCase() === word.trim().toLowerCase())) return;
		const state = decideJobState(kind, response);
		if (meaning !== 'other') {
			if (state !== meaning && !hasEndFacts(kind, data))
				throw new WrongAcceptance(`${word} is ${state}`);
		} else if (state === 'failed' && !hasFailureFacts(data)) {
			throw new WrongAcceptance('has failed without a reason');
		} else if (state === 'completed' && !hasEndFacts(kind, data)) {
			throw new WrongAcceptance('is completed without a result');
		}
		resolveOutcome({ kind, id: 'job' }, { response, next: data }, (text) => text);
	},
});

interface Batch {
	/** The rows whose entries the response has, in the order of the entries. */
	order: number[];
	count: number;
	index: 'number' | 'text' | 'from one' | 'none';
	hasTotal: boolean;
}

const batch: fc.Arbitrary<Batch> = fc.integer({ min: 1, max: 12 }).chain((count) =>
	fc
		.record({
			order: fc.shuffledSubarray(
				Array.from({ length: count }, (_, i) => i),
				{ minLength: 0 },
			),
			count: fc.constant(count),
			index: fc.constantFrom<Batch['index'][]>('number', 'text', 'from one', 'none'),
			hasTotal: fc.boolean(),
		})
		// Without an index, and counted from one, only a complete list shows which row is which.
		.map((one) => {
			if (one.index === 'none') return { ...one, order: [...one.order].sort((a, b) => a - b) };
			const isWhole = one.order.length === count;
			return one.index === 'from one' && !isWhole ? { ...one, index: 'number' as const } : one;
		}),
);

property<Batch>({
	name: 'Batches, a row gets its own entry or none',
	inputs: 10_000,
	arbitrary: batch,
	check: ({ order, count, index, hasTotal }) => {
		const indexes = {
			number: (row: number) => row,
			text: String,
			'from one': (row: number) => row + 1,
			none: () => undefined,
		};
		const items = order.map((row) => ({
			item_index: indexes[index](row),
			video_id: `v${row}`,
			row,
		}));
		const response = { items, ...(hasTotal ? { total_items: count } : {}) } as IDataObject;
		const entries = matchEntriesToRows({ id: 'video_id' }, response, count);
		if (entries.length !== count) throw new WrongAcceptance(`${entries.length} rows`);
		const mixed = entries.find((entry, row) => entry !== undefined && entry.row !== row);
		if (mixed) throw new WrongAcceptance(`another row gets ${JSON.stringify(mixed)}`);
		const isCertain = order.length === count || !['none', 'from one'].includes(index);
		const missing = order.filter((row) => entries[row] === undefined);
		if (isCertain && missing.length > 0) throw new WrongAcceptance(`${missing.length} are missing`);
	},
});

interface Pages {
	/** The number of entries of each page. */
	sizes: number[];
	cursors: Array<string | number>;
	place: 'beside' | 'inside';
	saysMore: boolean;
}

const pages: fc.Arbitrary<Pages> = fc.record({
	sizes: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 }),
	cursors: fc.uniqueArray(
		fc.oneof(
			fc
				.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
				.filter((one) => !/\p{Surrogate}/u.test(one)),
			fc.constantFrom('&limit=1', '../x', '%2F', '{"a":1}', '=', ' '),
			fc.integer({ min: 1 }),
		),
		{ minLength: 8, maxLength: 8, selector: String },
	),
	place: fc.constantFrom<Pages['place'][]>('beside', 'inside'),
	saysMore: fc.boolean(),
});

let current: Pages;
const startServer = useServers();

/** Responds with the page that the cursor of the request names. */
const server = createServer((request, response) => {
	const { searchParams } = new URL(request.url ?? '', 'http://localhost');
	const token = searchParams.get('token');
	const { sizes, cursors, place, saysMore } = current;
	const page = token === null ? 0 : cursors.findIndex((one) => String(one) === token) + 1;
	const first = sizes.slice(0, page).reduce((sum, size) => sum + size, 0);
	const rows = Array.from({ length: sizes[page] ?? 0 }, (_, i) => ({ id: `v${first + i}` }));
	const isLast = page >= sizes.length - 1;
	const more: IDataObject = {
		...(isLast ? {} : { next_token: cursors[page] }),
		...(saysMore || isLast ? { has_more: !isLast } : {}),
	};
	const body = place === 'inside' ? { data: { list: rows, ...more } } : { data: rows, ...more };
	response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
let baseUrl: Promise<string> | undefined;

property<Pages>({
	name: 'Cursors, Return All outputs every entry of a list once and in order',
	inputs: 2_000,
	arbitrary: pages,
	check: async (input) => {
		current = input;
		baseUrl ??= startServer(server);
		const list = { operation: 'getMany', returnAll: true };
		const account = { baseUrl: await baseUrl, apiKey: 'key' };
		const { items, error } = await runNode(account, 'VideoGenVideo', list);
		if (error) throw error;
		const wanted = Array.from(
			{ length: input.sizes.reduce((a, b) => a + b, 0) },
			(_, i) => `v${i}`,
		);
		const got = items.map(({ json }) => json.video_id);
		if (JSON.stringify(got) !== JSON.stringify(wanted)) {
			throw new WrongAcceptance(`${got.length} of ${wanted.length} entries: ${got.join()}`);
		}
	},
});

property<Text>({
	name: 'Replies, a text instead of JSON is read in linear time',
	inputs: 1_000,
	arbitrary: texts,
	control: toPlainText,
	check: (text) => {
		const body = buildText(text);
		parseReply({ statusCode: 200, headers: {}, body: body as never }, false);
		parseReply(
			{ statusCode: 400, headers: {}, body: { error: { code: body, message: body } } as never },
			false,
		);
	},
});
