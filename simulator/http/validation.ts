import type { z } from 'zod';
import { createInvalidParameterError, type ServiceError } from '../errors';

/** Returns the parsed value, or throws 400 with the path of the first invalid field as `param`. */
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
		// The union member with the deepest issue is the one that the caller meant.
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
