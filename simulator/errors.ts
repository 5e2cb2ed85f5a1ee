import type { Problem } from './api';

/** An error that a handler throws to respond with an error body. */
export interface ServiceError extends Error {
	isServiceError: true;
	status: number;
	code: string;
	param: string | null;
	headers: Record<string, string>;
	errors?: unknown[];
}

export function createError(
	status: number,
	code: string,
	message: string,
	param: string | null = null,
	more: { headers?: Record<string, string>; errors?: unknown[] } = {},
): ServiceError {
	return Object.assign(new Error(message), {
		isServiceError: true as const,
		status,
		code,
		param,
		headers: more.headers ?? {},
		...(more.errors ? { errors: more.errors } : {}),
	});
}

export const isServiceError = (error: unknown): error is ServiceError =>
	error instanceof Error && (error as Partial<ServiceError>).isServiceError === true;

export const createInvalidParameterError = (param: string | null, message: string) =>
	createError(400, 'invalid_parameter', message, param);

export const createNotFoundError = (code: string, what: string, param: string | null = null) =>
	createError(404, code, `${what} does not exist`, param);

/** Builds the error body of v3, or of v1 for legacy routes. */
export function buildErrorBody(error: ServiceError, requestId: string, legacy: boolean) {
	const body = {
		code: error.code,
		message: error.message,
		param: error.param,
		doc_url: `https://docs.example/errors#${error.code}`,
		...(error.errors ? { errors: error.errors } : {}),
		request_id: requestId,
	};
	return legacy
		? { data: null, error: { code: error.code, message: error.message } }
		: { error: body };
}

/** Joins the parts of a path as the service does: `scenes[0].script`. */
export const joinPath = (path: ReadonlyArray<PropertyKey>) =>
	path.reduce<string>(
		(text, part) =>
			typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`,
		'',
	);

export function createProblemError({ path, message }: Problem): ServiceError {
	const param = joinPath(path);
	return createInvalidParameterError(param || null, param ? `${param}: ${message}` : message);
}
