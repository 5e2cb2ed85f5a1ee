import { z } from 'zod/v4';
import { controlEndpoints, controlPrefix } from './controlApi';
import type { RouteDescription } from './http/route';

type JsonSchema = Record<string, unknown>;

interface Operation {
	operationId: string;
	summary?: string;
	tags: string[];
	security: Array<Record<string, string[]>>;
	parameters: JsonSchema[];
	requestBody?: JsonSchema;
	responses: Record<string, JsonSchema>;
}

export interface OpenApiDocument {
	openapi: string;
	info: { title: string; version: string; description: string };
	servers: Array<{ url: string }>;
	paths: Record<string, Record<string, Operation>>;
	components: JsonSchema;
}

/** Returns the schema of what a client sends, before defaults and conversions. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
	const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
	return rest;
}

function describeParameters(path: string, query: z.ZodType | undefined): JsonSchema[] {
	const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
		...{ name, in: 'path', required: true },
		schema: { type: 'string' },
	}));
	if (!query) return inPath;
	const { properties = {}, required = [] } = toJsonSchema(query) as {
		properties?: Record<string, { description?: string }>;
		required?: string[];
	};
	return [
		...inPath,
		...Object.entries(properties).map(([name, { description, ...schema }]) => ({
			...{ name, in: 'query', required: required.includes(name), schema },
			...(description ? { description } : {}),
		})),
	];
}

const describeBody = (schema: z.ZodType): JsonSchema => ({
	content: { 'application/json': { schema: toJsonSchema(schema) } },
});

const formBody = {
	content: {
		'multipart/form-data': {
			schema: {
				type: 'object',
				properties: { file: { type: 'string', format: 'binary' } },
				required: ['file'],
			},
		},
	},
};

const jsonResponse = (description: string, schema: JsonSchema) => ({
	description,
	content: { 'application/json': { schema } },
});

const idempotencyKey = {
	...{ name: 'Idempotency-Key', in: 'header', required: false },
	schema: { type: 'string' },
};

/** Names an operation after its request line: `post_v3_videos_video_id`. */
const toOperationId = (method: string, path: string) =>
	`${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, '_')}`.replace(/_$/, '');

function describeRoute({ line, query, body, ...route }: RouteDescription): Operation {
	const [method = '', path = ''] = line.split(' ');
	const requestBody = route.isForm ? formBody : body ? describeBody(body) : undefined;
	return {
		operationId: toOperationId(method, path),
		tags: [path.split('/')[2] ?? ''],
		security: [{ apiKey: [] }, { accessToken: [] }],
		...(route.scope ? { summary: `Needs the scope ${route.scope}` } : {}),
		parameters: [
			...describeParameters(path, query),
			...(route.isIdempotent ? [idempotencyKey] : []),
		],
		...(requestBody ? { requestBody } : {}),
		responses: {
			'2XX': jsonResponse('The result', { type: 'object' }),
			default: jsonResponse('An error', { $ref: '#/components/schemas/Error' }),
		},
	};
}

/** Builds the OpenAPI document from the schemas that also validate requests. */
export function buildOpenApi(
	routes: readonly RouteDescription[],
	{ baseUrl, version }: { baseUrl: string; version: string },
): OpenApiDocument {
	const paths: OpenApiDocument['paths'] = {};
	const add = (method: string, path: string, operation: Operation) => {
		paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
	};
	for (const route of routes) {
		const [method = '', path = ''] = route.line.split(' ');
		add(method, path, describeRoute(route));
	}
	for (const { line, summary, query, body } of controlEndpoints) {
		const [method = '', relativePath = ''] = line.split(' ');
		const path = controlPrefix + relativePath;
		add(method, path, {
			operationId: toOperationId(method, path),
			...{ summary, tags: ['control'], security: [] },
			parameters: describeParameters(path, query),
			...(body ? { requestBody: describeBody(body) } : {}),
			responses: {
				'200': jsonResponse('The result', {}),
				'400': jsonResponse('The request is not valid', {
					type: 'object',
					properties: { error: { type: 'string' } },
				}),
			},
		});
	}
	return {
		openapi: '3.1.0',
		info: {
			title: 'Video Generation Service (simulated)',
			version,
			description:
				'A simulated service on this machine. Paths under /_control/ control the simulator and are no part of the service.',
		},
		servers: [{ url: baseUrl }],
		paths,
		components: {
			securitySchemes: {
				apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
				accessToken: { type: 'http', scheme: 'bearer' },
			},
			schemas: {
				Error: {
					type: 'object',
					properties: {
						error: {
							type: 'object',
							properties: {
								code: { type: 'string' },
								message: { type: 'string' },
								param: { type: ['string', 'null'] },
								doc_url: { type: 'string' },
								request_id: { type: 'string' },
							},
						},
					},
				},
			},
		},
	};
}
