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

/** Error of one of the two classes that the n8n editor shows in full detail. */
export type NodeError = NodeApiError | NodeOperationError;

/** Parts of an error's text before they are joined into its message and description. */
export interface ErrorTextParts {
	/** Error message that tells the user what happened. */
	message: string;
	/**
	 * Lines that explain why the error occurred and what to do next. Intended for people and
	 * language models.
	 */
	advice: readonly string[];
	/** Lines with error codes and request IDs. Intended for people, but not for language models. */
	details?: readonly string[];
	/**
	 * Instruction that tells a language model which input to correct. Added as the last line of the
	 * error that the model receives.
	 */
	correction?: string;
	/** Text that the node added when it reported the error. */
	additions?: ErrorAdditions;
}

/** Text to add to an error when the node reports it, such as the failed item's index. */
export interface ErrorAdditions {
	/** Text appended to the error message, such as ` [item 3]`. */
	suffix?: string;
	/** Lines to show above the error's own description. */
	before?: readonly string[];
	/** Lines to show below the error's own description. */
	after?: readonly string[];
}

/**
 * Parts of each error's text. They are stored outside the error objects, because n8n would
 * otherwise save them with the error.
 */
const partsByError = new WeakMap<NodeError, ErrorTextParts>();

/** Returns the parts of an error's text. */
export function getErrorTextParts(error: NodeError): ErrorTextParts {
	const parts = partsByError.get(error) ?? {
		message: error.message,
		advice: error.description ? [error.description] : [],
	};
	partsByError.set(error, parts);
	return parts;
}

/** Joins the parts of an error's text and any additional text into a message and a description. */
export function joinErrorTextParts(
	{ message, advice, details = [] }: ErrorTextParts,
	{ suffix = '', before = [], after = [] }: ErrorAdditions = {},
): { message: string; description: string } {
	const lines = [...before, ...advice, ...details, ...after].filter(Boolean);
	return { message: message + suffix, description: lines.join('\n') };
}

/** Adds text to an error that will end the run. Replaces any text that was added before. */
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

/**
 * Sets a new error's message, description and details. Overrides the message that n8n would show.
 */
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
 * Creates the error for a problem that the user must correct, or for a job that failed or timed
 * out.
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
 * Creates the error for an item with invalid values.
 *
 * @param problems one sentence for each invalid value
 * @param conclusion last sentence of the error's description. May be empty
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

/**
 * Creates the error for requests that were not sent because the user stopped the execution, or
 * because their time was up.
 *
 * @param signal aborted signal, whose reason decides which of the two the error reports
 */
export function createExecutionStoppedError(node: INode, signal?: AbortSignal): NodeError {
	const isTimeUp = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
	const message = isTimeUp ? 'The service took too long to respond' : 'The execution was stopped';
	return createOperationError(node, message, undefined, { code: 'stopped' });
}

/**
 * Creates the error for a request that could not start a job in time, because the account was
 * already running its maximum number of jobs.
 *
 * @param waited number of seconds that the request waited
 * @param isContested whether another client seems to have taken the places of jobs that have ended
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

/** Display names of form fields, keyed by the fields' API names. */
type FieldLabels = Readonly<Record<string, string>>;

/**
 * Returns the form label and API path of a field for an error message, for example
 * `Voice (scenes[0].voice_id)`. Returns only the path if the field has no label.
 */
function labelField(param: string, labels: FieldLabels = {}): string {
	const known = param.split(/[^\w-]+/).find((part) => Object.hasOwn(labels, part));
	return known === undefined ? param : `${labels[known] ?? ''} (${param})`;
}

/** Converts the problems in a workflow definition to text, with one line per problem. */
const renderProblems = ({ errors = [] }: ErrorDetails): string[] =>
	errors.map((problem) => {
		const location = [problem.node_id, problem.port, problem.path].filter(Boolean).join(' / ');
		const suffix = location === '' ? '' : ` (${location})`;
		return `• ${toText(problem.code ?? 'problem')}: ${toText(problem.message ?? '')}${suffix}`;
	});

/** Formats an error's API field, codes and IDs as lines of text. */
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

/** Optional information that makes the error for a failed request more specific. */
export interface ServiceErrorOptions {
	/** Error message in the service's response. */
	serviceMessage?: string;
	/** Advice that replaces the default advice for the error. */
	hint?: string;
	/** Explanations for the current operation. They take precedence over the general ones. */
	explanations?: ErrorExplanations;
	labels?: FieldLabels;
}

/**
 * Minimum number of words in an error message from the service for the message to count as an
 * explanation. Shorter messages, such as `Not found`, explain nothing.
 */
const minSentence = 4;

const isSentence = (message = '') => message.trim().split(/\s+/, minSentence).length >= minSentence;

/**
 * Returns a sentence that tells a language model which input to correct, and why. Returns undefined
 * if the service did not say which input was wrong.
 */
function describeCorrection(
	{ param }: ErrorDetails,
	serviceMessage?: string,
	labels?: FieldLabels,
): string | undefined {
	if (param === undefined) return undefined;
	const reason = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
	return `Call again with another value for ${labelField(param, labels)}${reason}`;
}

/**
 * Creates the error for an error response, or for a response that cannot be used, such as invalid
 * JSON.
 */
export function createServiceError(
	node: INode,
	errorDetails: ErrorDetails,
	{ serviceMessage, hint, explanations, labels }: ServiceErrorOptions = {},
): NodeApiError {
	const explanation = explainError(errorDetails, explanations);
	const retryAfter = errorDetails.retry_after ?? 0;
	const minutes = Math.ceil(retryAfter / 60).toLocaleString('en-US');
	const comeBack =
		retryAfter > maxRetryAfter
			? `The service asks you to wait ${minutes} minutes. Run again after that time.`
			: undefined;
	const advice = [hint, comeBack].filter((line) => line !== undefined);
	const isEnough = explanation.isGeneric === true && isSentence(serviceMessage);
	const messages = [isEnough ? '' : explanation.message, serviceMessage];
	const parts: ErrorTextParts = {
		message: messages.filter(Boolean).join(': '),
		advice: [
			...(advice.length > 0 ? advice : [explanation.advice]),
			...renderProblems(errorDetails),
		],
		details: renderDetails(errorDetails, labels),
		correction: describeCorrection(errorDetails, serviceMessage, labels),
	};
	return createApiError(node, parts, errorDetails);
}

/** Description of a server that could not be reached, for use in error messages. */
interface ConnectionTarget {
	/** Name of the server, capitalized because it begins a sentence, such as `The service`. */
	name: string;
	/** Advice for the user if the server cannot be reached. */
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

/**
 * Error messages and advice for requests that cannot be sent at all, keyed by cause. Fixed advice
 * is always shown. Default advice is shown only if the caller provides no advice of its own.
 */
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

/** Parts of a connection error that the caller can override. */
interface ConnectionErrorOptions {
	/** Advice for the user that replaces the default advice for a connection error. */
	hint?: string;
	details?: ErrorDetails;
	/** Server that the request was meant for. Defaults to the video service. */
	target?: ConnectionTarget;
}

/**
 * Creates the error for a request whose connection could not be established or was interrupted.
 *
 * @param code the connection's error code, such as ECONNRESET
 * @param reason message of the original error
 */
export function createConnectionError(
	node: INode,
	code: string,
	reason: string,
	{ hint, details, target = serviceTarget }: ConnectionErrorOptions = {},
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
			`Reason: ${reason}`,
		],
	};
	return createApiError(node, parts, {
		code: code.toLowerCase(),
		uncertain: state === 'broken',
		...details,
	});
}

/**
 * Returns a phrase that names a node's credential in error messages, such as
 * `the credential "My key"`.
 */
const describeCredential = (node: INode, type: string) => {
	const name = node.credentials?.[type]?.name;
	return name ? `the credential "${name}"` : 'the credential';
};

/** Creates the error for an OAuth credential that was saved but never connected to an account. */
export const createCredentialNotConnectedError = (node: INode, type: string): NodeOperationError =>
	createOperationError(
		node,
		'The account is not connected yet',
		`Open ${describeCredential(node, type)}, connect the account and run again.`,
		{ code: 'unauthorized', status: 401 },
	);

/**
 * Creates the error for an OAuth access token that n8n could not renew.
 *
 * @param temporary HTTP status that the token endpoint returned, or a connection error
 * code. Set only if a later attempt to renew the token may succeed
 */
export function createTokenRenewalError(
	node: INode,
	type: string,
	{ reason, temporary }: { reason: string; temporary?: { code?: string; status?: number } },
	{ hint, details }: { hint?: string; details?: ErrorDetails },
): NodeApiError {
	const credential = describeCredential(node, type);
	const reasons = [`Reason: ${reason}`, ...(hint ? [hint] : [])];
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
