/** Renders simulator/REFERENCE.md: the endpoints of the simulator, and the bodies of its control API. */
import { describeSimulator } from '../simulator';
import { listOperations, type Operation } from '../simulator/api';
import { generatedNote, renderTable } from './pages';

interface Schema {
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	anyOf?: Schema[];
	items?: Schema;
	properties?: Record<string, Schema>;
	required?: string[];
	description?: string;
	default?: unknown;
}

const showType = (schema: Schema): string => {
	if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
	if (schema.anyOf) return schema.anyOf.map(showType).join(' or ');
	if (schema.type === 'array') return `array of ${showType(schema.items ?? {})}`;
	return [schema.type ?? 'any'].flat().join(' or ');
};

const renderFields = (fields: Array<[name: string, schema: Schema, isRequired: boolean]>) =>
	renderTable(
		['Field', 'Type', 'Meaning'],
		fields.map(([name, schema, isRequired]) => [
			`\`${name}\`${isRequired ? ' (required)' : ''}`,
			showType(schema),
			[
				schema.description ?? '',
				...(schema.default === undefined ? [] : [`Default: ${JSON.stringify(schema.default)}`]),
			]
				.filter(Boolean)
				.join('. '),
		]),
	);

function renderControl(line: string, { summary = '', parameters, requestBody }: Operation) {
	const content = requestBody?.content as Record<string, { schema: Schema }> | undefined;
	const body = content?.['application/json']?.schema;
	const required = body?.required ?? [];
	const inQuery = (
		parameters as Array<{ name: string; in: string; schema: Schema; description?: string }>
	).filter((parameter) => parameter.in === 'query');
	const fields = Object.entries(body?.properties ?? {}).map(
		([name, schema]): [string, Schema, boolean] => [
			name,
			schema,
			required.includes(name) && schema.default === undefined,
		],
	);
	return [
		`### ${line}`,
		`${summary}.`,
		...(inQuery.length > 0
			? [
					renderFields(
						inQuery.map(({ name, schema, description }) => [
							name,
							description ? { ...schema, description } : schema,
							false,
						]),
					),
				]
			: []),
		...(fields.length > 0 ? [renderFields(fields)] : []),
	];
}

export function renderSimulatorPage(): string {
	const operations = listOperations(describeSimulator());
	const isControl = ({ operation }: { operation: Operation }) => operation.tags[0] === 'control';
	const service = operations.filter((one) => !isControl(one));
	return [
		'# Reference of the simulator',
		'`GET /openapi.json` has the schemas of all requests. [README.md](README.md) shows how to start.',
		'## Endpoints of the service',
		`There are ${service.length}. All need an API key in the header \`x-api-key\`, or an access token. A key may be restricted to scopes.`,
		renderTable(
			['Request', 'Scope'],
			service.map(({ line, operation }) => [`\`${line}\``, operation['x-scope'] ?? '']),
		),
		'## Control API',
		'Bodies are JSON. An unknown field is rejected with 400. Where no other response is described, it is `{"ok": true}`.',
		...operations
			.filter(isControl)
			.flatMap(({ line, operation }) => renderControl(line, operation)),
		generatedNote,
		'',
	].join('\n\n');
}
