import type { z } from 'zod';
import { createInvalidParameterError, type ServiceError } from '../errors';

/** The value as the schema has it, or 400 that names the first field that does not fit. */
export function validate<Schema extends z.ZodTypeAny>(
	schema: Schema,
	value: unknown,
): z.infer<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw createIssueError(result.error);
}

function createIssueError(error: z.ZodError): ServiceError {
	const issue = error.issues[0];
	if (!issue) return createInvalidParameterError(null, 'The request is not valid');
	if (issue.code === 'invalid_union') {
		// The member that got furthest is the one that was meant.
		const deepest = [...issue.unionErrors].sort((a, b) => getIssueDepth(b) - getIssueDepth(a))[0];
		if (deepest && getIssueDepth(deepest) > issue.path.length) return createIssueError(deepest);
	}
	const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
	const param = [...issue.path, ...unknownKeys].reduce<string>(
		(text, part) =>
			typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`,
		'',
	);
	return createInvalidParameterError(
		param || null,
		param ? `${param}: ${issue.message}` : issue.message,
	);
}

const getIssueDepth = (error: z.ZodError) =>
	Math.max(...error.issues.map((issue) => issue.path.length));
