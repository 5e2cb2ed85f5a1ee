import type { Field } from '../core/form/field';

/**
 * Notice in the forms of operations whose endpoints the service has deprecated. The node offers
 * these operations because the specification still documents the endpoints.
 */
export const legacyNotice = {
	displayName:
		'This operation uses the legacy API. The service announced to retire it on November 1, 2026: use the operation without “Legacy” in new workflows, and replace this one in others.',
	name: 'legacyNotice',
	type: 'notice',
	default: '',
	in: 'local',
} as const satisfies Field;
