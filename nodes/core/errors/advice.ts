/**
 * What to tell the user about a refusal: what happened, and what to do next, by the service's code
 * (docs/service.md, Errors) or else by the HTTP status.
 *
 * What only one operation can say stands in its row, under `explains`.
 */
import type { Facts } from './facts';

/** Two sentences for the user. */
export interface Explanation {
	/** What happened, as the beginning of a sentence. */
	what: string;
	/** What to do next. */
	then: string;
}

/** Explanations by code in lower case, or by `status_` and the HTTP status. */
export type Explanations = Readonly<Record<string, Explanation>>;

const otherCredential: Explanation = {
	what: 'The service does not accept the credential',
	then: 'Open the credential and check the API key or connect the account again. Keys expire and can be rotated.',
};

export const byCode: Explanations = {
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
	unauthorized: otherCredential,
	authentication_failed: otherCredential,
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
	asset_not_available: {
		what: 'The asset cannot be used now',
		then: 'Look whether its upload is complete, or upload the file again.',
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
		then: 'Read it again, and use the edit_version of that reading.',
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
	cut_answer: {
		what: 'The connection broke in the middle of the answer',
		then: 'Run again later.',
	},
	odd_list: {
		what: 'The list that the service gave cannot be read',
		then: 'It is no list, or has entries without anything in them. Run again later, or check the Base URL of the credential.',
	},
	endless_list: {
		what: 'The service gives one page after the other without an entry',
		then: 'The list was given up. Run again later, or narrow it down.',
	},
	not_json: {
		what: 'The answer is not one of the Video Generation Service',
		then: 'Check the Base URL of the credential.',
	},
};

const byStatus: Readonly<Record<number, Explanation>> = {
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

/** The sentences for a refusal; those of the operation itself go first. */
export function explain(facts: Facts, own: Explanations = {}): Explanation {
	const { code } = facts;
	const status = Number(facts.status ?? 0);
	const found =
		own[code ?? ''] ?? own[`status_${status}`] ?? (code === undefined ? undefined : known(code));
	if (found) return found;
	if (status >= 500) return trouble;
	if (status >= 300 && status < 400) {
		return {
			what: 'The service answered with a redirect',
			then: 'Redirects are not followed, to keep the credential safe. Put the final address into the Base URL of the credential.',
		};
	}
	return byStatus[status] ?? { what: 'The request failed', then: 'See the details below.' };
}
