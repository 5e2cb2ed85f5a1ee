import type { ErrorExplanations } from '../core/errors/advice';
import type { Field } from '../core/form/field';

/**
 * Notice in the forms of operations whose endpoints the service has deprecated. The node offers
 * these operations because the specification still documents the endpoints.
 */
export const legacyNotice = {
	displayName:
		'This operation uses the legacy API. The service has announced that it will retire this API on November 1, 2026. In new workflows, use the operation without “Legacy” in its name. In existing workflows, replace this operation.',
	name: 'legacyNotice',
	type: 'notice',
	default: '',
	in: 'local',
} as const satisfies Field;

/** Explains the error that occurs once the service has removed a legacy operation's endpoint. */
export const createRemovalExplanations = (successor: string): ErrorExplanations => ({
	status_410: {
		message: 'The service has removed this endpoint',
		advice: `Use ${successor} instead. Running the workflow again will not help.`,
	},
});
