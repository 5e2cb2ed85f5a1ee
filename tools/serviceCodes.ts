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

/** Codes of the problems of a graph, which are no codes of responses themselves. */
export const graphProblemCodes = graphProblem.code?.examples ?? [];

/** Every error code that simulator/openapi.yaml describes, with its status; undefined if that is not sure. */
export const readErrorCodes = (): Array<{ code: string; status: number | undefined }> =>
	[...codesByStatus, { title: '422', enum: graphProblemCodes }].flatMap(({ title, enum: codes }) =>
		codes.map((code) => ({ code, status: Number(title) || undefined })),
	);
