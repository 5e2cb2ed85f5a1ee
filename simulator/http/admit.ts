import { problem } from '../errors';
import type { Service } from '../service';

/** What a request asks of the workspace: work that costs, which also stores media, or storage alone. */
export type Need = 'generation' | 'storage';

const quotaSeconds = 3600;

/** Refuses what the workspace, as it stands, may not do. */
export function admit({ state }: Service, need: Need) {
	const { workspace, jobs } = state;
	if (!workspace.phoneVerified) {
		throw problem(403, 'phone_verification_required', 'Verify a phone number first');
	}
	switch (workspace.encryption) {
		case 'pending':
			throw problem(409, 'encryption_setup_pending', 'The workspace awaits its encryption key');
		case 'failed':
			throw problem(409, 'encryption_setup_failed', 'The encryption of the workspace has no key');
		case 'disabled':
			throw problem(403, 'encryption_disabled', 'The encryption key of the workspace is disabled');
		case 'unavailable':
			throw problem(503, 'encryption_temporarily_unavailable', 'The key service does not answer');
	}
	if (need === 'storage') return;
	if (workspace.credit <= 0) {
		throw problem(402, 'insufficient_credit', 'There is no credit left');
	}
	if (workspace.trialJobs !== null && jobs.size >= workspace.trialJobs) {
		throw problem(402, 'trial_limit_exceeded', `The trial includes ${workspace.trialJobs} jobs`);
	}
	if (workspace.quotaJobs !== null && jobs.size >= workspace.quotaJobs) {
		throw problem(429, 'quota_exceeded', `The quota is ${workspace.quotaJobs} jobs`, null, {
			headers: { 'retry-after': String(quotaSeconds) },
		});
	}
}
