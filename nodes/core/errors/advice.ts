/**
 * Explains service errors to users: what happened and what to do next. The explanation is chosen by
 * the service's error code (service.md, Errors), or by the HTTP status if the code is missing
 * or has no explanation.
 *
 * Explanations that apply to only one operation are in that operation's file, under `explanations`.
 */
import { getOwnProperty } from '../json';
import type { ErrorDetails } from './errorDetails';

export interface ErrorExplanation {
	/** What happened, without a final period, because a message from the service may follow. */
	message: string;
	/** What the user should do next. */
	advice: string;
	/** Whether the service's own message, if it is a full sentence, replaces this message. */
	isGeneric?: boolean;
	/** Whether this explains only the HTTP status, because the error code has no explanation. */
	isByStatus?: boolean;
}

/** Explanations, keyed by lowercase error code or by HTTP status, such as `status_404`. */
export type ErrorExplanations = Readonly<Record<string, ErrorExplanation>>;

const useOtherCredential: ErrorExplanation = {
	message: 'The service rejected the credential',
	advice:
		'Open the credential and check the API key, or connect the account again. API keys can expire or be rotated.',
};

const removedEndpoint: ErrorExplanation = {
	message: 'The service has removed this endpoint',
	advice:
		'Use another operation, or update the package: a newer version may use the new endpoint. Running the workflow again will not help.',
};

const wrongIdCauses =
	'The ID may be mistyped, belong to another account, or refer to something that was deleted.';

/**
 * Explains that the service does not have the resource that a request refers to.
 *
 * @param name name of the resource, as in the sentence `There is no video with this ID`
 * @param nextStep how the user finds the right ID
 */
const explainNotFound = (name: string, nextStep: string): ErrorExplanation => ({
	message: `There is no ${name} with this ID in the service`,
	advice: `${nextStep} ${wrongIdCauses}`,
	isGeneric: true,
});

export const explanationsByCode: ErrorExplanations = {
	asset_not_found: explainNotFound(
		'asset',
		'Upload the file again, and use the new asset_id. For a video made with this service, choose By URL and enter its video_url.',
	),
	avatar_not_found: explainNotFound(
		'avatar or look',
		'In the node, choose "From List" and select the avatar look.',
	),
	batch_not_found: explainNotFound(
		'batch',
		'Use the batch_id from the output of the node that created the batch.',
	),
	hyperframes_render_not_found: explainNotFound(
		'render',
		'In the node, choose "From List" and select the render.',
	),
	template_not_found: explainNotFound(
		'template',
		'In the node, choose "From List" and select the template.',
	),
	video_not_found: explainNotFound(
		'video',
		'In the node, choose "From List" and select the video.',
	),
	voice_not_found: explainNotFound(
		'voice',
		'In the node, choose "From List" and select the voice.',
	),
	webhook_not_found: explainNotFound(
		'webhook endpoint',
		'In the node, choose "From List" and select the endpoint.',
	),
	invalid_parameter: {
		message: 'The service rejected one of the values',
		advice: 'Correct the value, then retry the execution.',
		isGeneric: true,
	},
	content_policy_violation: {
		message: "The service's content policy does not allow this text or media",
		advice: 'Change the text or the media: the same request will fail again.',
	},
	unlimited_mode_disabled: {
		message: 'Unlimited mode is turned off for this account',
		advice:
			"Choose another mode, or ask the service's support team to turn on unlimited mode for the account.",
	},
	avatar_consent_required: {
		message: 'The person shown in this avatar has not given consent yet',
		advice: 'Complete the consent process for the avatar, then retry the execution.',
	},
	avatar_not_usable: {
		message: 'This avatar cannot be used for this video',
		advice:
			'Select another look with "From List", which marks looks that are not ready yet, or change "Engine" in Media Settings: not every look supports every engine.',
	},
	avatar_expired: {
		message: 'This avatar has expired',
		advice: 'Choose another look, or create the avatar again.',
	},
	voice_expired: { message: 'This voice has expired', advice: 'Choose another voice.' },
	voice_unavailable: {
		message: 'This voice is not available at the moment',
		advice: 'Choose another voice.',
	},
	voice_not_cloneable: {
		message: 'The voice in this recording cannot be cloned',
		advice: 'Use a clear recording of one speaker.',
	},
	voice_settings_not_supported: {
		message: 'This voice does not support these voice settings',
		advice: 'Remove the voice settings, or choose another voice.',
	},
	resource_limit_reached: {
		message: 'The account has reached its limit for this kind of resource',
		advice: 'Delete a resource of this kind that you no longer need, or upgrade the plan.',
	},
	template_limit_reached: {
		message: 'The workspace has reached its limit of 2,000 templates',
		advice: 'Delete templates that you no longer need.',
	},
	role_not_allowed: {
		message: 'Your role in the workspace does not allow this operation',
		advice: 'Ask a workspace administrator for access.',
	},
	script_too_short: {
		message: 'The script is too short',
		advice: 'Write a longer script that produces at least 1 second of speech.',
	},
	tts_text_invalid: {
		message: 'The text cannot be read aloud',
		advice: 'Use plain text that contains words.',
	},
	download_failed: {
		message: 'The service could not download the file from its URL',
		advice: 'Use a public URL that points directly to the file and requires no login.',
	},
	ephemeral_upload_disabled: {
		message: 'Temporary uploads are turned off for this account',
		advice: 'Upload the file as an asset and use its ID.',
	},
	scenes_unavailable: {
		message: 'This video has no scenes',
		advice:
			'Choose a video that has scenes: an avatar video, a studio video, or a video from an agent session.',
	},
	template_source_unsupported: {
		message: 'This video cannot be turned into a template',
		advice: 'Choose a video that has scenes.',
	},
	variable_match_not_found: {
		message: 'The text to turn into a variable is not in the template',
		advice: 'Get the template again and use the exact text of the element.',
	},
	variable_match_spans_styles: {
		message: 'The text to turn into a variable has more than one style',
		advice: 'Choose a part of the text that has only one style.',
	},
	hyperframes_project_invalid: {
		message: 'The composition cannot be rendered',
		advice:
			'Check that the zip file contains the entry file and every file that the entry file refers to.',
	},
	hyperframes_project_too_large: {
		message: 'The composition is too large',
		advice: 'Make the zip file smaller, or upload it as an asset.',
	},
	unauthorized: useOtherCredential,
	authentication_failed: useOtherCredential,
	insufficient_credit: {
		message: 'The account does not have enough credit',
		advice:
			'Buy credit or turn on automatic top-up, then retry the execution. A new execution would create everything in this execution again, and you would be charged for it.',
	},
	trial_limit_exceeded: {
		message: 'The trial has reached its limit',
		advice: 'Upgrade to a paid plan, then retry the execution.',
	},
	subscription_required: {
		message: 'This request requires a subscription',
		advice: 'Subscribe, then retry the execution.',
	},
	plan_upgrade_required: {
		message: "The account's plan does not include this feature",
		advice: 'Upgrade the plan, or remove the option that requires it.',
	},
	forbidden: {
		message: 'The account does not have permission for this operation',
		advice:
			'Select another credential in the node, or ask an account administrator for permission. Running the workflow again will not help.',
	},
	insufficient_api_key_scope: {
		message: 'The API key does not have the required scope',
		advice: 'Add the scope named in the message to the key, or use another key.',
	},
	resource_access_denied: {
		message: 'The resource belongs to another user or organization',
		advice: 'Check the ID, and make sure that the credential belongs to the right account.',
	},
	brand_kit_locked: {
		message: "The brand kit is locked by the workspace's brand policy",
		advice: 'Leave the "Brand Kit" field empty to use the default brand kit.',
	},
	voice_not_usable: {
		message: 'This account is not allowed to use this voice',
		advice: 'Choose another voice. Running the workflow again will not help.',
	},
	phone_verification_required: {
		message: 'The account needs a verified phone number',
		advice: "Verify the phone number in the service's web app.",
	},
	conflict: {
		message: 'The request conflicts with something that already exists',
		advice: 'Use another name or URL, or update the existing resource.',
	},
	asset_not_available: {
		message: 'The asset cannot be used at the moment',
		advice: 'Check whether the asset has finished uploading, or upload the file again.',
	},
	resource_not_ready: {
		message: 'A resource that this request refers to is not ready yet',
		advice: 'Try again later. It is safe to repeat the request.',
	},
	request_in_progress: {
		message: 'The same request is still in progress',
		advice:
			'Wait a moment, then retry the execution. The service will then return the result of the first request.',
	},
	brand_kit_not_ready: {
		message: 'The brand kit is not ready yet',
		advice:
			'Wait until the status of the brand kit is "completed". If the status is "error", you cannot set the roles of the brand kit, but you can use the kit as it is: it may have colors, fonts and logos.',
	},
	voice_not_ready: {
		message: 'The voice is still being trained',
		advice:
			'Turn on Wait for Completion in the node that creates the voice, or let a VideoGen Job Status node wait for it.',
	},
	voice_training_failed: {
		message: 'This voice could not be trained',
		advice: 'Train the voice again with other recordings, then retry the execution.',
	},
	stale_edit_version: {
		message: 'The video has changed since you got its scenes',
		advice: "Get the video's scenes again, and use the edit_version returned with them.",
	},
	stale_workflow_draft: {
		message: 'The draft has changed since you retrieved it',
		advice: 'Get the workflow again and use its new draft_revision.',
	},
	template_update_in_progress: {
		message: 'The template is currently being updated',
		advice: 'Try again in a few seconds.',
	},
	artifact_unavailable: {
		message: 'A required file was deleted',
		advice: 'Create the file again, then retry the execution.',
	},
	encryption_setup_pending: {
		message: "The workspace's encryption key is not fully set up",
		advice: 'Finish the key setup in the web app. Until then, the service rejects all changes.',
	},
	ai_vendor_access_restricted: {
		message: 'The workspace does not allow the required AI vendor',
		advice: 'Choose another voice or model, or ask a workspace administrator to allow the vendor.',
	},
	encryption_disabled: {
		message: 'Encryption with your own key is turned off for this workspace',
		advice: 'Remove the encryption settings, or have the feature turned on for the workspace.',
	},
	invalid_encryption_key: {
		message: 'The encryption key is not valid',
		advice: "Check the key in the service's web app.",
	},
	encryption_cross_tree_transfer: {
		message:
			'The request would move or copy content between folders with different encryption keys',
		advice: 'Keep the source and target in the same folder tree.',
	},
	encryption_setup_failed: {
		message: 'The encryption key could not be set up',
		advice: 'Set up the key again in the web app.',
	},
	encryption_temporarily_unavailable: {
		message: 'The encryption key is temporarily unavailable',
		advice: 'Try again later.',
	},
	workflow_archived: {
		message: 'This workflow is archived in the service',
		advice: 'Restore the workflow in the web app, or use another workflow.',
	},
	workflow_run_admission_refused: {
		message: 'The service is not accepting this run at the moment',
		advice: "Wait until other runs have ended, or check the account's plan and credit.",
	},
	voice_provider_error: {
		message: "This voice's provider encountered an error",
		advice: 'Try again later, or choose another voice.',
	},
	graph_invalid: {
		message: 'The workflow graph is not valid, so nothing was saved',
		advice:
			"Correct the problems below in the node's graph, then run the workflow again. Each problem includes its location in the graph.",
	},
	image_processing_failed: {
		message: 'The image could not be processed',
		advice: 'Use another image. Running the workflow again will not help.',
	},
	rate_limit_exceeded: {
		message: 'This account is sending too many requests',
		advice: 'Lower the value of the "Max Concurrent Requests" option, or try again later.',
	},
	quota_exceeded: {
		message: "The account's quota is used up",
		advice: 'Wait until the quota resets, or upgrade the plan.',
	},
	video_delete_failed: { message: 'The video could not be deleted', advice: 'Try again later.' },
	gateway_timeout: {
		message: 'The service took too long to download a file that the request refers to',
		advice: 'Check the URL of the file, or upload it as an asset first.',
	},
	cut_answer: {
		message: 'The connection was lost before the whole response arrived',
		advice:
			'Retry the execution. If the problem persists, check whether a proxy between n8n and the service limits responses.',
	},
	response_too_large: {
		message: 'The response is too large and was not read',
		advice:
			"Check the Base URL in the credential. If the URL is correct, report the problem to the service's support team.",
	},
	odd_list: {
		message: 'The service returned an invalid list',
		advice:
			'The response is not a list, or it contains empty entries. Try again later, or check the Base URL in the credential.',
	},
	lost_cursor: {
		message:
			'The list is incomplete, because the service did not return a new token for the next page',
		advice:
			'Reading a list is free, so try again later. To get only the first few entries, turn off "Return All" and set "Limit". No entries were output this time.',
	},
	endless_list: {
		message: 'The list is incomplete, because it exceeds a limit of this node',
		advice:
			'No entries are output. Set the "Limit" field to get only the first few entries, or use a filter to shorten the list.',
	},
	endpoint_sunset: removedEndpoint,
	not_json: {
		message: 'The response is not from the Video Generation Service',
		advice: 'Check the Base URL in the credential.',
	},
};

const explanationsByStatus: Readonly<Record<number, ErrorExplanation>> = {
	400: {
		message: 'The service rejected the request',
		advice: "Check the node's values.",
		isGeneric: true,
	},
	401: {
		message: 'The service rejected the credential',
		advice:
			'Open the credential and check its values. If the values are correct, something between n8n and the service, such as a proxy, is rejecting the request.',
	},
	402: {
		message: 'The account does not have enough credit for this request',
		advice: "Check the account's credit and plan.",
	},
	403: {
		message: 'The account is not allowed to perform this operation',
		advice: 'Check the permissions of the account and the API key.',
	},
	404: {
		message: 'Not found in the service',
		advice: `Check the ID, or select the resource in the node with "From List". ${wrongIdCauses} If the node has no ID field, check the Base URL in the credential.`,
		isGeneric: true,
	},
	409: {
		message: "The resource's current state does not allow this operation",
		advice:
			'Read the resource with a Get operation to see its status. If the resource is still being processed, try again when it is finished.',
		isGeneric: true,
	},
	410: removedEndpoint,
	413: {
		message: 'The request is too large',
		advice: 'Make the file smaller, or upload it as an asset first.',
	},
	422: {
		message: 'The service cannot process the request',
		advice: "Check the node's values.",
		isGeneric: true,
	},
	429: {
		message: 'The service is receiving too many requests',
		advice: 'Lower the value of the "Max Concurrent Requests" option, or try again later.',
	},
};

const serviceProblem: ErrorExplanation = {
	message: 'The service encountered an error',
	advice:
		"Try again later. If the problem persists, send the request ID below to the service's support team.",
};

/** Whether an error code, perhaps an undocumented one, means that too many jobs are running. */
export const isConcurrencyErrorCode = (code: string | undefined) => /concurren/.test(code ?? '');

/** Whether an error code, perhaps with a prefix, means that a quota or the credit is used up. */
export const isQuotaErrorCode = (code: string | undefined) =>
	/quota|credit/.test(code ?? '') && !isConcurrencyErrorCode(code);

const findByCode = (code: string): ErrorExplanation | undefined =>
	getOwnProperty(explanationsByCode, code) ??
	(isQuotaErrorCode(code) ? explanationsByCode.quota_exceeded : undefined);

/** Error codes whose advice makes sense for a rejected request, but not for a failed job. */
const requestOnlyCodes = [
	'invalid_parameter',
	'graph_invalid',
	'request_in_progress',
	'resource_not_ready',
];

export function getFailedJobAdvice(code: string): string | undefined {
	const name = code.toLowerCase();
	return requestOnlyCodes.includes(name) ? undefined : findByCode(name)?.advice;
}

/** Explains an error. An operation's own explanations (`overrides`) take precedence. */
export function explainError(
	details: ErrorDetails,
	overrides: ErrorExplanations = {},
): ErrorExplanation {
	const { code = '' } = details;
	const status = Number(details.status ?? 0);
	const explanation =
		getOwnProperty(overrides, code) ??
		getOwnProperty(overrides, `status_${status}`) ??
		findByCode(code);
	return explanation ?? { ...explainStatus(status), isByStatus: code !== '' };
}

function explainStatus(status: number): ErrorExplanation {
	if (status >= 500) return serviceProblem;
	if (status >= 300 && status < 400) {
		return {
			message: 'The service responded with a redirect',
			advice:
				'To protect the credential, redirects are not followed. Enter the final URL as the Base URL in the credential.',
		};
	}
	return (
		explanationsByStatus[status] ?? {
			message: 'The request failed',
			advice: 'See the details below.',
		}
	);
}
