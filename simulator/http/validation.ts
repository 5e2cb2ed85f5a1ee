import type { z } from 'zod/v4';
import { createInvalidParameterError, type ServiceError } from '../errors';

/** Returns the parsed value, or throws 400 with the path of the first invalid field as `param`. */
export function validate<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
): z.infer<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw createIssueError(result.error.issues);
}

type Issues = z.core.$ZodIssue[];

/** Joins the parts of a path as the service does: `scenes[0].script`. */
export const joinPath = (path: PropertyKey[]) =>
	path.reduce<string>(
		(text, part) =>
			typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`,
		'',
	);

function createIssueError([issue]: Issues): ServiceError {
	if (!issue) return createInvalidParameterError(null, 'The request is not valid');
	if (issue.code === 'invalid_union') {
		// The union member with the deepest issue is the one that the caller meant. Its paths begin at
		// the union.
		const [deepest] = [...issue.errors].sort((a, b) => getIssueDepth(b) - getIssueDepth(a));
		if (deepest && getIssueDepth(deepest) > 0) {
			return createIssueError(
				deepest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })),
			);
		}
	}
	const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
	const param = joinPath([...issue.path, ...unknownKeys]);
	return createInvalidParameterError(
		param || null,
		param ? `${param}: ${issue.message}` : issue.message,
	);
}

const getIssueDepth = (issues: Issues) => Math.max(...issues.map(({ path }) => path.length));
