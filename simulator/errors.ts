/** What a handler throws to answer with an error body. */
export interface Problem extends Error {
	problem: true;
	status: number;
	code: string;
	param: string | null;
	headers: Record<string, string>;
	errors?: unknown[];
}

export function problem(
	status: number,
	code: string,
	message: string,
	param: string | null = null,
	more: { headers?: Record<string, string>; errors?: unknown[] } = {},
): Problem {
	return Object.assign(new Error(message), {
		problem: true as const,
		status,
		code,
		param,
		headers: more.headers ?? {},
		...(more.errors ? { errors: more.errors } : {}),
	});
}

export const isProblem = (error: unknown): error is Problem =>
	error instanceof Error && (error as Partial<Problem>).problem === true;

export const invalid = (param: string | null, message: string) =>
	problem(400, 'invalid_parameter', message, param);

export const missing = (code: string, what: string, param: string | null = null) =>
	problem(404, code, `${what} does not exist`, param);

/** The v3 error body; v1 routes keep their older envelope. */
export function errorBody(error: Problem, requestId: string, legacy: boolean) {
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
