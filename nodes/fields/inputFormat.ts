/**
 * Creates the form field for choosing whether to enter a complex value in form fields or as JSON.
 */
import { z } from 'zod';

/**
 * Returns the properties of a form field that offers the choice between Form and JSON, with Form as
 * the default. The caller spreads them into a field that has a name.
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
