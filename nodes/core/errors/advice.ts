/**
 * What to tell the user about a refusal: what happened, and what to do next, by the service's code
 * (docs/service.md, Errors) or else by the HTTP status.
 *
 * What only one operation can say stands in its row, under `explains`.
 */
import type { ErrorDetails } from './errorDetails';

/** Two sentences for the user. */
export interface Explanation {
	/** What happened, as the beginning of a sentence. */
	message: string;
	/** What to do next. */
	advice: string;
}

/** Explanations by code in lower case, or by `status_` and the HTTP status. */
export type Explanations = Readonly<Record<string, Explanation>>;

const useOtherCredential: Explanation = {
	message: 'The service does not accept the credential',
	advice:
		'Open the credential and check the API key or connect the account again. Keys expire and can be rotated.',
};

export const adviceByCode: Explanations = {
	invalid_parameter: {
		message: 'The service does not accept a value',
		advice: 'Correct the value named below.',
	},
	content_policy_violation: {
		message: 'The content policy of the service does not allow this',
		advice: 'Change the text or the media. Sending it again unchanged will fail again.',
	},
	unlimited_mode_disabled: {
		message: 'Unlimited mode is switched off for this account',
		advice: 'Choose another mode, or have it enabled for the account.',
	},
	avatar_consent_required: {
		message: 'The person shown by this avatar has not consented yet',
		advice: 'Complete the consent of the avatar, then run again.',
	},
	avatar_not_usable: {
		message: 'This avatar cannot be used here',
		advice: 'Choose another look. A look must be completed, and the engine must support it.',
	},
	avatar_expired: {
		message: 'This avatar has expired',
		advice: 'Choose another look, or create it anew.',
	},
	voice_expired: { message: 'This voice has expired', advice: 'Choose another voice.' },
	voice_unavailable: {
		message: 'This voice is not available now',
		advice: 'Choose another voice.',
	},
	voice_not_cloneable: {
		message: 'This recording cannot be cloned',
		advice: 'Use a clear recording of one speaker.',
	},
	voice_settings_not_supported: {
		message: 'This voice does not take these voice settings',
		advice: 'Remove the voice settings, or choose another voice.',
	},
	resource_limit_reached: {
		message: 'The account has as many of these as it may have',
		advice: 'Delete one that is no longer needed, or move to a larger plan.',
	},
	template_limit_reached: {
		message: 'The workspace holds as many templates as it may have (2,000)',
		advice: 'Delete templates that are no longer needed.',
	},
	role_not_allowed: {
		message: 'Your role in the workspace does not allow this',
		advice: 'Ask an administrator of the workspace.',
	},
	script_too_short: {
		message: 'The script is too short',
		advice: 'It must make at least 1.0 second of speech: write a longer text.',
	},
	tts_text_invalid: {
		message: 'The text cannot be spoken',
		advice: 'Use plain text with words in it.',
	},
	download_failed: {
		message: 'The service could not fetch the file from the address given',
		advice: 'The address must be public and lead to the file itself, without a login.',
	},
	ephemeral_upload_disabled: {
		message: 'Temporary uploads are switched off for this account',
		advice: 'Upload the file as an asset and use its ID.',
	},
	scenes_unavailable: {
		message: 'This video has no scenes to read',
		advice:
			'Only videos made of scenes (by an agent session, avatar or studio) can be read scene by scene.',
	},
	template_source_unsupported: {
		message: 'This video cannot become a template',
		advice: 'Choose a video that is made of scenes.',
	},
	variable_match_not_found: {
		message: 'The text that should become a variable is not in the template',
		advice: 'Read the template again and use the exact text of the element.',
	},
	variable_match_spans_styles: {
		message: 'The text that should become a variable crosses a change of style',
		advice: 'Choose a piece of text in one style.',
	},
	hyperframes_project_invalid: {
		message: 'The composition cannot be rendered',
		advice: 'Check that the zip holds the entry file and all that it refers to.',
	},
	hyperframes_project_too_large: {
		message: 'The composition is too large',
		advice: 'Make the zip smaller, or upload it as an asset.',
	},
	unauthorized: useOtherCredential,
	authentication_failed: useOtherCredential,
	insufficient_credit: {
		message: 'There is not enough credit',
		advice: 'Buy credit or turn on automatic top-up, then run again.',
	},
	trial_limit_exceeded: {
		message: 'The limit of the trial is reached',
		advice: 'Move to a paid plan, then run again.',
	},
	subscription_required: {
		message: 'This needs a subscription',
		advice: 'Subscribe, then run again.',
	},
	plan_upgrade_required: {
		message: 'The plan of the account does not include this',
		advice: 'Move to a larger plan, or leave out the option that needs it.',
	},
	forbidden: {
		message: 'The account may not do this',
		advice: 'Use a credential that has the permission.',
	},
	insufficient_api_key_scope: {
		message: 'The API key is restricted and lacks a scope for this',
		advice: 'Give the key the scope named in the message, or use another key.',
	},
	resource_access_denied: {
		message: 'This belongs to another user or organization',
		advice: 'Check the ID, and that the credential is of the right account.',
	},
	brand_kit_locked: {
		message: 'The brand policy of the workspace locks the brand kit',
		advice: 'Leave the brand kit empty to use the default one.',
	},
	voice_not_usable: {
		message: 'This voice may not be used by this account',
		advice: 'Choose another voice. Trying again will not help.',
	},
	phone_verification_required: {
		message: 'The account must verify a phone number first',
		advice: "Verify it in the service's web app.",
	},
	conflict: {
		message: 'This is in conflict with something that exists already',
		advice: 'Use another name or address, or update what exists.',
	},
	asset_not_available: {
		message: 'The asset cannot be used now',
		advice: 'Look whether its upload is complete, or upload the file again.',
	},
	resource_not_ready: {
		message: 'What this refers to is not ready yet',
		advice: 'It is safe to try again later.',
	},
	request_in_progress: {
		message: 'The same request is still being carried out',
		advice: 'Run again a little later: the service will then give the result of the first request.',
	},
	brand_kit_not_ready: {
		message: 'The brand kit is not imported completely',
		advice:
			'Wait until its status is completed. If its status is error, the import failed: import the website again.',
	},
	voice_not_ready: {
		message: 'The voice is still being trained',
		advice: 'Wait until its status is ACTIVE.',
	},
	voice_training_failed: {
		message: 'The training of this voice failed',
		advice: 'Train it again with other recordings. Trying again will not help.',
	},
	stale_edit_version: {
		message: 'The video has changed since its scenes were read',
		advice: 'Read it again, and use the edit_version of that reading.',
	},
	stale_workflow_draft: {
		message: 'The draft has changed since it was read',
		advice: 'Read the workflow again and use its new draft_revision.',
	},
	template_update_in_progress: {
		message: 'The template is being updated at this moment',
		advice: 'Try again in a few seconds.',
	},
	artifact_unavailable: {
		message: 'A file that this needs is gone',
		advice: 'Make it anew. Trying again will not help.',
	},
	encryption_setup_pending: {
		message: "The workspace waits for its customer's encryption key",
		advice: 'Finish the key setup in the web app. Until then all writes are refused.',
	},
	ai_vendor_access_restricted: {
		message: 'The workspace does not allow the AI vendor that this needs',
		advice: 'Choose another voice or model, or ask an administrator of the workspace.',
	},
	encryption_disabled: {
		message: 'Encryption with an own key is switched off for this workspace',
		advice: 'Leave the encryption out, or have it enabled for the workspace.',
	},
	invalid_encryption_key: {
		message: 'The encryption key is not valid',
		advice: 'Check the key in the web app of the service.',
	},
	encryption_cross_tree_transfer: {
		message: 'This would move or copy between places with different encryption keys',
		advice: 'Keep source and target in the same folder tree.',
	},
	encryption_setup_failed: {
		message: "The setup of the customer's encryption key failed",
		advice: 'Repeat the key setup in the web app.',
	},
	encryption_temporarily_unavailable: {
		message: 'The encryption key cannot be reached at the moment',
		advice: 'Run again later.',
	},
	workflow_archived: {
		message: 'This workflow of the service is archived',
		advice: 'Use another workflow, or bring it back in the web app.',
	},
	workflow_run_admission_refused: {
		message: 'The service does not take this run now',
		advice: 'Wait until other runs have ended, or check plan and credit of the account.',
	},
	voice_provider_error: {
		message: 'The provider of this voice has a problem',
		advice: 'Run again later, or choose another voice.',
	},
	graph_invalid: {
		message: 'The workflow graph has problems',
		advice: 'Correct all that are listed.',
	},
	image_processing_failed: {
		message: 'The image could not be processed',
		advice: 'Use another image. Trying again will not help.',
	},
	rate_limit_exceeded: {
		message: 'The service gets too many requests of this account',
		advice: 'Lower Requests at Once in the options, or run again later.',
	},
	quota_exceeded: {
		message: 'The quota of the account is used up',
		advice: 'Wait until it renews, or move to a larger plan.',
	},
	video_delete_failed: { message: 'The video could not be deleted', advice: 'Try again later.' },
	gateway_timeout: {
		message: 'The service took too long to fetch a file that the request refers to',
		advice: 'Check the address of the file, or upload it as an asset first.',
	},
	cut_answer: {
		message: 'The connection broke in the middle of the answer',
		advice: 'Run again later.',
	},
	odd_list: {
		message: 'The list that the service gave cannot be read',
		advice:
			'It is no list, or has entries without anything in them. Run again later, or check the Base URL of the credential.',
	},
	endless_list: {
		message: 'The service gives one page after the other without an entry',
		advice: 'The list was given up. Run again later, or narrow it down.',
	},
	not_json: {
		message: 'The answer is not one of the Video Generation Service',
		advice: 'Check the Base URL of the credential.',
	},
};

const adviceByStatus: Readonly<Record<number, Explanation>> = {
	400: {
		message: 'The service does not accept the request',
		advice: 'Check the values of the node.',
	},
	401: {
		message: 'The service does not accept the credential',
		advice:
			'Open the credential and check its values. If they are right, something between n8n and the service, such as a proxy, refuses the request.',
	},
	402: {
		message: 'The account cannot pay for this',
		advice: 'Check credit and plan of the account.',
	},
	403: {
		message: 'The service refuses this to the account',
		advice: 'Check what the account and the API key may do.',
	},
	404: {
		message: 'The service does not know this',
		advice:
			'Check the ID: it may be mistyped, deleted, or of another account. If no ID is involved, check the Base URL of the credential.',
	},
	409: {
		message: 'The service cannot do this in the present state',
		advice: 'Read the current state first.',
	},
	410: { message: 'This is over and can no longer be changed', advice: 'Start a new one.' },
	413: {
		message: 'The request is too large',
		advice: 'Make the file smaller, or upload it as an asset first.',
	},
	422: {
		message: 'The service cannot process the request',
		advice: 'Check the values of the node.',
	},
	429: {
		message: 'The service gets too many requests',
		advice: 'Lower Requests at Once in the options, or run again later.',
	},
};

const serviceProblem: Explanation = {
	message: 'The service has a problem of its own',
	advice: 'Run again later. If it goes on, tell the support of the service the request ID below.',
};

/** Whether a quota is used up; the code may have a word before it: `free_tier_quota_exceeded`. */
export const isQuotaCode = (code: string | undefined) => /(^|_)quota_exceeded$/.test(code ?? '');

const findByCode = (code: string): Explanation | undefined =>
	adviceByCode[code] ?? (isQuotaCode(code) ? adviceByCode.quota_exceeded : undefined);

/** Their advice speaks of the answer to a request. */
const requestOnlyCodes = [
	'invalid_parameter',
	'graph_invalid',
	'request_in_progress',
	'resource_not_ready',
];

/** What to do about the code with which a job failed, where advice exists. */
export function adviceForJobCode(code: string): string | undefined {
	const name = code.toLowerCase();
	return requestOnlyCodes.includes(name) ? undefined : findByCode(name)?.advice;
}

/** The sentences for a refusal; those of the operation itself go first. */
export function explainError(facts: ErrorDetails, own: Explanations = {}): Explanation {
	const { code } = facts;
	const status = Number(facts.status ?? 0);
	const found =
		own[code ?? ''] ??
		own[`status_${status}`] ??
		(code === undefined ? undefined : findByCode(code));
	if (found) return found;
	if (status >= 500) return serviceProblem;
	if (status >= 300 && status < 400) {
		return {
			message: 'The service answered with a redirect',
			advice:
				'Redirects are not followed, to keep the credential safe. Put the final address into the Base URL of the credential.',
		};
	}
	return (
		adviceByStatus[status] ?? { message: 'The request failed', advice: 'See the details below.' }
	);
}
