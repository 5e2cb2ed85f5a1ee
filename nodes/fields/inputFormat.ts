/** The choice between form fields and JSON as the input for a value with many parts. */
import { z } from 'zod';

/**
 * The properties of such a choice, to spread into a field that has a name. The default is the form.
 *
 * @param form description of the choice Form
 * @param json description of the choice JSON
 */
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
