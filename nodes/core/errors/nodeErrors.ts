/**
 * Creates errors that make sense to the person who built the workflow.
 *
 * The message reports what happened. The description explains what to do next, followed by codes
 * and IDs. With Continue On Fail, workflows can read the same codes and IDs as structured details.
 */
import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { explainError, type ErrorExplanations } from './advice';
import {
	getRequestSendState,
	findUnsendableRequestCause,
	type UnsendableRequestCause,
	type RequestSendState,
} from './connection';
import { maxRetryAfter, type ErrorDetails } from './errorDetails';
import { createErrorLink } from './errorLink';
import { formatDuration } from '../time';
import { toText } from '../json';

/** The n8n editor shows only these two classes in full detail. */
export type NodeError = NodeApiError | NodeOperationError;

export interface ErrorTextParts {
	message: string;
	/** Why the error occurred and what to do next, for people and language models. */
	advice: readonly string[];
	/** Error codes and request IDs, for people only. */
	details?: readonly string[];
	/** Tells a language model which input to correct. Becomes the last line of its error. */
	correction?: string;
	/** Text that the node added when it reported the error. */
	additions?: ErrorAdditions;
}

/** Text that the node adds when it reports an error, such as the item's index. */
export interface ErrorAdditions {
	/** Appended to the message, such as ` [row 4]`. */
	suffix?: string;
	before?: readonly string[];
	after?: readonly string[];
}

/** Stored outside the errors, because n8n would save the parts with them. */
const partsByError = new WeakMap<NodeError, ErrorTextParts>();

export function getErrorTextParts(error: NodeError): ErrorTextParts {
	const parts = partsByError.get(error) ?? {
		message: error.message,
		advice: error.description ? [error.description] : [],
	};
	partsByError.set(error, parts);
	return parts;
}

export function joinErrorTextParts(
	{ message, advice, details = [] }: ErrorTextParts,
	{ suffix = '', before = [], after = [] }: ErrorAdditions = {},
): { message: string; description: string } {
	const lines = [...before, ...advice, ...details, ...after].filter(Boolean);
	return { message: message + suffix, description: lines.join('\n') };
}

/** Replaces any text that was added before. */
export function addErrorText(error: NodeError, additions: ErrorAdditions): void {
	const parts = getErrorTextParts(error);
	partsByError.set(error, { ...parts, additions });
	const { message, description } = joinErrorTextParts(parts, additions);
	error.message = message;
	// The editor shows the description as HTML, where a line break without <br> is only a space.
	// <br> begins each line, so that users can copy the end of a line, such as a key, from plain
	// text.
	error.description = description.replaceAll('\n', '\n<br>');
}

function completeError<E extends NodeError>(
	error: E,
	parts: ErrorTextParts,
	errorDetails: ErrorDetails,
): E {
	const link = createErrorLink(errorDetails);
	const { details = [] } = parts;
	const linkedParts =
		link === undefined ? parts : { ...parts, details: [...details, `About this error: ${link}`] };
	partsByError.set(error, linkedParts);
	error.context.details = errorDetails;
	const { message, description } = joinErrorTextParts(linkedParts);
	// n8n replaces a message that happens to contain an OS error code.
	error.message = message;
	error.description = description || undefined;
	return error;
}

function createApiError(
	node: INode,
	parts: ErrorTextParts,
	errorDetails: ErrorDetails,
): NodeApiError {
	const { message } = parts;
	const json: JsonObject = { message };
	const { status } = errorDetails;
	const httpCode = status === undefined ? undefined : String(status);
	return completeError(new NodeApiError(node, json, { message, httpCode }), parts, errorDetails);
}

/**
 * Creates the error for a problem that the user must correct, or for a job that failed.
 *
 * @param advice what the user should do next, as one line or a list of lines
 */
export function createOperationError(
	node: INode,
	message: string,
	advice: string | readonly string[] = [],
	errorDetails: ErrorDetails = {},
): NodeOperationError {
	const parts: ErrorTextParts = { message, advice: [advice].flat() };
	return completeError(new NodeOperationError(node, message), parts, errorDetails);
}

/**
 * @param problems one sentence for each invalid value
 * @param conclusion last sentence of the description. May be empty
 */
export const createInvalidValuesError = (
	node: INode,
	problems: readonly string[],
	conclusion = 'Nothing was sent to the service.',
): NodeOperationError =>
	createOperationError(
		node,
		problems[0] ?? 'A value is invalid',
		[...problems.slice(1), conclusion].filter(Boolean),
		{ code: 'invalid_value', complaints: [...problems] },
	);

/** Converts any thrown value to an error that the n8n editor shows in full detail. */
export function toNodeError(node: INode, error: unknown): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** @param signal its reason decides whether the user or a timeout has stopped the requests */
export function createExecutionStoppedError(node: INode, signal?: AbortSignal): NodeError {
	const isTimeUp = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
	const message = isTimeUp ? 'The service took too long to respond' : 'The execution was stopped';
	return createOperationError(node, message, undefined, { code: 'stopped' });
}

/**
 * @param waited seconds
 * @param isContested whether another client seems to have taken the places of ended jobs
 */
export function createCapacityTimeoutError(
	node: INode,
	waited: number,
	isContested: boolean,
): NodeApiError {
	const time = waited < 1 ? 'did not wait' : `waited ${formatDuration(waited)}`;
	const others = isContested
		? [
				'Something else seems to use the account: the jobs that this n8n instance has started should have ended, but the service starts no other job for it.',
			]
		: [];
	const parts: ErrorTextParts = {
		message:
			'Not started and not charged: the account was already running its maximum number of jobs',
		advice: [
			...others,
			`This item ${time}. Run it again after other jobs have ended: with On Error set to “Continue (using error output)”, the error output can be connected back to the input. Wait for Capacity in the options sets how long to wait.`,
		],
	};
	return createApiError(node, parts, { code: 'not_started', status: 429, outcome: 'not_started' });
}

/** Display names of form fields, keyed by their API names. */
type FieldLabels = Readonly<Record<string, string>>;

/** Returns a label and API path such as `Voice (scenes[0].voice_id)`, or only the path. */
function labelField(param: string, labels: FieldLabels = {}): string {
	const known = param.split(/[^\w-]+/).find((part) => Object.hasOwn(labels, part));
	return known === undefined ? param : `${labels[known] ?? ''} (${param})`;
}

const renderProblems = ({ errors = [] }: ErrorDetails): string[] =>
	errors.map((problem) => {
		const location = [problem.node_id, problem.port, problem.path].filter(Boolean).join(' / ');
		const suffix = location === '' ? '' : ` (${location})`;
		return `• ${toText(problem.code ?? 'problem')}: ${toText(problem.message ?? '')}${suffix}`;
	});

function renderDetails(details: ErrorDetails, labels?: FieldLabels): string[] {
	const { param, code, status, request_id: requestId, doc_url: docUrl } = details;
	const named: Array<[string, unknown]> = [
		['Field', param === undefined ? undefined : labelField(param, labels)],
		['Code', code],
		['HTTP status', status],
		['Request ID', requestId],
		['More', docUrl],
	];
	return named
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}: ${toText(value)}`);
}

export interface ServiceErrorOptions {
	serviceMessage?: string;
	/** Replaces the default advice. */
	hint?: string;
	/** Sentence that says whether the request created anything. */
	outcome?: string;
	/** Take precedence over the general ones. */
	explanations?: ErrorExplanations;
	labels?: FieldLabels;
}

/**
 * Words that a message of the service needs to count as an explanation. `Not found` explains
 * nothing.
 */
const minSentence = 4;

const isSentence = (message = '') => message.trim().split(/\s+/, minSentence).length >= minSentence;

/** Tells a language model which input to correct, if the service says which one was wrong. */
function describeCorrection(
	{ param }: ErrorDetails,
	serviceMessage?: string,
	labels?: FieldLabels,
): string | undefined {
	if (param === undefined) return undefined;
	const reason = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
	return `Call again with another value for ${labelField(param, labels)}${reason}`;
}

/** Creates the error for an error response, or for a response that cannot be used. */
export function createServiceError(
	node: INode,
	errorDetails: ErrorDetails,
	{ serviceMessage, hint, outcome, explanations, labels }: ServiceErrorOptions = {},
): NodeApiError {
	const explanation = explainError(errorDetails, explanations);
	const retryAfter = errorDetails.retry_after ?? 0;
	const minutes = Math.ceil(retryAfter / 60).toLocaleString('en-US');
	const comeBack =
		retryAfter > maxRetryAfter
			? `The service asks you to wait ${minutes} minutes. Run again after that time.`
			: undefined;
	const advice = [hint, comeBack].filter((line) => line !== undefined);
	const { isByStatus = false, isGeneric = false } = explanation;
	const isEnough = (isGeneric || isByStatus) && isSentence(serviceMessage);
	const meaning = isByStatus && isEnough ? `${explanation.message}. ` : '';
	const messages = [isEnough ? '' : explanation.message, serviceMessage];
	const parts: ErrorTextParts = {
		message: messages.filter(Boolean).join(': '),
		advice: [
			...(advice.length > 0 ? advice : [meaning + explanation.advice]),
			...(outcome === undefined ? [] : [outcome]),
			...renderProblems(errorDetails),
		],
		details: renderDetails(errorDetails, labels),
		correction: describeCorrection(errorDetails, serviceMessage, labels),
	};
	return createApiError(node, parts, errorDetails);
}

/** Server that could not be reached. */
interface ConnectionTarget {
	/** Begins a sentence, such as `The service`. */
	name: string;
	unreachableAdvice: string;
}

const serviceTarget: ConnectionTarget = {
	name: 'The service',
	unreachableAdvice: 'Check the Base URL in the credential, and whether n8n can reach it.',
};

const connectionMessages: Record<
	Exclude<RequestSendState, 'impossible'>,
	(target: string) => string
> = {
	unsent: (target) => `${target} cannot be reached`,
	broken: (target) =>
		`The connection to ${target.charAt(0).toLowerCase()}${target.slice(1)} was lost before a response arrived`,
};

/** Fixed advice is always shown, default advice only if the caller provides none. */
const impossibleRequests: Record<
	UnsendableRequestCause,
	{ message: string; defaultAdvice?: string; fixedAdvice?: string }
> = {
	blocked: {
		message: 'n8n itself blocked the request',
		fixedAdvice:
			"n8n's protection of internal addresses (SSRF) does not allow this URL. Ask your n8n administrator to allow the host, or use another URL.",
	},
	redirect: {
		message: 'The URL redirects to an address that n8n cannot access',
		fixedAdvice: 'Use a URL that begins with https:// and points directly to the file.',
	},
	handshake: {
		message: 'The request could not be sent',
		defaultAdvice:
			'Check whether the Base URL in the credential has to begin with https:// or http://, and whether n8n trusts its certificate.',
	},
	other: { message: 'The request could not be sent', defaultAdvice: 'See the reason below.' },
};

interface ConnectionErrorOptions {
	/** Replaces the default advice. */
	hint?: string;
	/** Sentence that says whether the request created anything. */
	outcome?: string;
	details?: ErrorDetails;
	/** Defaults to the video service. */
	target?: ConnectionTarget;
}

/**
 * @param code error code of the connection, such as ECONNRESET
 * @param reason message of the original error
 */
export function createConnectionError(
	node: INode,
	code: string,
	reason: string,
	{ hint, outcome, details, target = serviceTarget }: ConnectionErrorOptions = {},
): NodeApiError {
	const state = getRequestSendState(code);
	const impossible = impossibleRequests[findUnsendableRequestCause(code)];
	const defaultAdvice: Record<RequestSendState, string> = {
		unsent: target.unreachableAdvice,
		broken: 'Try again later.',
		impossible: impossible.defaultAdvice ?? '',
	};
	const isImpossible = state === 'impossible';
	const parts: ErrorTextParts = {
		message: isImpossible ? impossible.message : connectionMessages[state](target.name),
		advice: [
			(isImpossible ? impossible.fixedAdvice : undefined) ?? hint ?? defaultAdvice[state],
			...(outcome === undefined ? [] : [outcome]),
			`Reason: ${reason}`,
		],
	};
	return createApiError(node, parts, {
		code: code.toLowerCase(),
		uncertain: state === 'broken',
		...details,
	});
}

const describeCredential = (node: INode, type: string) => {
	const name = node.credentials?.[type]?.name;
	return name ? `the credential "${name}"` : 'the credential';
};

/** An OAuth credential can be saved before it is connected. */
export const createCredentialNotConnectedError = (node: INode, type: string): NodeOperationError =>
	createOperationError(
		node,
		'The account is not connected yet',
		`Open ${describeCredential(node, type)}, connect the account and run again.`,
		{ code: 'unauthorized', status: 401 },
	);

/**
 * @param temporary status of the token endpoint or connection error code, if a later attempt may
 * succeed
 */
export function createTokenRenewalError(
	node: INode,
	type: string,
	{ reason, temporary }: { reason: string; temporary?: { code?: string; status?: number } },
	{ hint, outcome, details }: { hint?: string; outcome?: string; details?: ErrorDetails },
): NodeApiError {
	const credential = describeCredential(node, type);
	const reasons = [`Reason: ${reason}`, ...[hint, outcome].filter((line) => line !== undefined)];
	const create = (message: string, advice: string, errorDetails: ErrorDetails) =>
		createApiError(
			node,
			{ message, advice: [advice, ...reasons] },
			{ ...errorDetails, ...details },
		);
	if (!temporary) {
		return create(
			'The account must be reconnected',
			`Open ${credential}, reconnect the account and run again. Access has expired or was revoked, and could not be renewed.`,
			{ code: 'unauthorized', status: 401 },
		);
	}
	const { code, status } = temporary;
	return create(
		'Access to the account cannot be renewed at the moment',
		`Try again later. If the problem persists, check the Access Token URL in ${credential}.`,
		{
			...(status === undefined ? {} : { status }),
			...(code === undefined ? {} : { code: code.toLowerCase(), uncertain: false }),
		},
	);
}
