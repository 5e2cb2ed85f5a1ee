import { z } from 'zod';
import type { Field } from '../core/form/field';
import { createTextSchema } from '../core/form/validation';

export const agentPromptField = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	description: 'Topic and content of the video, 1 to 10,000 characters',
	schema: createTextSchema(1, 10_000),
} as const satisfies Field;

export const orientationField = {
	displayName: 'Orientation',
	name: 'orientation',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'Let the agent choose' },
		{ name: 'Landscape', value: 'landscape' },
		{ name: 'Portrait', value: 'portrait' },
	],
	default: '',
	description: 'Shape of the video. If not set, the agent chooses it.',
	schema: z.enum(['landscape', 'portrait']),
} as const satisfies Field;

export const incognitoModeField = {
	displayName: 'Incognito Mode',
	name: 'incognito_mode',
	type: 'boolean',
	default: true,
	description: 'Whether the agent ignores its memory of earlier sessions',
} as const satisfies Field;
