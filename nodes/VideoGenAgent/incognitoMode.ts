import { z } from 'zod';
import type { Field } from '../core/form/field';

export const incognitoMode = {
	displayName: 'Incognito Mode',
	name: 'incognito_mode',
	type: 'boolean',
	default: false,
	description: 'Whether the agent works without its memory of earlier sessions',
	schema: z.boolean(),
} as const satisfies Field;
