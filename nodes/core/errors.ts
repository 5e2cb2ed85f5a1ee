/**
 * What went wrong, in words for the person who built the workflow.
 *
 * Message: what happened. Description: what to do next, then the service's own code, field and
 * request id. The same facts ride on the error as data, for Continue On Fail.
 */
import type { IDataObject, INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/** Facts of a failure, as the service gave them. */
export interface Facts {
	/** HTTP status; absent where no answer came. */
	status?: number;
	/** The service's code in lower case, `not_json`, or the name of a connection error. */
	code?: string;
	param?: string;
	doc_url?: string;
	request_id?: string;
	/** Problems of a graph, all of them. */
	errors?: IDataObject[];
	/**
	 * No answer came, or none that could be read: the request may have been carried out. False where
	 * the connection failed before.
	 */
	uncertain?: boolean;
	/** Seconds after which the service wants to be asked again. */
	retry_after?: number;
}

/** Waits are never longer than this, in seconds: a longer `Retry-After` is an error that says so. */
export const longestRetryAfter = 300;

interface Explanation {
	/** What happened, as the beginning of a sentence. */
	what: string;
	/** What to do next. */
	then: string;
}

/** By code (specification, Errors). Where a code is missing, its status speaks. */
const byCode: Record<string, Explanation> = {
	invalid_parameter: {
		what: 'The service does not accept a value',
		then: 'Correct the value named below.',
	},
	content_policy_violation: {
		what: 'The content policy of the service does not allow this',
		then: 'Change the text or the media. Sending it again unchanged will fail again.',
	},
	unlimited_mode_disabled: {
		what: 'Unlimited mode is switched off for this account',
		then: 'Choose another mode, or have it enabled for the account.',
	},
	avatar_consent_required: {
		what: 'The person shown by this avatar has not consented yet',
		then: 'Complete the consent of the avatar, then run again.',
	},
	avatar_not_usable: {
		what: 'This avatar cannot be used here',
		then: 'Choose another look. A look must be completed, and the engine must support it.',
	},
	avatar_expired: {
		what: 'This avatar has expired',
		then: 'Choose another look, or create it anew.',
	},
	voice_expired: { what: 'This voice has expired', then: 'Choose another voice.' },
	voice_unavailable: { what: 'This voice is not available now', then: 'Choose another voice.' },
	voice_not_cloneable: {
		what: 'This recording cannot be cloned',
		then: 'Use a clear recording of one speaker.',
	},
	voice_settings_not_supported: {
		what: 'This voice does not take these voice settings',
		then: 'Remove the voice settings, or choose another voice.',
	},
	resource_limit_reached: {
		what: 'The account has as many of these as it may have',
		then: 'Delete one that is no longer needed, or move to a larger plan.',
	},
	template_limit_reached: {
		what: 'The workspace holds as many templates as it may have (2,000)',
		then: 'Delete templates that are no longer needed.',
	},
	role_not_allowed: {
		what: 'Your role in the workspace does not allow this',
		then: 'Ask an administrator of the workspace.',
	},
	script_too_short: {
		what: 'The script is too short',
		then: 'It must make at least 1.0 second of speech: write a longer text.',
	},
	tts_text_invalid: { what: 'The text cannot be spoken', then: 'Use plain text with words in it.' },
	download_failed: {
		what: 'The service could not fetch the file from the address given',
		then: 'The address must be public and lead to the file itself, without a login.',
	},
	ephemeral_upload_disabled: {
		what: 'Temporary uploads are switched off for this account',
		then: 'Upload the file as an asset and use its ID.',
	},
	scenes_unavailable: {
		what: 'This video has no scenes to read',
		then: 'Only videos made of scenes (by an agent session, avatar or studio) can be read scene by scene.',
	},
	template_source_unsupported: {
		what: 'This video cannot become a template',
		then: 'Choose a video that is made of scenes.',
	},
	variable_match_not_found: {
		what: 'The text that should become a variable is not in the template',
		then: 'Read the template again and use the exact text of the element.',
	},
	variable_match_spans_styles: {
		what: 'The text that should become a variable crosses a change of style',
		then: 'Choose a piece of text in one style.',
	},
	hyperframes_project_invalid: {
		what: 'The composition cannot be rendered',
		then: 'Check that the zip holds the entry file and all that it refers to.',
	},
	hyperframes_project_too_large: {
		what: 'The composition is too large',
		then: 'Make the zip smaller, or upload it as an asset.',
	},
	unauthorized: {
		what: 'The service does not accept the credential',
		then: 'Open the credential and check the API key or connect the account again. Keys expire and can be rotated.',
	},
	authentication_failed: {
		what: 'The service does not accept the credential',
		then: 'Open the credential and check the API key or connect the account again. Keys expire and can be rotated.',
	},
	insufficient_credit: {
		what: 'There is not enough credit',
		then: 'Buy credit or turn on automatic top-up, then run again.',
	},
	trial_limit_exceeded: {
		what: 'The limit of the trial is reached',
		then: 'Move to a paid plan, then run again.',
	},
	subscription_required: { what: 'This needs a subscription', then: 'Subscribe, then run again.' },
	plan_upgrade_required: {
		what: 'The plan of the account does not include this',
		then: 'Move to a larger plan, or leave out the option that needs it.',
	},
	forbidden: {
		what: 'The account may not do this',
		then: 'Use a credential that has the permission.',
	},
	insufficient_api_key_scope: {
		what: 'The API key is restricted and lacks a scope for this',
		then: 'Give the key the scope named in the message, or use another key.',
	},
	resource_access_denied: {
		what: 'This belongs to another user or organization',
		then: 'Check the ID, and that the credential is of the right account.',
	},
	brand_kit_locked: {
		what: 'The brand policy of the workspace locks the brand kit',
		then: 'Leave the brand kit empty to use the default one.',
	},
	voice_not_usable: {
		what: 'This voice may not be used by this account',
		then: 'Choose another voice. Trying again will not help.',
	},
	phone_verification_required: {
		what: 'The account must verify a phone number first',
		then: "Verify it in the service's web app.",
	},
	conflict: {
		what: 'This is in conflict with something that exists already',
		then: 'Use another name or address, or update what exists.',
	},
	resource_not_ready: {
		what: 'What this refers to is not ready yet',
		then: 'It is safe to try again later.',
	},
	request_in_progress: {
		what: 'The same request is still being carried out',
		then: 'Run again a little later: the service will then give the result of the first request.',
	},
	brand_kit_not_ready: {
		what: 'The brand kit is not imported completely',
		then: 'Wait until its status is completed. If its status is error, the import failed: import the website again.',
	},
	voice_not_ready: {
		what: 'The voice is still being trained',
		then: 'Wait until its status is ACTIVE.',
	},
	voice_training_failed: {
		what: 'The training of this voice failed',
		then: 'Train it again with other recordings. Trying again will not help.',
	},
	stale_edit_version: {
		what: 'The video has changed since its scenes were read',
		then: 'Read the scenes again (VideoGen Video, Get Scenes), and use the edit_version and the scene IDs of that reading.',
	},
	stale_workflow_draft: {
		what: 'The draft has changed since it was read',
		then: 'Read the workflow again and use its new draft_revision.',
	},
	template_update_in_progress: {
		what: 'The template is being updated at this moment',
		then: 'Try again in a few seconds.',
	},
	artifact_unavailable: {
		what: 'A file that this needs is gone',
		then: 'Make it anew. Trying again will not help.',
	},
	encryption_setup_pending: {
		what: "The workspace waits for its customer's encryption key",
		then: 'Finish the key setup in the web app. Until then all writes are refused.',
	},
	ai_vendor_access_restricted: {
		what: 'The workspace does not allow the AI vendor that this needs',
		then: 'Choose another voice or model, or ask an administrator of the workspace.',
	},
	encryption_disabled: {
		what: 'Encryption with an own key is switched off for this workspace',
		then: 'Leave the encryption out, or have it enabled for the workspace.',
	},
	invalid_encryption_key: {
		what: 'The encryption key is not valid',
		then: 'Check the key in the web app of the service.',
	},
	encryption_cross_tree_transfer: {
		what: 'This would move or copy between places with different encryption keys',
		then: 'Keep source and target in the same folder tree.',
	},
	encryption_setup_failed: {
		what: "The setup of the customer's encryption key failed",
		then: 'Repeat the key setup in the web app.',
	},
	encryption_temporarily_unavailable: {
		what: 'The encryption key cannot be reached at the moment',
		then: 'Run again later.',
	},
	workflow_archived: {
		what: 'This workflow of the service is archived',
		then: 'Use another workflow, or bring it back in the web app.',
	},
	workflow_run_admission_refused: {
		what: 'The service does not take this run now',
		then: 'Wait until other runs have ended, or check plan and credit of the account.',
	},
	voice_provider_error: {
		what: 'The provider of this voice has a problem',
		then: 'Run again later, or choose another voice.',
	},
	graph_invalid: { what: 'The workflow graph has problems', then: 'Correct all that are listed.' },
	image_processing_failed: {
		what: 'The image could not be processed',
		then: 'Use another image. Trying again will not help.',
	},
	rate_limit_exceeded: {
		what: 'The service gets too many requests of this account',
		then: 'Lower Requests at Once in the options, or run again later.',
	},
	quota_exceeded: {
		what: 'The quota of the account is used up',
		then: 'Wait until it renews, or move to a larger plan.',
	},
	video_delete_failed: { what: 'The video could not be deleted', then: 'Try again later.' },
	gateway_timeout: {
		what: 'The service took too long to fetch a file that the request refers to',
		then: 'Check the address of the file, or upload it as an asset first.',
	},
	not_json: {
		what: 'The answer is not one of the Video Generation Service',
		then: 'Check the Base URL of the credential.',
	},
};

const byStatus: Record<number, Explanation> = {
	400: { what: 'The service does not accept the request', then: 'Check the values of the node.' },
	401: {
		what: 'The service does not accept the credential',
		then: 'Open the credential and check its values. If they are right, something between n8n and the service, such as a proxy, refuses the request.',
	},
	402: { what: 'The account cannot pay for this', then: 'Check credit and plan of the account.' },
	403: {
		what: 'The service refuses this to the account',
		then: 'Check what the account and the API key may do.',
	},
	404: {
		what: 'The service does not know this',
		then: 'Check the ID: it may be mistyped, deleted, or of another account. If no ID is involved, check the Base URL of the credential.',
	},
	409: {
		what: 'The service cannot do this in the present state',
		then: 'Read the current state first.',
	},
	410: { what: 'This is over and can no longer be changed', then: 'Start a new one.' },
	413: {
		what: 'The request is too large',
		then: 'Make the file smaller, or upload it as an asset first.',
	},
	422: { what: 'The service cannot process the request', then: 'Check the values of the node.' },
	429: {
		what: 'The service gets too many requests',
		then: 'Lower Requests at Once in the options, or run again later.',
	},
};

const trouble: Explanation = {
	what: 'The service has a problem of its own',
	then: 'Run again later. If it goes on, tell the support of the service the request ID below.',
};

/** Whether a quota is used up; the code may have a word before it: `free_tier_quota_exceeded`. */
export const isQuota = (code: string | undefined) => /(^|_)quota_exceeded$/.test(code ?? '');

const known = (code: string): Explanation | undefined =>
	byCode[code] ?? (isQuota(code) ? byCode.quota_exceeded : undefined);

/** Their advice speaks of the answer to a request. */
const ofRequests = [
	'invalid_parameter',
	'graph_invalid',
	'request_in_progress',
	'resource_not_ready',
];

/** What to do about the code with which a job failed, where advice exists. */
export function adviceFor(code: string): string | undefined {
	const name = code.toLowerCase();
	return ofRequests.includes(name) ? undefined : known(name)?.then;
}

function explain(facts: Facts): Explanation {
	const found = facts.code === undefined ? undefined : known(facts.code);
	if (found) return found;
	const status = facts.status ?? 0;
	if (status >= 500) return trouble;
	if (status >= 300 && status < 400) {
		return {
			what: 'The service answered with a redirect',
			then: 'Redirects are not followed, to keep the credential safe. Put the final address into the Base URL of the credential.',
		};
	}
	return byStatus[status] ?? { what: 'The request failed', then: 'See the details below.' };
}

/** Connection errors after which the service has certainly not seen the request. */
const unsent = new Set([
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EHOSTDOWN',
	'ENETDOWN',
	'EADDRNOTAVAIL',
	'EACCES',
	'EMFILE',
	'ENFILE',
]);

/** No agreement on how to talk: another protocol at that address, or a certificate not trusted. */
const handshake =
	/^EPROTO$|CERT|UNABLE_TO_VERIFY|ALTNAME|^ERR_SSL_(WRONG_VERSION_NUMBER|.*HANDSHAKE|.*ALERT_PROTOCOL|UNSUPPORTED_PROTOCOL)/;

/** Addresses and headers that cannot be sent, and errors without a code: n8n's own. */
const unsendable =
	/^ERR_(INVALID_URL|INVALID_CHAR|INVALID_PROTOCOL|UNESCAPED_CHARACTERS|HTTP_INVALID_HEADER_VALUE|INVALID_ARG)|^UNKNOWN$/;

/**
 * What a connection error says about the request: `broken` stands for all that may come before or
 * after the service has seen it, answers that cannot be read included; `other` was not sent, and
 * never will be.
 */
export function connection(code: string | undefined): 'unsent' | 'broken' | 'other' {
	const name = code?.toUpperCase();
	if (name === undefined || handshake.test(name) || unsendable.test(name)) return 'other';
	return unsent.has(name) ? 'unsent' : 'broken';
}

/** Facts as lines of a description. */
function lines(facts: Facts): string[] {
	const problems = (facts.errors ?? []).map((problem) => {
		const place = [problem.node_id, problem.port, problem.path].filter(Boolean).join(' / ');
		return `• ${String(problem.code ?? 'problem')}: ${String(problem.message ?? '')}${place ? ` (${place})` : ''}`;
	});
	const named: Array<[string, unknown]> = [
		['Field', facts.param],
		['Code', facts.code],
		['HTTP status', facts.status],
		['Request ID', facts.request_id],
		['More', facts.doc_url],
	];
	const rest = named
		.filter(([, value]) => value !== undefined)
		.map(([k, v]) => `${k}: ${String(v)}`);
	return [...problems, rest.join(' · ')].filter((line) => line !== '');
}

/** An error with our words in it, whatever n8n would put in their place. */
function worded<E extends NodeApiError | NodeOperationError>(
	error: E,
	facts: IDataObject,
	message: string,
): E {
	// n8n replaces a message that happens to contain the letters of an OS error code.
	error.message = message;
	error.context.details = facts;
	return error;
}

/** The error for an answer that refuses, or for a connection that gave none. */
export function serviceError(
	node: INode,
	facts: Facts,
	said?: string,
	hint?: string,
): NodeApiError {
	const { what, then } = explain(facts);
	const message = said ? `${what}: ${said}` : what;
	const minutes = Math.ceil((facts.retry_after ?? 0) / 60);
	const later =
		(facts.retry_after ?? 0) > longestRetryAfter
			? `The service asks to wait ${minutes.toLocaleString('en-US')} minutes. Run again after that.`
			: undefined;
	const description = [hint ?? later ?? then, ...lines(facts)].join('\n');
	const data = facts as unknown as IDataObject;
	return worded(
		new NodeApiError(node, { message } as JsonObject, {
			message,
			description,
			httpCode: facts.status === undefined ? undefined : String(facts.status),
		}),
		data,
		message,
	);
}

/** The error for a connection that broke, or could not be made. */
export function connectionError(
	node: INode,
	code: string,
	detail: string,
	hint?: string,
	to = 'The service',
): NodeApiError {
	const kind = connection(code);
	const what =
		kind === 'unsent'
			? `${to} cannot be reached`
			: kind === 'broken'
				? `The connection to ${to[0]?.toLowerCase()}${to.slice(1)} broke before an answer came`
				: 'The request could not be sent';
	const then =
		hint ??
		(kind === 'unsent'
			? 'Check the Base URL of the credential, and that this n8n can reach it.'
			: kind === 'broken'
				? 'Run again later.'
				: handshake.test(code.toUpperCase())
					? 'Check the Base URL of the credential: whether it has to begin with https:// or http://, and whether n8n trusts its certificate.'
					: 'See the reason below.');
	const facts: Facts = { code: code.toLowerCase(), uncertain: kind === 'broken' };
	return worded(
		new NodeApiError(node, { message: what } as JsonObject, {
			message: what,
			description: [then, `Reason: ${detail}`].join('\n'),
		}),
		facts as unknown as IDataObject,
		what,
	);
}

/** The name of the node's credential, for sentences about it. */
const credentialName = (node: INode, type: string) => {
	const name = node.credentials?.[type]?.name;
	return name ? `the credential "${name}"` : 'the credential';
};

/** The error for an OAuth credential that was saved and never connected. */
export function unconnectedError(node: INode, type: string): NodeOperationError {
	return operationError(
		node,
		'The account is not connected yet',
		`Open ${credentialName(node, type)} and connect the account there, then run again.`,
		{ code: 'unauthorized', status: 401 },
	);
}

/**
 * The error for access to an account that ended and could not be renewed.
 *
 * @param passing the place that renews it was out of reach or out of order, with this code or status
 */
export function renewalError(
	node: INode,
	type: string,
	detail: string,
	passing?: { code?: string; status?: number },
): NodeApiError {
	const what = passing
		? 'The access to the account could not be renewed at this moment'
		: 'The account must be connected again';
	const then = passing
		? `Run again later. If it goes on, check the Access Token URL of ${credentialName(node, type)}.`
		: `Open ${credentialName(node, type)} and reconnect the account there, then run again. The access has expired or was withdrawn, and could not be renewed.`;
	const facts: Facts = passing
		? {
				...passing,
				...(passing.code ? { code: passing.code.toLowerCase(), uncertain: false } : {}),
			}
		: { code: 'unauthorized', status: 401 };
	return worded(
		new NodeApiError(node, { message: what } as JsonObject, {
			message: what,
			description: [then, `Reason: ${detail}`].join('\n'),
			httpCode: facts.status === undefined ? undefined : String(facts.status),
		}),
		facts as unknown as IDataObject,
		what,
	);
}

/** The error for what the user must mend, or for a job that did not end well. */
export function operationError(
	node: INode,
	message: string,
	description?: string,
	facts: IDataObject = {},
): NodeOperationError {
	return worded(new NodeOperationError(node, message, { description }), facts, message);
}

/** The facts that an error carries, if it is one of ours. */
export function factsOf(error: unknown): IDataObject {
	const context = (error as { context?: IDataObject } | undefined)?.context;
	return (context?.details as IDataObject | undefined) ?? {};
}

/** Whether the failure passes by itself, so that a wait that is under way goes on. */
export function isPassing(error: unknown): boolean {
	const { status, code, uncertain } = factsOf(error);
	if (typeof status === 'number') return status === 429 || status >= 500;
	// Only where the connection failed is it told whether the request may have got through.
	return uncertain !== undefined && connection(String(code)) !== 'other';
}

/** Whether the service does not know what was asked for. */
export const isGone = (error: unknown) => factsOf(error).status === 404;
