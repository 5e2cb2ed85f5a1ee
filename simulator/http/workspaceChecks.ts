import { createError } from '../errors';
import type { Service } from '../service';

/** What a request uses: paid work, which also stores its result, or storage only. */
export type WorkspaceNeed = 'generation' | 'storage';

const quotaRetryAfterSeconds = 3600;

/** Throws the error that the state of the workspace causes: plan, credit, quota, phone, encryption. */
export function checkWorkspace({ state }: Service, need: WorkspaceNeed) {
	const { workspace, jobs } = state;
	if (!workspace.phoneVerified) {
		throw createError(403, 'phone_verification_required', 'Verify a phone number first');
	}
	switch (workspace.encryption) {
		case 'pending':
			throw createError(
				409,
				'encryption_setup_pending',
				'The encryption setup of the workspace is pending',
			);
		case 'failed':
			throw createError(
				409,
				'encryption_setup_failed',
				'The encryption setup of the workspace failed',
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
				'The key service does not respond',
			);
	}
	if (need === 'storage') return;
	if (workspace.credit <= 0) {
		throw createError(402, 'insufficient_credit', 'No credit is left');
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
