import { z } from 'zod';
import { apiLimits, apiValues } from '../apiLimits';
import type { Field } from '../core/form/field';
import { createTextSchema, formatRange } from '../core/form/validation';
import { nameValues } from '../fields/namedValues';

const { prompt } = apiLimits['POST /v3/video-agents'];
const { orientation } = apiValues['POST /v3/video-agents'];

export const agentPromptField = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	description: `Topic and content of the video, ${formatRange(prompt)} characters`,
	schema: createTextSchema(prompt),
} as const satisfies Field;

export const orientationField = {
	displayName: 'Orientation',
	name: 'orientation',
	collection: 'lookAndSound',
	type: 'options',
	options: [
		{ name: 'Default', value: '', description: 'Let the agent choose' },
		...nameValues(orientation, { landscape: 'Landscape', portrait: 'Portrait' }),
	],
	default: '',
	description: 'Orientation of the video. If not set, the agent chooses one.',
	schema: z.enum(orientation),
} as const satisfies Field;

export const incognitoModeField = {
	displayName: 'Incognito Mode',
	name: 'incognito_mode',
	type: 'boolean',
	default: true,
	description: 'Whether the agent ignores its memory of earlier sessions',
} as const satisfies Field;
