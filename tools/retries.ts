/**
 * Renders what the node pages say about retries: which failed responses are retried, and why that is safe
 * for an operation. Derives both from the retry policy itself (core/http/retryPolicy).
 */
import type { FailedAttempt } from '../nodes/core/http/reply';
import { classifyRequest, decideRetry, mayHaveSucceeded } from '../nodes/core/http/retryPolicy';
import type { Operation } from '../nodes/core/operation';
import { getMethod } from '../nodes/core/operationTraits';
import { renderTable } from './pages';

/** Kind of request, depending on what happens if the service executes it twice. */
type RequestClass = 'sameEffect' | 'keyed' | 'unkeyed';

const classify = (requestClass: RequestClass) =>
	classifyRequest(requestClass === 'sameEffect' ? 'PATCH' : 'POST', {
		repeatable: false,
		hasKey: requestClass === 'keyed',
	});

function getRequestClass(operation: Operation): RequestClass {
	const { repeatable = false, idempotent } = operation;
	const hasKey = idempotent !== undefined;
	const request = classifyRequest(getMethod(operation), { repeatable, hasKey });
	if (!request.creates) return 'sameEffect';
	return request.safeToRepeat ? 'keyed' : 'unkeyed';
}

/** Returns a rejection. Only rejections by the service itself have an error code. */
const createRejection = (status: number, code?: string): FailedAttempt => ({
	kind: 'rejection',
	status,
	details: { status, ...(code === undefined ? {} : { code }) },
	isFromService: code !== undefined,
});

const rateLimit = createRejection(429, 'rate_limit_exceeded');
const unavailable = createRejection(503, 'service_unavailable');
const proxyUnavailable = createRejection(503);

const failures: Array<[string, FailedAttempt]> = [
	['429 from the service', rateLimit],
	['429 from the service because a quota is used up', createRejection(429, 'quota_exceeded')],
	['503 from the service', unavailable],
	['429 from a proxy', createRejection(429)],
	['503 from a proxy', proxyUnavailable],
	['500 from the service', createRejection(500, 'internal_error')],
	['502 or 504 from the service or a proxy', createRejection(502)],
	[
		'409 `request_in_progress` or `resource_not_ready`',
		createRejection(409, 'request_in_progress'),
	],
	['Any other error, such as 400 or 402', createRejection(400, 'invalid_parameter')],
	[
		'Connection broken after the request was sent',
		{ kind: 'unconnected', code: 'ECONNRESET', detail: '' },
	],
	[
		'Success status with a truncated response',
		{ kind: 'unreadable', status: 200, code: 'cut_answer' },
	],
	[
		'Success status with a web page as the response',
		{ kind: 'unreadable', status: 200, code: 'not_json' },
	],
	['No connection', { kind: 'unconnected', code: 'ECONNREFUSED', detail: '' }],
];

/** Describes the outcome of a request that fails in the same way at every attempt. */
function describeOutcome(reply: FailedAttempt, requestClass: RequestClass): string {
	for (let attempts = 1; ; attempts++) {
		const decision = decideRetry(reply, {
			...classify(requestClass),
			attempts,
			uncountedAttempts: 0,
			seconds: 0,
			mayHaveSucceededBefore: attempts > 1 && mayHaveSucceeded(reply),
			random: 0,
		});
		if (decision.next === 'done') return 'done';
		if (decision.next === 'retry') {
			if (decision.isUncounted) return 'retried for several minutes';
			continue;
		}
		const known = requestClass === 'keyed' ? 'names the key' : 'says what may exist';
		const error = decision.uncertain ? `an error that ${known}` : 'an error';
		return attempts === 1 ? error : `retried, ${attempts} attempts in total; then ${error}`;
	}
}

const isRetried = (reply: FailedAttempt, requestClass: RequestClass) =>
	describeOutcome(reply, requestClass).startsWith('retried');

/** When the request of an operation is retried, and why that is safe. */
export interface RetryRule {
	safeBecause?: 'same effect' | 'key';
	/** Whether it is retried after 429 and 503 from the service itself, which did not execute it. */
	afterServiceRejection: boolean;
	/** Whether it is retried after 503 from a proxy. The service may have executed it. */
	afterProxyRejection: boolean;
}

const onlyRejected = 'only after a 429 or 503 response from the service, not from a proxy';

/** Returns the rule of an operation, as a table cell of its page. */
export function renderRetryRule(operation: Operation): string {
	const requestClass = getRequestClass(operation);
	if (![rateLimit, unavailable].every((reply) => isRetried(reply, requestClass))) return 'never';
	if (!isRetried(proxyUnavailable, requestClass)) return onlyRejected;
	if (requestClass === 'sameEffect')
		return 'yes, because repeating the request has the same effect';
	const { idempotent } = operation;
	return typeof idempotent === 'object'
		? `yes, with an idempotency key in \`${idempotent.bodyField}\``
		: 'yes, with an idempotency key';
}

/** Returns what the page of an operation says, for tests that compare it with the requests sent. */
export function readRetryRule(operation: Operation): RetryRule {
	const cell = renderRetryRule(operation);
	const [, safeBecause] = /^yes, .*\b(same effect|key)\b/.exec(cell) ?? [];
	return {
		...(safeBecause && { safeBecause: safeBecause as RetryRule['safeBecause'] }),
		afterServiceRejection: safeBecause !== undefined || cell === onlyRejected,
		afterProxyRejection: safeBecause !== undefined,
	};
}

/** Returns an operation's name on its node's page, with the resource if the node has several. */
export const getOperationTitle = (operation: { name: string }, resource?: { name: string }) =>
	resource === undefined ? operation.name : `${resource.name}: ${operation.name}`;

/** Returns the chapter about retries, for the page about all nodes. */
export const renderRetryChapter = (): string[] => [
	'## What is retried',
	"If the service itself rejects a request, it returns JSON with an error code and does not execute the request. A response with the same status but no error code comes from an intermediary, such as a proxy. In that case, the service may or may not have executed the request. The pauses between attempts get longer, and the node respects the `Retry-After` header. Each node's tests run on n8n's engine and verify what the node's page says after **Retried**.",
	renderTable(
		[
			'Response',
			'Safe to repeat (reads, PUT, PATCH, DELETE, some POST requests)',
			'Create request with a key',
			'Create request without a key',
		],
		failures.map(([name, reply]) => [
			name,
			...(['sameEffect', 'keyed', 'unkeyed'] as const).map((one) => describeOutcome(reply, one)),
		]),
	),
];
