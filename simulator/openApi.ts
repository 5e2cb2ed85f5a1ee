import { z } from 'zod/v4';
import { readApi, type ApiDescription, type JsonSchema } from './api';
import { controlEndpoints, controlPrefix } from './controlApi';
import { version } from './package.json';

export type OpenApiDocument = ApiDescription;

/** Returns the schema of what a client sends, before defaults and conversions. */
function toJsonSchema(schema: z.ZodType): JsonSchema {
	const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
	return rest;
}

function describeQuery(query: z.ZodType) {
	const { properties = {}, required = [] } = toJsonSchema(query) as {
		properties?: Record<string, { description?: string }>;
		required?: string[];
	};
	return Object.entries(properties).map(([name, { description, ...schema }]) => ({
		...{ name, in: 'query', required: required.includes(name), schema },
		...(description ? { description } : {}),
	}));
}

const toContent = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } });

/** Returns the description of the API with the endpoints of the control API. */
export function describeSimulator(baseUrl = 'http://127.0.0.1:4010'): OpenApiDocument {
	const api = readApi();
	for (const { line, summary, query, body } of controlEndpoints) {
		const [method = '', relativePath = ''] = line.split(' ');
		const path = controlPrefix + relativePath;
		const operation = {
			...{ summary, tags: ['control'], security: [] },
			parameters: query ? describeQuery(query) : [],
			...(body ? { requestBody: toContent(toJsonSchema(body)) } : {}),
			responses: {
				'200': { description: 'The result', ...toContent({}) },
				'400': {
					description: 'The request is not valid',
					...toContent({ type: 'object', properties: { error: { type: 'string' } } }),
				},
			},
		};
		api.paths[path] = { ...api.paths[path], [method.toLowerCase()]: operation };
	}
	return {
		...api,
		info: {
			title: `${api.info.title} (simulated)`,
			version,
			description:
				'A simulated service on this machine. Paths under /_control/ control the simulator and are no part of the service.',
		},
		servers: [{ url: baseUrl }],
	};
}
