/** Reads the description of the API, and checks requests and responses with it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import { parse } from 'yaml';

export type JsonSchema = Record<string, unknown>;

interface Parameter {
	$ref?: string;
	name: string;
	in: string;
	required?: boolean;
	schema: JsonSchema;
}

interface Media {
	content: Record<string, { schema: JsonSchema }>;
}

export interface Operation {
	tags: string[];
	summary?: string;
	description?: string;
	deprecated?: boolean;
	parameters?: Parameter[];
	requestBody?: Media;
	responses: Record<string, { $ref?: string } & Partial<Media>>;
	/** `S`: in the specification. `B`: known from other sources. */
	'x-source'?: 'S' | 'B';
	/** Scope that a restricted key needs. Without it, any valid key may call the operation. */
	'x-scope'?: string;
	/** Why the nodes do not call it. */
	'x-not-supported'?: string;
}

export type PathItem = Partial<Record<Method, Operation>> & { parameters?: Parameter[] };

export interface ApiDescription {
	openapi: string;
	info: { title: string; version: string; description: string };
	servers: Array<{ url: string }>;
	tags: Array<{ name: string }>;
	paths: Record<string, PathItem>;
	webhooks: Record<string, { post: Operation }>;
	components: {
		parameters: Record<string, Parameter>;
		responses: Record<string, Media>;
		schemas: Record<string, JsonSchema>;
	};
	/** Endpoints that are not known well enough to be called. */
	'x-known-by-name': Array<{ name: string; why_not: string }>;
	/** Limits that no schema can express. `{name}` in a value is one of its numbers, which the nodes use. */
	'x-limits': Array<{
		limit: string;
		value: string;
		numbers?: Record<string, number>;
		source: string;
		not_checked?: string;
	}>;
}

/** The first problem that a check finds: where, and what is wrong. */
export interface Problem {
	path: Array<string | number>;
	message: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

export const apiFile = join(__dirname, 'openapi.yaml');

export const readApi = (): ApiDescription => parse(readFileSync(apiFile, 'utf8'));

const api = readApi();

/** Lists the operations of a description by their request lines. */
export const listOperations = ({ paths }: Pick<ApiDescription, 'paths'>) =>
	Object.entries(paths).flatMap(([path, item]) =>
		methods.flatMap((method) => {
			const operation = item[method];
			return operation ? [{ line: `${method.toUpperCase()} ${path}`, path, operation }] : [];
		}),
	);

const operations = new Map(listOperations(api).map(({ line, operation }) => [line, operation]));

export function getOperation(line: string): Operation {
	const operation = operations.get(line);
	if (!operation) throw new Error(`simulator/openapi.yaml does not describe ${line}`);
	return operation;
}

/** Lists the types of events with what they mean. */
export const listEvents = () =>
	Object.entries(api.webhooks).map(([type, { post }]) => [type, post.summary ?? ''] as const);

/** The simulator serves its own files on loopback, so there it accepts http, too. */
const publicUrlPattern = String.raw`^(https://|http://(127\.0\.0\.1|localhost|\[::1\])[:/])`;

/** Names the property that tells the variants of a union apart, so that errors are about one variant. */
function addDiscriminators(schema: unknown): void {
	if (typeof schema !== 'object' || schema === null) return;
	Object.values(schema).forEach(addDiscriminators);
	const { oneOf } = schema as { oneOf?: JsonSchema[] };
	const variants = Array.isArray(oneOf) ? oneOf.map((variant) => resolve(variant)) : [];
	const propertyName = ['type', 'mode'].find(
		(name) =>
			variants.length > 0 &&
			variants.every(({ properties = {} }) => 'const' in ((properties as Properties)[name] ?? {})),
	);
	if (propertyName) Object.assign(schema, { discriminator: { propertyName } });
}

type Properties = Record<string, JsonSchema>;

/** Follows a reference within the description. */
export function resolve<T extends object>(value: T, document: object = api): T {
	const { $ref } = value as { $ref?: string };
	if ($ref === undefined) return value;
	return $ref
		.split('/')
		.slice(1)
		.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document) as T;
}

function createAjv(coerces: boolean) {
	const rules = structuredClone(api);
	Object.assign(rules.components.schemas.PublicUrl ?? {}, { pattern: publicUrlPattern });
	addDiscriminators(rules);
	const ajv = new Ajv2020({
		allErrors: true,
		discriminator: true,
		strict: false,
		validateSchema: false,
		useDefaults: coerces,
		coerceTypes: coerces,
		formats: { uri: (text: string) => URL.canParse(text), 'date-time': true, binary: true },
	});
	return ajv.addSchema(rules, 'api');
}

const forQueries = createAjv(true);
const forBodies = createAjv(false);

const point = (...keys: string[]) =>
	`api#/${keys.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

const validators = new Map<string, ValidateFunction>();

function getValidator(key: string, create: () => ValidateFunction): ValidateFunction {
	const validate = validators.get(key) ?? create();
	validators.set(key, validate);
	return validate;
}

const readPath = ({ instancePath, params }: ErrorObject): Problem['path'] => {
	const extra: unknown = params.additionalProperty ?? params.missingProperty ?? params.tag;
	return [...instancePath.split('/').slice(1), ...(typeof extra === 'string' ? [extra] : [])].map(
		(key) => (/^\d+$/.test(key) ? Number(key) : key.replaceAll('~1', '/').replaceAll('~0', '~')),
	);
};

const listProblems = (errors: ErrorObject[]): Problem[] =>
	errors.map((error) => ({ path: readPath(error), message: error.message ?? 'is not valid' }));

/** Of the errors of a union, the deepest one is in the variant that the caller meant. */
function findProblem(errors: ErrorObject[]): Problem {
	const union = errors.findIndex(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
	const isInUnion =
		union > 0 && errors[0]?.instancePath.startsWith(errors[union]?.instancePath ?? '');
	const problems = listProblems(errors.slice(0, isInUnion ? union : 1));
	const [deepest] = problems.sort((a, b) => b.path.length - a.path.length);
	return deepest ?? { path: [], message: 'is not valid' };
}

/** Checks a query, converts its values, and adds defaults. */
export function checkQuery(
	line: string,
	query: Record<string, unknown>,
): { query: Record<string, unknown>; problem?: Problem } {
	const parameters = (getOperation(line).parameters ?? [])
		.map((parameter) => resolve(parameter))
		.filter((parameter) => parameter.in === 'query');
	const validate = getValidator(`query of ${line}`, () =>
		forQueries.compile({
			type: 'object',
			additionalProperties: false,
			required: parameters.filter(({ required }) => required).map(({ name }) => name),
			properties: Object.fromEntries(
				parameters.map(({ name, schema }) => [
					name,
					'$ref' in schema ? { $ref: `api${String(schema.$ref)}` } : schema,
				]),
			),
		}),
	);
	const lists = parameters.filter(({ schema }) => schema.type === 'array');
	const values = { ...query };
	for (const { name } of lists) {
		if (name in values) values[name] = String(values[name]).split(',').filter(Boolean);
	}
	return validate(values)
		? { query: values }
		: { query: values, problem: findProblem(validate.errors ?? []) };
}

/** Checks a JSON body. Operations without one accept an empty object. */
export function checkBody(line: string, body: unknown): Problem | undefined {
	const [method = '', path = ''] = line.split(' ');
	const validate = getValidator(`body of ${line}`, () =>
		forBodies.compile(
			getOperation(line).requestBody
				? {
						$ref: point(
							...['paths', path, method.toLowerCase()],
							...['requestBody', 'content', 'application/json', 'schema'],
						),
					}
				: { type: 'object', additionalProperties: false },
		),
	);
	return validate(body) ? undefined : findProblem(validate.errors ?? []);
}

/** Checks a value with a schema of the components, and lists all problems. */
export function listSchemaProblems(name: string, value: unknown): Problem[] {
	const validate = getValidator(name, () =>
		forBodies.compile({ $ref: point('components', 'schemas', name) }),
	);
	return validate(value) ? [] : listProblems(validate.errors ?? []);
}

/** Checks the JSON body of a success. */
export function checkResponse(line: string, status: number, body: unknown): Problem | undefined {
	const response = getOperation(line).responses[status];
	if (!response) return { path: [], message: `has the undocumented status ${status}` };
	const [method = '', path = ''] = line.split(' ');
	const place = response.$ref?.split('/').slice(1) ?? [
		...['paths', path, method.toLowerCase()],
		...['responses', String(status)],
	];
	const validate = getValidator(`response ${place.join(' ')}`, () =>
		forBodies.compile({ $ref: point(...place, 'content', 'application/json', 'schema') }),
	);
	return validate(body) ? undefined : findProblem(validate.errors ?? []);
}
