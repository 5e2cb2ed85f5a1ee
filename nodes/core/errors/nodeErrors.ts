/**
 * Errors in words for the person who built the workflow.
 *
 * Message: what happened. Description: what to do next, then the service's own code, field and
 * request id. The same facts ride on the error as data, for Continue On Fail.
 */
import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { explainError, type Explanations } from './advice';
import { classifyConnectionError, isHandshakeError, type ConnectionState } from './connection';
import { maxRetryAfter, type ErrorDetails } from './errorDetails';

/** The two kinds of error that n8n shows with its own layout. */
export type NodeError = NodeApiError | NodeOperationError;

/** What an error of a foreign kind becomes: n8n's own kinds stay as they are. */
export function toNodeError(node: INode, error: unknown): NodeError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	return new NodeOperationError(node, error instanceof Error ? error : String(error));
}

/** Puts our words and facts into an error, whatever n8n would put in their place. */
function withMessageAndDetails<E extends NodeError>(
	error: E,
	facts: ErrorDetails,
	message: string,
): E {
	// n8n replaces a message that happens to contain the letters of an OS error code.
	error.message = message;
	error.context.details = facts;
	return error;
}

function createApiError(
	node: INode,
	message: string,
	description: string,
	facts: ErrorDetails,
): NodeApiError {
	const json: JsonObject = { message };
	const httpCode = facts.status === undefined ? undefined : String(facts.status);
	return withMessageAndDetails(
		new NodeApiError(node, json, { message, description, httpCode }),
		facts,
		message,
	);
}

/** The error for what the user must mend, or for a job that did not end well. */
export function createOperationError(
	node: INode,
	message: string,
	description?: string,
	facts: ErrorDetails = {},
): NodeOperationError {
	return withMessageAndDetails(
		new NodeOperationError(node, message, { description }),
		facts,
		message,
	);
}

/** The error of everything that was not begun because the execution was stopped. */
export const createStoppedError = (node: INode) =>
	createOperationError(node, 'The execution was stopped', undefined, { code: 'stopped' });

/** Texts for names of the service's, by these names. */
type FieldLabels = Readonly<Record<string, string>>;

/** A field that the service names, such as `scenes[0].voice_id`, with what the form calls it. */
function labelField(param: string, labels: FieldLabels): string {
	const known = param.split(/[^\w-]+/).find((part) => Object.hasOwn(labels, part));
	return known === undefined ? param : `${labels[known] ?? ''} (${param})`;
}

/** Facts as lines of a description. */
function renderDetails(facts: ErrorDetails, labels: FieldLabels = {}): string[] {
	const problems = (facts.errors ?? []).map((problem) => {
		const place = [problem.node_id, problem.port, problem.path].filter(Boolean).join(' / ');
		return `• ${String(problem.code ?? 'problem')}: ${String(problem.message ?? '')}${place ? ` (${place})` : ''}`;
	});
	const named: Array<[string, unknown]> = [
		['Field', facts.param === undefined ? undefined : labelField(facts.param, labels)],
		['Code', facts.code],
		['HTTP status', facts.status],
		['Request ID', facts.request_id],
		['More', facts.doc_url],
	];
	const rest = named
		.filter(([, value]) => value !== undefined)
		.map(([name, value]) => `${name}: ${String(value)}`);
	return [...problems, rest.join(' · ')].filter((line) => line !== '');
}

/** What an error for a refusal may say beyond the table of advice. */
export interface ErrorTexts {
	/** The service's own message. */
	serviceMessage?: string;
	/** In place of the advice. */
	hint?: string;
	/** Explanations of the operation itself. */
	explanations?: Explanations;
	/** What the form calls the fields. */
	labels?: FieldLabels;
}

/** The error for an answer that refuses, or that cannot be read. */
export function createServiceError(
	node: INode,
	facts: ErrorDetails,
	saying: ErrorTexts = {},
): NodeApiError {
	const { serviceMessage: said, hint, explanations: explains, labels } = saying;
	const { message: what, advice: then } = explainError(facts, explains);
	const after = facts.retry_after ?? 0;
	const later =
		after > maxRetryAfter
			? `The service asks to wait ${Math.ceil(after / 60).toLocaleString('en-US')} minutes. Run again after that.`
			: undefined;
	const description = [hint ?? later ?? then, ...renderDetails(facts, labels)].join('\n');
	return createApiError(node, said ? `${what}: ${said}` : what, description, facts);
}

/** The place that could not be reached, as it stands in sentences. */
interface ConnectionTarget {
	/** As the beginning of a sentence, such as `The service`. */
	name: string;
	/** What to do when it cannot be reached. */
	unreached: string;
}

const serviceTarget: ConnectionTarget = {
	name: 'The service',
	unreached: 'Check the Base URL of the credential, and that this n8n can reach it.',
};

const connectionMessages: Record<ConnectionState, (place: string) => string> = {
	unsent: (place) => `${place} cannot be reached`,
	broken: (place) =>
		`The connection to ${place[0]?.toLowerCase()}${place.slice(1)} broke before an answer came`,
	impossible: () => 'The request could not be sent',
};

/**
 * The error for a connection that broke, or could not be made.
 *
 * @param code such as ECONNRESET
 * @param detail the words of the one who noticed
 * @param more.hint what to do, in place of the usual advice
 */
export function createConnectionError(
	node: INode,
	code: string,
	detail: string,
	more: { hint?: string; facts?: ErrorDetails; place?: ConnectionTarget } = {},
): NodeApiError {
	const { hint, facts, place = serviceTarget } = more;
	const state = classifyConnectionError(code);
	const advice: Record<ConnectionState, string> = {
		unsent: place.unreached,
		broken: 'Run again later.',
		impossible: isHandshakeError(code)
			? 'Check the Base URL of the credential: whether it has to begin with https:// or http://, and whether n8n trusts its certificate.'
			: 'See the reason below.',
	};
	return createApiError(
		node,
		connectionMessages[state](place.name),
		[hint ?? advice[state], `Reason: ${detail}`].join('\n'),
		{ code: code.toLowerCase(), uncertain: state === 'broken', ...facts },
	);
}

/** The name of the node's credential, for sentences about it. */
const describeCredential = (node: INode, type: string) => {
	const name = node.credentials?.[type]?.name;
	return name ? `the credential "${name}"` : 'the credential';
};

/** The error for an OAuth credential that was saved and never connected. */
export function createNotConnectedError(node: INode, type: string): NodeOperationError {
	return createOperationError(
		node,
		'The account is not connected yet',
		`Open ${describeCredential(node, type)} and connect the account there, then run again.`,
		{ code: 'unauthorized', status: 401 },
	);
}

/**
 * The error for access to an account that ended and could not be renewed.
 *
 * @param passing the place that renews it was out of reach or out of order, with this code or status
 */
export function createTokenRenewalError(
	node: INode,
	type: string,
	detail: string,
	passing?: { code?: string; status?: number },
): NodeApiError {
	const reason = `Reason: ${detail}`;
	if (passing) {
		const { code, status } = passing;
		return createApiError(
			node,
			'The access to the account could not be renewed at this moment',
			`Run again later. If it goes on, check the Access Token URL of ${describeCredential(node, type)}.\n${reason}`,
			{
				...(status === undefined ? {} : { status }),
				...(code === undefined ? {} : { code: code.toLowerCase(), uncertain: false }),
			},
		);
	}
	return createApiError(
		node,
		'The account must be connected again',
		`Open ${describeCredential(node, type)} and reconnect the account there, then run again. The access has expired or was withdrawn, and could not be renewed.\n${reason}`,
		{ code: 'unauthorized', status: 401 },
	);
}
