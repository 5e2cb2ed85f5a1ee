/*
 * Writes docs/repeats.md: which request is sent again after which answer, asked of the decision itself,
 * and what that means for each operation that creates or changes something.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FailedReply } from '../nodes/core/http/reply';
import { decideRetry, mayHaveSucceeded, classifyRequest } from '../nodes/core/http/retryPolicy';
import { getMethod, hasRequestBody, type Operation } from '../nodes/core/operation';
import { fail } from './child';
import { projectRoot } from './install';
import { loadNode, loadRows, type Row } from './nodes';
import { readOptions } from './options';
import { cellsIn, writePage } from './pages';

const help = `Writes docs/repeats.md: which creates and updates are repeated, and after which answer.

  npm run repeats   writes it`;

export const pageFile = join(projectRoot, 'docs', 'repeats.md');

/** What a second time of a request does. */
type Kind = 'harmless' | 'keyed' | 'unkeyed';

const methods: Record<Kind, string> = { harmless: 'PATCH', keyed: 'POST', unkeyed: 'POST' };

const natureOfKind = (kind: Kind) =>
	classifyRequest(methods[kind], { repeatable: false, hasKey: kind === 'keyed' });

function kindOf(operation: Operation): Kind {
	const { repeatable = false, idempotent } = operation;
	const nature = classifyRequest(getMethod(operation), {
		repeatable,
		hasKey: idempotent !== undefined,
	});
	if (!nature.creates) return 'harmless';
	return nature.repeatable ? 'keyed' : 'unkeyed';
}

/** A refusal; the service's own names its code. */
const refusal = (status: number, code?: string): FailedReply => ({
	kind: 'refusal',
	status,
	details: { status, ...(code === undefined ? {} : { code }) },
	isFromService: code !== undefined,
});

const answers: Array<[string, FailedReply]> = [
	['429 of the service', refusal(429, 'rate_limit_exceeded')],
	['429 of the service for a used-up quota', refusal(429, 'quota_exceeded')],
	['503 of the service', refusal(503, 'service_unavailable')],
	['429 of a proxy', refusal(429)],
	['503 of a proxy', refusal(503)],
	['500 of the service', refusal(500, 'internal_error')],
	['502, 504 of either', refusal(502)],
	['409 `request_in_progress`, `resource_not_ready`', refusal(409, 'request_in_progress')],
	['Any other refusal, such as 400 or 402', refusal(400, 'invalid_parameter')],
	[
		'A connection that broke after sending',
		{ kind: 'unconnected', code: 'ECONNRESET', detail: '' },
	],
	['A success whose answer was cut short', { kind: 'unreadable', status: 200, isTruncated: true }],
	['A success that is a page', { kind: 'unreadable', status: 200, isTruncated: false }],
	['No connection at all', { kind: 'unconnected', code: 'ECONNREFUSED', detail: '' }],
];

/** What becomes of a request that gets the same answer again and again. */
function fate(reply: FailedReply, kind: Kind): string {
	const nature = natureOfKind(kind);
	for (let tries = 1; ; tries++) {
		const maybeDone = tries > 1 && mayHaveSucceeded(reply);
		const decision = decideRetry(reply, {
			...nature,
			attempts: tries,
			polls: 0,
			seconds: 0,
			mayHaveSucceeded: maybeDone,
			random: 0,
		});
		if (decision.next === 'done') return 'done';
		if (decision.next === 'retry') {
			if (decision.isPoll) return 'again, for some minutes';
			continue;
		}
		const told = kind === 'keyed' ? 'with its key' : 'with what may exist';
		const error = decision.uncertain ? `an error ${told}` : 'an error';
		return tries === 1 ? error : `again, ${tries} times in all; then ${error}`;
	}
}

/** What is said of one operation. */
export interface Said {
	/** As its node, its resource where there are several, and its name. */
	title: string;
	request: string;
	/** Why a second time does no harm, if it does none. */
	because: string;
	/** After the service's own 429 and 503. */
	own: string;
	/** After a proxy's. */
	proxy: string;
}

/** The name of an operation on the page. */
export const titleOf = (node: string, resource: string | undefined, operation: Operation) =>
	[node, resource, operation.name].filter((part) => part !== undefined).join(': ');

const short = (reply: FailedReply, kind: Kind) =>
	fate(reply, kind).startsWith('again') ? 'again' : 'not again';

function becauseOf(operation: Operation): string {
	const { idempotent } = operation;
	switch (kindOf(operation)) {
		case 'unkeyed':
			return '';
		case 'keyed':
			return typeof idempotent === 'object' ? `its key, in \`${idempotent.bodyField}\`` : 'its key';
		case 'harmless':
			return 'it does the same';
	}
}

function saidOf({ folder, resource, operation }: Row, rows: readonly Row[]): Said {
	const several = rows.some((row) => row.folder === folder && row.resource !== resource);
	const kind = kindOf(operation);
	const [own] = [refusal(429, 'rate_limit_exceeded'), refusal(503, 'service_unavailable')].map(
		(reply) => short(reply, kind),
	);
	return {
		title: titleOf(
			loadNode(folder).description.displayName,
			several ? resource.name : undefined,
			operation,
		),
		request: `\`${operation.request}\``,
		because: becauseOf(operation),
		own: own ?? '',
		proxy: short(refusal(503), kind),
	};
}

/** What the page says of each operation, by its title. */
export const readSaid = (): Map<string, Said> =>
	new Map(
		cellsIn(readFileSync(pageFile, 'utf8'))
			.filter(({ length, 1: request = '' }) => length === 5 && request.startsWith('`'))
			.map(([title = '', request = '', because = '', own = '', proxy = '']) => [
				title,
				{ title, request, because, own, proxy },
			]),
	);

/** The page as it should be, but for the widths of its columns. */
export function repeats(): string {
	const rows = loadRows();
	const table = (kinds: readonly Kind[]) =>
		answers.map(
			([name, reply]) => `| ${[name, ...kinds.map((kind) => fate(reply, kind))].join(' | ')} |`,
		);
	return [
		'# What is repeated',
		'',
		'Made by `tools/repeats.ts` from the nodes; do not edit it by hand. The tests of each node see on n8n’s engine that it holds.',
		'',
		'The service’s own answer is JSON with its error code: it says that nothing was done. The same status without it comes from something in between, such as a proxy, and says nothing about that. Pauses grow, and `Retry-After` is obeyed.',
		'',
		'## By answer',
		'',
		'| Answer | A second time does the same (all PUT and PATCH, and what is marked below) | A create with a key | A create without a key |',
		'| --- | --- | --- | --- |',
		...table(['harmless', 'keyed', 'unkeyed']),
		'',
		'Reads and deletions are repeated like changes that do the same.',
		'',
		'## Creates and updates',
		'',
		'| Operation | Request | A second time is harmless for | After the service’s own 429 or 503 | After a proxy’s 503 |',
		'| --- | --- | --- | --- | --- |',
		...rows
			.filter(({ operation }) => hasRequestBody(operation))
			.map((row) => saidOf(row, rows))
			.map((one) => `| ${[one.title, one.request, one.because, one.own, one.proxy].join(' | ')} |`),
		'',
	].join('\n');
}

async function main(): Promise<void> {
	readOptions(help);
	await writePage(pageFile, repeats());
}

if (require.main === module) main().catch(fail);
