/**
 * Creates the form field for choosing whether to enter a complex value in form fields or as JSON.
 */
import { z } from 'zod';

/**
 * Returns the properties of a form field for choosing between Form (the default) and JSON. The
 * caller adds the field's name.
 *
 * @param form description of the Form option
 * @param json description of the JSON option
 */
export const createInputFormatField = (form: string, json: string) =>
	({
		type: 'options',
		options: [
			{ name: 'Using Fields Below', value: 'form', description: form },
			{ name: 'Using JSON', value: 'json', description: json },
		],
		default: 'form',
		schema: z.enum(['form', 'json']),
		in: 'local',
	}) as const;
