/**
 * Form fields that let users choose between form fields and JSON to enter a value with many parts.
 */
import { z } from 'zod';

/**
 * Creates the properties of a field that chooses between form fields and JSON, to spread into a
 * field that has a name. The default is the form.
 *
 * @param form description of the option Form
 * @param json description of the option JSON
 */
export const createInputFormatField = (form: string, json: string) =>
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
