import { readApi, type JsonSchema } from '../simulator/api';

interface CodeGroup {
	/** HTTP status, or `unsure`. */
	title: string;
	description?: string;
	enum: string[];
}

const { schemas } = readApi().components;
const graphProblem = schemas.GraphProblem?.properties as Record<string, { examples?: string[] }>;

export const codesByStatus = (schemas.ErrorCode as JsonSchema).anyOf as CodeGroup[];

/** Codes of the problems in a graph. They are not error codes of responses. */
export const graphProblemCodes = graphProblem.code?.examples ?? [];

/**
 * Returns every error code in simulator/openapi.yaml, with its status, or undefined if that is unsure.
 */
export const readErrorCodes = (): Array<{ code: string; status: number | undefined }> =>
	[...codesByStatus, { title: '422', enum: graphProblemCodes }].flatMap(({ title, enum: codes }) =>
		codes.map((code) => ({ code, status: Number(title) || undefined })),
	);
