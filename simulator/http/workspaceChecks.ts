import { createError } from '../errors';
import type { Service } from '../service';

/** What a request asks of the workspace: work that costs, which also stores media, or storage alone. */
export type WorkspaceNeed = 'generation' | 'storage';

const quotaRetryAfterSeconds = 3600;

/** Refuses what the workspace, as it stands, may not do. */
export function checkWorkspace({ state }: Service, need: WorkspaceNeed) {
	const { workspace, jobs } = state;
	if (!workspace.phoneVerified) {
		throw createError(403, 'phone_verification_required', 'Verify a phone number first');
	}
	switch (workspace.encryption) {
		case 'pending':
			throw createError(409, 'encryption_setup_pending', 'The workspace awaits its encryption key');
		case 'failed':
			throw createError(
				409,
				'encryption_setup_failed',
				'The encryption of the workspace has no key',
			);
		case 'disabled':
			throw createError(
				403,
				'encryption_disabled',
				'The encryption key of the workspace is disabled',
			);
		case 'unavailable':
			throw createError(
				503,
				'encryption_temporarily_unavailable',
				'The key service does not answer',
			);
	}
	if (need === 'storage') return;
	if (workspace.credit <= 0) {
		throw createError(402, 'insufficient_credit', 'There is no credit left');
	}
	if (workspace.trialJobs !== null && jobs.size >= workspace.trialJobs) {
		throw createError(
			402,
			'trial_limit_exceeded',
			`The trial includes ${workspace.trialJobs} jobs`,
		);
	}
	if (workspace.quotaJobs !== null && jobs.size >= workspace.quotaJobs) {
		throw createError(429, 'quota_exceeded', `The quota is ${workspace.quotaJobs} jobs`, null, {
			headers: { 'retry-after': String(quotaRetryAfterSeconds) },
		});
	}
}
