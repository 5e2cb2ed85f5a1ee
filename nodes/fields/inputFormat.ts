/** The choice between a form and JSON for what has many parts. */
import { z } from 'zod';

/** What such a choice has, beside its names: it starts with the form. */
export const createInputFormat = (form: string, json: string) =>
	({
		type: 'options',
		options: [
			{ name: 'Form', value: 'form', description: form },
			{ name: 'JSON', value: 'json', description: json },
		],
		default: 'form',
		schema: z.enum(['form', 'json']),
		in: 'local',
	}) as const;
