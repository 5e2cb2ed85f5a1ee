/**
 * Creates readable errors for the person who built the workflow.
 *
 * The message reports what happened. The description explains what to do next, followed by codes
 * and IDs. The same codes are data on the error (`context.details`), for Continue On Fail.
 */
import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { explainError, type Explanations } from './advice';
import { classifyConnectionError, isHandshakeError, type ConnectionState } from './connection';
import { maxRetryAfter, type ErrorDetails } from './errorDetails';

/** Either of the two error classes for which n8n has a view of its own. */
export type NodeError = NodeApiError | NodeOperationError;

/** Message and lines of an error, before the lines are joined into its description. */
export interface ErrorParts {
	/** What happened. */
	message: string;
	/** What to do next, and reasons. For people and for language models. */
	advice: readonly string[];
	/** Lines with codes and IDs, for people only. */
	details: readonly string[];
}

/** What a run adds to the message and the description of an error, such as the item index. */
interface ErrorAdditions {
	/** Text after the message, such as ` [item 3]`. */
	suffix?: string;
	/** Lines above the error's own description. */
	before?: readonly string[];
	/** Lines below the error's own description. */
	after?: readonly string[];
}

/**
 * Texts of errors that this package created or rendered. Stored separately, because n8n would save
 * them with the error.
 */
const partsByError = new WeakMap<NodeError, ErrorParts>();

/** Returns the message and the lines of an error, without what a run has added to them. */
export function getErrorParts(error: NodeError): ErrorParts {
	const parts = partsByError.get(error) ?? {
		message: error.message,
		advice: error.description ? [error.description] : [],
		details: [],
	};
	partsByError.set(error, parts);
	return parts;
}

/**
 * Sets the message and the description from the texts of an error and from these additions. Earlier
 * additions are discarded.
 */
export function renderError<E extends NodeError>(
	error: E,
	{ suffix = '', before = [], after = [] }: ErrorAdditions = {},
): E {
	const { message, advice, details } = getErrorParts(error);
	error.message = message + suffix;
	error.description = [...before, ...advice, ...details, ...after].join('\n') || undefined;
	return error;
}

/** Sets the message, description and details of a new error, overriding those that n8n chose. */
function completeError<E extends NodeError>(
	error: E,
	parts: ErrorParts,
	errorDetails: ErrorDetails,
): E {
	partsByError.set(error, parts);
	error.context.details = errorDetails;
	// n8n replaces a message that happens to contain an OS error code.
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
 * Creates the error for a problem that the user must correct, or for a job that did not end well.
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

/** Converts any error to a `NodeApiError` or `NodeOperationError`, which n8n shows in full. */
export function toNodeError(node: INode, error: unknown): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** Creates the error for requests that were not sent because the execution was stopped. */
export const createStoppedError = (node: INode) =>
	createOperationError(node, 'The execution was stopped', undefined, { code: 'stopped' });

/**
 * Creates the error for a create that the service did not accept in time, because the account was
 * running as many jobs as it may.
 *
 * @param waited seconds
 */
export function createNotStartedError(node: INode, waited: number): NodeApiError {
	const minutes = Math.round(waited / 60);
	const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
	const parts: ErrorParts = {
		message: 'Not started, nothing was charged: the account was running as many jobs as it may',
		advice: [
			`This item waited ${time}. Run it again when running jobs have ended: with On Error set to “Continue (using error output)”, the error output can be connected back to the input. Wait for Capacity in the options sets how long to wait.`,
		],
		details: [],
	};
	return createApiError(node, parts, { code: 'not_started', status: 429 });
}

/** Names of fields in the form, by their names in the API. */
type FieldLabels = Readonly<Record<string, string>>;

/** Adds the name in the form to a field that the service names, such as `scenes[0].voice_id`. */
function labelField(param: string, labels: FieldLabels): string {
	const known = param.split(/[^\w-]+/).find((part) => Object.hasOwn(labels, part));
	return known === undefined ? param : `${labels[known] ?? ''} (${param})`;
}

/** Renders the problems of a workflow graph, one line each. */
const renderProblems = ({ errors = [] }: ErrorDetails): string[] =>
	errors.map((problem) => {
		const location = [problem.node_id, problem.port, problem.path].filter(Boolean).join(' / ');
		const suffix = location === '' ? '' : ` (${location})`;
		return `• ${String(problem.code ?? 'problem')}: ${String(problem.message ?? '')}${suffix}`;
	});

/** Renders field, codes and IDs as one line. Returns an empty list if there are none. */
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

/** Message and advice for a refusal, in addition to the general advice. */
export interface ErrorTexts {
	/** The service's own message. */
	serviceMessage?: string;
	/** Text that replaces the advice. */
	hint?: string;
	/** Explanations that apply only to this operation. */
	explanations?: Explanations;
	labels?: FieldLabels;
}

/** Creates the error for a response that is a refusal or unreadable. */
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

/** Host of a failed connection, as named in error messages. */
interface ConnectionTarget {
	/** Name at the beginning of a sentence, such as `The service`. */
	name: string;
	/** What to do if the host cannot be reached. */
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

/** Parts of a connection error that a caller can replace. */
interface ConnectionTexts {
	/** Text that replaces the advice. */
	hint?: string;
	details?: ErrorDetails;
	/** Host of the connection. The default is the service. */
	target?: ConnectionTarget;
}

/**
 * Creates the error for a connection that failed or broke.
 *
 * @param code error code, such as ECONNRESET
 * @param reason message of the original error
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

/** Returns the name of the node's credential for use in a sentence. */
const describeCredential = (node: INode, type: string) => {
	const name = node.credentials?.[type]?.name;
	return name ? `the credential "${name}"` : 'the credential';
};

/** Creates the error for an OAuth credential that was saved but never connected. */
export const createNotConnectedError = (node: INode, type: string): NodeOperationError =>
	createOperationError(
		node,
		'The account is not connected yet',
		`Open ${describeCredential(node, type)}, connect the account and run again.`,
		{ code: 'unauthorized', status: 401 },
	);

/**
 * Creates the error for an OAuth token that could not be renewed.
 *
 * @param failure.temporary code or status of the token endpoint, if it was unreachable or had a
 * problem
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
