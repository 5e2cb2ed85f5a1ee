/**
 * Creates errors that make sense to the person who built the workflow.
 *
 * The message reports what happened. The description explains what to do next, followed by codes
 * and IDs. With Continue On Fail, workflows can read the same codes and IDs as structured details.
 */
import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { filterEntries, toText } from '../json';
import { formatDuration } from '../time';
import { explainError, type ErrorExplanation, type ErrorExplanations } from './advice';
import {
	findUnsendableRequestCause,
	getRequestSendState,
	maxRetryAfter,
	type ErrorDetails,
} from './errorDetails';

/** Error of one of the two n8n classes that the editor shows in full detail. */
export type NodeError = NodeApiError | NodeOperationError;

export interface ErrorTextParts {
	message: string;
	/** Reasons for an error and what to do next, for people and language models. */
	advice: readonly string[];
	/** Error codes and request IDs in an error's description, for people only. */
	details?: readonly string[];
	/** Sentence that tells a language model what to correct: the last line of the error. */
	correction?: string;
	/** Text that the node added when it reported the error. */
	additions?: ErrorAdditions;
}

/** Text that the node adds when it reports an error, such as the item's index. */
export interface ErrorAdditions {
	/** Text to append to the message, such as ` [row 4]`. */
	suffix?: string;
	before?: readonly string[];
	after?: readonly string[];
}

/** Texts of the errors. Stored outside the error objects, so that n8n does not save the texts. */
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

/** Adds text to an error, in place of any text that was added before. */
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

/** Texts of a new error. Undefined and empty lines of advice are left out. */
interface NewErrorText extends Omit<ErrorTextParts, 'advice'> {
	advice: ReadonlyArray<string | undefined>;
}

function completeError<E extends NodeError>(
	error: E,
	text: NewErrorText,
	errorDetails: ErrorDetails,
): E {
	const link = createErrorLink(errorDetails);
	const parts: ErrorTextParts = { ...text, advice: text.advice.flatMap((line) => line || []) };
	if (link !== undefined) parts.details = [...(text.details ?? []), `About this error: ${link}`];
	partsByError.set(error, parts);
	error.context.details = filterEntries(errorDetails, (value) => value !== undefined);
	const { message, description } = joinErrorTextParts(parts);
	// Set again, because n8n replaces a message that happens to contain an OS error code.
	error.message = message;
	error.description = description || undefined;
	return error;
}

function createApiError(node: INode, text: NewErrorText, errorDetails: ErrorDetails): NodeApiError {
	const { message } = text;
	const httpCode = errorDetails.status?.toString();
	const error = new NodeApiError(node, { message }, { message, httpCode });
	return completeError(error, text, errorDetails);
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
	const text = { message, advice: [advice].flat() };
	return completeError(new NodeOperationError(node, message), text, errorDetails);
}

/**
 * Creates the error for invalid form values.
 *
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
		[...problems.slice(1), conclusion],
		{ code: 'invalid_value', complaints: [...problems] },
	);

/** Converts any thrown value to an error that the n8n editor shows in full detail. */
export function toNodeError(node: INode, error: unknown): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** Creates the error for a request that was stopped, either by the user or by a timeout. */
export function createExecutionStoppedError(node: INode, signal?: AbortSignal): NodeError {
	const isTimeUp = signal?.reason instanceof Error && signal.reason.name === 'TimeoutError';
	const message = isTimeUp ? 'The service took too long to respond' : 'The execution was stopped';
	return createOperationError(node, message, undefined, { code: 'stopped' });
}

/**
 * Creates the error for a job that was not started in time, because too many jobs were running.
 *
 * @param waited seconds that the request has waited
 * @param isContested whether other clients seem to start jobs as soon as running jobs end
 */
export function createCapacityTimeoutError(
	node: INode,
	waited: number,
	isContested: boolean,
): NodeApiError {
	const time = waited < 1 ? 'did not wait' : `waited ${formatDuration(waited)}`;
	const text = {
		message:
			'Not started and not charged: the account was already running its maximum number of jobs',
		advice: [
			isContested
				? 'Something else seems to be using the account. The jobs that this n8n instance started should have ended by now, but the service is not starting new ones.'
				: undefined,
			`This item ${time}. Run it again after other jobs have ended. To automate this, set On Error to “Continue (using error output)” and connect the error output back to the input. The Wait for Capacity option sets how long the node waits.`,
		],
	};
	return createApiError(node, text, { code: 'not_started', status: 429, outcome: 'not_started' });
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

/** Parts of a failed request's error, in addition to the message that says what happened. */
interface RequestErrorOptions {
	/** Advice that replaces the default advice. */
	hint?: string;
	/** Sentence that says whether the request created anything. */
	outcome?: string;
	details?: ErrorDetails;
}

export interface ServiceErrorOptions extends RequestErrorOptions {
	serviceMessage?: string;
	/** Explanations of error codes, which take precedence over the general ones. */
	explanations?: ErrorExplanations;
	labels?: FieldLabels;
}

/** Minimum words for a service message to count as an explanation. `Not found` does not count. */
const minSentence = 4;

const isSentence = (message = '') => message.trim().split(/\s+/, minSentence).length >= minSentence;

/** Returns which input a language model must correct, if the service says which one is wrong. */
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
	{ serviceMessage, hint, outcome, details, explanations, labels }: ServiceErrorOptions = {},
): NodeApiError {
	const explanation = explainError(errorDetails, explanations);
	const { isByStatus = false, isGeneric = false } = explanation;
	const isEnough = (isGeneric || isByStatus) && isSentence(serviceMessage);
	const meaning = isByStatus && isEnough ? `${explanation.message}. ` : '';
	const retryAfter = errorDetails.retry_after ?? 0;
	const minutes = Math.ceil(retryAfter / 60).toLocaleString('en-US');
	const comeBack =
		retryAfter > maxRetryAfter
			? `The service asks you to wait ${minutes} minutes. Run the workflow again after that time.`
			: undefined;
	const text: NewErrorText = {
		message: [isEnough ? '' : explanation.message, serviceMessage].filter(Boolean).join(': '),
		advice: [
			hint ?? (comeBack === undefined ? meaning + explanation.advice : undefined),
			comeBack,
			outcome,
			...renderProblems(errorDetails),
		],
		details: renderDetails({ ...errorDetails, ...details }, labels),
		correction: describeCorrection(errorDetails, serviceMessage, labels),
	};
	return createApiError(node, text, { ...errorDetails, ...details });
}

/** Server that n8n cannot connect to, with advice for each possible reason. */
export interface ConnectionTarget {
	/** Name of the server as the beginning of a sentence, such as `The service`. */
	name: string;
	unreachableAdvice: string;
	/** Advice for a wrong protocol or an untrusted certificate. */
	handshakeAdvice: string;
	/** Advice for an invalid request. */
	unsendableAdvice: string;
}

const serviceTarget: ConnectionTarget = {
	name: 'The service',
	unreachableAdvice: 'Check the Base URL in the credential, and make sure that n8n can reach it.',
	handshakeAdvice:
		"Check whether the Base URL in the credential has to begin with https:// or http://, and whether n8n trusts the server's certificate.",
	unsendableAdvice: 'See the reason below.',
};

/** Explains why a connection to the target failed, from an error code such as ECONNRESET. */
export function explainConnectionError(code: string, target: ConnectionTarget): ErrorExplanation {
	const { name } = target;
	switch (getRequestSendState(code)) {
		case 'unsent':
			return { message: `${name} cannot be reached`, advice: target.unreachableAdvice };
		case 'broken':
			return {
				message: `The connection to ${name.charAt(0).toLowerCase()}${name.slice(1)} was lost before a response arrived`,
				advice: 'Try again later.',
			};
		case 'impossible':
			return explainUnsendableRequest(code, target);
	}
}

function explainUnsendableRequest(code: string, target: ConnectionTarget): ErrorExplanation {
	switch (findUnsendableRequestCause(code)) {
		case 'blocked':
			return {
				message: 'n8n itself blocked the request',
				advice:
					"n8n's protection of internal addresses (SSRF) does not allow this URL. Ask your n8n administrator to allow the host, or use another URL.",
			};
		case 'redirect':
			return {
				message: 'The URL redirects to an address that n8n cannot access',
				advice: 'Use a URL that begins with https:// and points directly to the file.',
			};
		case 'handshake':
			return { message: 'The request could not be sent', advice: target.handshakeAdvice };
		case 'other':
			return { message: 'The request could not be sent', advice: target.unsendableAdvice };
	}
}

/**
 * Creates the error for a failed connection.
 *
 * @param code error code of the connection, such as ECONNRESET
 * @param reason message of the original error
 */
export function createConnectionError(
	node: INode,
	code: string,
	reason: string,
	{ hint, outcome, details }: RequestErrorOptions = {},
	target = serviceTarget,
): NodeApiError {
	const { message, advice } = explainConnectionError(code, target);
	return createApiError(
		node,
		{ message, advice: [hint ?? advice, outcome, `Reason: ${reason}`] },
		{
			code: code.toLowerCase(),
			uncertain: getRequestSendState(code) === 'broken',
			...details,
		},
	);
}

const describeCredential = (node: INode, type: string) => {
	const name = node.credentials?.[type]?.name;
	return name ? `the credential "${name}"` : 'the credential';
};

/** Creates the error for an OAuth credential that was saved but never connected. */
export const createCredentialNotConnectedError = (node: INode, type: string): NodeOperationError =>
	createOperationError(
		node,
		'The account is not connected yet',
		`Open ${describeCredential(node, type)}, connect the account and run the workflow again.`,
		{ code: 'unauthorized', status: 401 },
	);

/** Creates the error for a failed token renewal. `temporary`: details, if a retry may succeed. */
export function createTokenRenewalError(
	node: INode,
	type: string,
	failure: { reason: string; temporary?: { code?: string; status?: number } },
	{ hint, outcome, details }: RequestErrorOptions,
): NodeApiError {
	const { reason, temporary } = failure;
	const credential = describeCredential(node, type);
	const create = (message: string, advice: string, errorDetails: ErrorDetails) =>
		createApiError(
			node,
			{ message, advice: [advice, `Reason: ${reason}`, hint, outcome] },
			{ ...errorDetails, ...details },
		);
	if (!temporary) {
		return create(
			'The account must be reconnected',
			`Open ${credential}, reconnect the account and run the workflow again. Access expired or was revoked, and could not be renewed.`,
			{ code: 'unauthorized', status: 401 },
		);
	}
	const { code, status } = temporary;
	return create(
		'Access to the account cannot be renewed at the moment',
		`Try again later. If the problem persists, check the Access Token URL in ${credential}.`,
		{ status, code: code?.toLowerCase(), uncertain: code === undefined ? undefined : false },
	);
}

/** URL of the documentation site, without a trailing slash. The build replaces the placeholder. */
export const documentation = { site: '@documentation-site@' };

/** Returns a link to an error code's documentation, or undefined if there is no code or no site. */
export function createErrorLink(
	{ code, status }: Pick<ErrorDetails, 'code' | 'status'>,
	site = documentation.site,
): string | undefined {
	if (!site.startsWith('https://')) return undefined;
	if (code !== undefined) return `${site}/errors#${encodeURIComponent(code.toLowerCase())}`;
	return status === undefined ? undefined : `${site}/errors#errors-without-a-code`;
}
