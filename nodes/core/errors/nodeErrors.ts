/**
 * Readable errors for the person who built the workflow.
 *
 * The message says what happened, the description what to do next, followed by codes and IDs. The
 * same codes are data on the error (`context.details`), for Continue On Fail.
 */
import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { explainError, type Explanations } from './advice';
import { classifyConnectionError, isHandshakeError, type ConnectionState } from './connection';
import { maxRetryAfter, type ErrorDetails } from './errorDetails';

/** The two kinds of error that n8n shows with its own layout. */
export type NodeError = NodeApiError | NodeOperationError;

/** The texts of an error, before they are joined into its description. */
export interface ErrorParts {
	/** What happened. */
	message: string;
	/** What to do next, and reasons: for people and for language models. */
	advice: readonly string[];
	/** Codes and IDs as lines, for people. */
	details: readonly string[];
}

/** Texts that a run adds to those of the error itself. */
interface ErrorAdditions {
	/** Follows the message, such as ` [item 3]`. */
	suffix?: string;
	/** Lines above the description of the error itself. */
	before?: readonly string[];
	/** Lines below it. */
	after?: readonly string[];
}

/** The parts of errors that this package made or rendered. n8n would store them on the error. */
const partsByError = new WeakMap<NodeError, ErrorParts>();

/** The texts of an error itself, without what a run has added. */
export function getErrorParts(error: NodeError): ErrorParts {
	const parts = partsByError.get(error) ?? {
		message: error.message,
		advice: error.description ? [error.description] : [],
		details: [],
	};
	partsByError.set(error, parts);
	return parts;
}

/** Sets message and description from the parts of the error and these additions, not earlier ones. */
export function renderError<E extends NodeError>(
	error: E,
	{ suffix = '', before = [], after = [] }: ErrorAdditions = {},
): E {
	const { message, advice, details } = getErrorParts(error);
	error.message = message + suffix;
	error.description = [...before, ...advice, ...details, ...after].join('\n') || undefined;
	return error;
}

/** Gives a new error its texts and data, in place of those that n8n has chosen. */
function completeError<E extends NodeError>(
	error: E,
	parts: ErrorParts,
	errorDetails: ErrorDetails,
): E {
	partsByError.set(error, parts);
	error.context.details = errorDetails;
	// n8n replaces a message that happens to contain the letters of an OS error code.
	return renderError(error);
}

function createApiError(node: INode, parts: ErrorParts, errorDetails: ErrorDetails): NodeApiError {
	const { message } = parts;
	const json: JsonObject = { message };
	const { status } = errorDetails;
	const httpCode = status === undefined ? undefined : String(status);
	return completeError(new NodeApiError(node, json, { message, httpCode }), parts, errorDetails);
}

/**
 * The error for something that the user must correct, or for a job that did not end well.
 *
 * @param description what to do next
 */
export function createOperationError(
	node: INode,
	message: string,
	description?: string,
	errorDetails: ErrorDetails = {},
): NodeOperationError {
	const advice = description === undefined ? [] : [description];
	const parts: ErrorParts = { message, advice, details: [] };
	return completeError(new NodeOperationError(node, message), parts, errorDetails);
}

/** The error itself if n8n shows it with its own layout, else one that n8n does. */
export function toNodeError(node: INode, error: unknown): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** The error for everything that was not sent because the execution was stopped. */
export const createStoppedError = (node: INode) =>
	createOperationError(node, 'The execution was stopped', undefined, { code: 'stopped' });

/** Names of fields in the form, by their names in the API. */
type FieldLabels = Readonly<Record<string, string>>;

/** A field that the service names, such as `scenes[0].voice_id`, with its name in the form. */
function labelField(param: string, labels: FieldLabels): string {
	const known = param.split(/[^\w-]+/).find((part) => Object.hasOwn(labels, part));
	return known === undefined ? param : `${labels[known] ?? ''} (${param})`;
}

/** The problems of a workflow graph, one line each. */
const renderProblems = ({ errors = [] }: ErrorDetails): string[] =>
	errors.map((problem) => {
		const location = [problem.node_id, problem.port, problem.path].filter(Boolean).join(' / ');
		const suffix = location === '' ? '' : ` (${location})`;
		return `• ${String(problem.code ?? 'problem')}: ${String(problem.message ?? '')}${suffix}`;
	});

/** Field, codes and IDs as one line, or none. */
function renderDetails(details: ErrorDetails, labels: FieldLabels = {}): string[] {
	const { param, code, status, request_id: requestId, doc_url: docUrl } = details;
	const named: Array<[string, unknown]> = [
		['Field', param === undefined ? undefined : labelField(param, labels)],
		['Code', code],
		['HTTP status', status],
		['Request ID', requestId],
		['More', docUrl],
	];
	const parts = named.filter(([, value]) => value !== undefined);
	if (parts.length === 0) return [];
	return [parts.map(([name, value]) => `${name}: ${String(value)}`).join(' · ')];
}

/** Texts for a refusal beyond the table of advice. */
export interface ErrorTexts {
	/** The service's own message. */
	serviceMessage?: string;
	/** Replaces the advice. */
	hint?: string;
	/** Explanations that apply to this operation alone. */
	explanations?: Explanations;
	labels?: FieldLabels;
}

/** The error for a response that refuses, or that cannot be read. */
export function createServiceError(
	node: INode,
	errorDetails: ErrorDetails,
	{ serviceMessage, hint, explanations, labels }: ErrorTexts = {},
): NodeApiError {
	const explanation = explainError(errorDetails, explanations);
	const retryAfter = errorDetails.retry_after ?? 0;
	const minutes = Math.ceil(retryAfter / 60).toLocaleString('en-US');
	const comeBack =
		retryAfter > maxRetryAfter
			? `The service asks to wait ${minutes} minutes. Run again after that.`
			: undefined;
	const advice = [hint, comeBack].filter((line) => line !== undefined);
	const parts: ErrorParts = {
		message: serviceMessage ? `${explanation.message}: ${serviceMessage}` : explanation.message,
		advice: [
			...(advice.length > 0 ? advice : [explanation.advice]),
			...renderProblems(errorDetails),
		],
		details: renderDetails(errorDetails, labels),
	};
	return createApiError(node, parts, errorDetails);
}

/** The host of a connection that failed, as sentences name it. */
interface ConnectionTarget {
	/** At the beginning of a sentence, such as `The service`. */
	name: string;
	/** What to do if it cannot be reached. */
	unreachableAdvice: string;
}

const serviceTarget: ConnectionTarget = {
	name: 'The service',
	unreachableAdvice: 'Check the Base URL of the credential, and whether this n8n can reach it.',
};

const connectionMessages: Record<ConnectionState, (target: string) => string> = {
	unsent: (target) => `${target} cannot be reached`,
	broken: (target) =>
		`The connection to ${target[0]?.toLowerCase()}${target.slice(1)} broke before a response came`,
	impossible: () => 'The request could not be sent',
};

/** What a caller adds to the error of a connection. */
interface ConnectionTexts {
	/** Replaces the advice. */
	hint?: string;
	details?: ErrorDetails;
	/** By default, the service. */
	target?: ConnectionTarget;
}

/**
 * The error for a connection that broke, or could not be made.
 *
 * @param code such as ECONNRESET
 * @param reason the message of whoever noticed the failure
 */
export function createConnectionError(
	node: INode,
	code: string,
	reason: string,
	{ hint, details, target = serviceTarget }: ConnectionTexts = {},
): NodeApiError {
	const state = classifyConnectionError(code);
	const advice: Record<ConnectionState, string> = {
		unsent: target.unreachableAdvice,
		broken: 'Run again later.',
		impossible: isHandshakeError(code)
			? 'Check whether the Base URL of the credential has to begin with https:// or http://, and whether n8n trusts its certificate.'
			: 'See the reason below.',
	};
	const parts: ErrorParts = {
		message: connectionMessages[state](target.name),
		advice: [hint ?? advice[state], `Reason: ${reason}`],
		details: [],
	};
	return createApiError(node, parts, {
		code: code.toLowerCase(),
		uncertain: state === 'broken',
		...details,
	});
}

/** The name of the node's credential in sentences. */
const describeCredential = (node: INode, type: string) => {
	const name = node.credentials?.[type]?.name;
	return name ? `the credential "${name}"` : 'the credential';
};

/** The error for an OAuth credential that was saved and never connected. */
export const createNotConnectedError = (node: INode, type: string): NodeOperationError =>
	createOperationError(
		node,
		'The account is not connected yet',
		`Open ${describeCredential(node, type)}, connect the account and run again.`,
		{ code: 'unauthorized', status: 401 },
	);

/**
 * The error for an OAuth token that could not be renewed.
 *
 * @param failure.temporary the token endpoint could not be reached or had a problem, with this code
 *   or status
 */
export function createTokenRenewalError(
	node: INode,
	type: string,
	failure: { reason: string; temporary?: { code?: string; status?: number } },
	{ hint, details }: { hint?: string; details?: ErrorDetails } = {},
): NodeApiError {
	const { reason, temporary } = failure;
	const credential = describeCredential(node, type);
	const reasons = [`Reason: ${reason}`, ...(hint ? [hint] : [])];
	if (!temporary) {
		const message = 'The account must be connected again';
		const advice = `Open ${credential}, reconnect the account and run again. The access has expired or was withdrawn, and could not be renewed.`;
		const parts: ErrorParts = { message, advice: [advice, ...reasons], details: [] };
		return createApiError(node, parts, { code: 'unauthorized', status: 401, ...details });
	}
	const { code, status } = temporary;
	const message = 'The access to the account cannot be renewed at the moment';
	const advice = `Run again later. If the problem persists, check the Access Token URL of ${credential}.`;
	const parts: ErrorParts = { message, advice: [advice, ...reasons], details: [] };
	return createApiError(node, parts, {
		...(status === undefined ? {} : { status }),
		...(code === undefined ? {} : { code: code.toLowerCase(), uncertain: false }),
		...details,
	});
}
