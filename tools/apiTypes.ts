/** Renders simulator/requestTypes.ts: the types of queries and bodies in simulator/openapi.yaml. */
import {
	listOperations,
	readApi,
	resolve,
	type ApiDescription,
	type JsonSchema,
} from '../simulator/api';

const isSchema = (schema: unknown): schema is JsonSchema =>
	typeof schema === 'object' && schema !== null;

/** Adds to `names` all schemas to which a schema refers, directly or indirectly. */
function listReferences(schema: unknown, schemas: Record<string, JsonSchema>, names: Set<string>) {
	if (!isSchema(schema)) return;
	const name = String(schema.$ref ?? '')
		.split('/')
		.at(-1);
	if (name && !names.has(name)) {
		names.add(name);
		listReferences(schemas[name], schemas, names);
	}
	for (const part of Object.values(schema)) listReferences(part, schemas, names);
}

/** Omits conditions on which of several fields is required, because types cannot express them. */
const dropConditions = (key: string, value: unknown) => {
	const isCondition =
		key === 'anyOf' && (value as JsonSchema[]).every((variant) => 'required' in variant);
	return isCondition ? undefined : value;
};

/** Returns the types before formatting. */
export async function renderRequestTypes(): Promise<string> {
	const api = JSON.parse(JSON.stringify(readApi()), dropConditions) as ApiDescription;
	const { schemas } = api.components;
	const properties = Object.fromEntries(
		listOperations(api).map(({ line, operation }) => {
			const query = (operation.parameters ?? [])
				.map((parameter) => resolve(parameter, api))
				.filter((parameter) => parameter.in === 'query');
			const body = operation.requestBody?.content['application/json']?.schema;
			const requestSchema = {
				type: 'object',
				required: ['query', 'body'],
				properties: {
					query: {
						type: 'object',
						additionalProperties: false,
						required: query.filter(({ required }) => required).map(({ name }) => name),
						properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
					},
					body: body ?? { type: 'object', additionalProperties: false },
				},
			};
			return [line, requestSchema];
		}),
	);
	const names = new Set<string>();
	listReferences(properties, schemas, names);
	const { default: openApiTypescript, astToString } = await import('openapi-typescript');
	const document = {
		openapi: '3.1.0',
		info: { title: 'Requests', version: '1' },
		paths: {},
		components: {
			schemas: {
				...Object.fromEntries([...names].map((name) => [name, schemas[name] ?? {}])),
				Requests: { type: 'object', required: Object.keys(properties), properties },
			},
		},
	};
	const types = await openApiTypescript(JSON.stringify(document));
	const text = astToString(types).replace(/^export (?=type|interface)/gm, '');
	return `// Generated from openapi.yaml by npm run generate.
${text.slice(text.indexOf('interface components')).replace(/\n +responses: never;.*/s, '\n}')}
export type Schemas = Omit<components['schemas'], 'Requests'>;
/** Query and body of each operation, by its request line. */
export type Requests = components['schemas']['Requests'];
`;
}
