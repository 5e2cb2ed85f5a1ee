/** Changes that are planted in a copy of the description of the API, and found by `npm run drift`. */
import { apiFile, readApi, type ApiDescription, type JsonSchema } from '../../simulator/api';
import { compareFacts, judgeDrift, readFacts } from '../../tools/drift';
import { projectRoot } from '../../tools/install';
import { runScript, useFolder, write } from './support';

const at = useFolder();

type Properties = Record<string, JsonSchema>;
const getProperties = (schema: JsonSchema | undefined) => schema?.properties as Properties;

/** A copy of the description, whose parts are changed by their names. */
function createCopy() {
	const api = readApi();
	const schema = (name: string) => api.components.schemas[name] as JsonSchema;
	return {
		api,
		schema,
		property: (name: string, key: string) => getProperties(schema(name))[key] as JsonSchema,
		operation: (path: string, method: 'get' | 'post') => {
			const operation = api.paths[path]?.[method];
			if (!operation) throw new Error(`No ${method} ${path}`);
			return operation;
		},
		body: (path: string) =>
			api.paths[path]?.post?.requestBody?.content['application/json']?.schema as JsonSchema,
	};
}

const described = readFacts(apiFile);

async function findDifferences(api: ApiDescription): Promise<string[]> {
	const file = at('api.json');
	write(file, JSON.stringify(api));
	return compareFacts(await described, await readFacts(file));
}

type Copy = ReturnType<typeof createCopy>;

test.each<[string, (copy: Copy) => void, string]>([
	[
		'a new endpoint',
		({ api }) => (api.paths['/v3/new'] = { get: { tags: [], responses: {} } }),
		'GET /v3/new: missing here',
	],
	[
		'a removed endpoint',
		({ api }) => delete api.paths['/v3/folders'],
		'POST /v3/folders: missing in the file',
	],
	[
		'another method',
		({ api }) => {
			const item = api.paths['/v3/folders'] ?? {};
			item.put = item.post;
			delete item.post;
		},
		'PUT /v3/folders: missing here',
	],
	[
		'a new parameter',
		({ operation }) =>
			operation('/v3/videos', 'get').parameters?.push({ name: 'order', in: 'query', schema: {} }),
		'GET /v3/videos query order: missing here',
	],
	[
		'a removed parameter',
		({ operation }) => operation('/v3/videos', 'get').parameters?.pop(),
		'GET /v3/videos query title: missing in the file',
	],
	[
		'a required parameter',
		({ operation }) => {
			const [limit] = operation('/v3/videos', 'get').parameters ?? [];
			Object.assign(limit ?? {}, { required: true });
		},
		'GET /v3/videos query limit: required: missing here',
	],
	[
		'another limit of a parameter',
		({ operation }) => {
			const [limit] = operation('/v3/videos', 'get').parameters ?? [];
			Object.assign(limit?.schema ?? {}, { maximum: 50 });
		},
		'GET /v3/videos query limit: maximum: 100 here, 50 in the file',
	],
	[
		'a new field',
		({ schema }) => (getProperties(schema('AvatarVideo')).mood = { type: 'string' }),
		'POST /v3/videos body("avatar").mood: missing here',
	],
	[
		'a removed field',
		({ schema }) => delete getProperties(schema('AvatarVideo')).fit,
		'POST /v3/videos body("avatar").fit: missing in the file',
	],
	[
		'a field that becomes required',
		({ schema }) => (schema('AvatarVideo').required as string[]).push('voice_id'),
		'POST /v3/videos body("avatar").voice_id: required: missing here',
	],
	[
		'a field that becomes optional',
		({ body }) => (body('/v3/folders').required = []),
		'POST /v3/folders body.name: required: missing in the file',
	],
	[
		'a new value',
		({ property }) => (property('AvatarVideo', 'output_format').enum as string[]).push('mov'),
		'POST /v3/videos body("avatar").output_format: value "mov": missing here',
	],
	[
		'a removed value',
		({ property }) => (property('AvatarVideo', 'resolution').enum as string[]).shift(),
		'POST /v3/videos body("avatar").resolution: value "4k": missing in the file',
	],
	[
		'another length',
		({ property }) => (property('AvatarVideo', 'script').maxLength = 6000),
		'POST /v3/videos body("avatar").script: maxLength: 5000 here, 6000 in the file',
	],
	[
		'a limit that goes',
		({ body }) => delete getProperties(body('/v3/voices/speech')).speed?.maximum,
		'POST /v3/voices/speech body.speed: maximum: missing in the file',
	],
	[
		'another type',
		({ body }) => Object.assign(getProperties(body('/v3/folders')).name ?? {}, { type: 'number' }),
		'POST /v3/folders body.name: type: "string" here, "number" in the file',
	],
	[
		'a new variant',
		({ body }) =>
			(body('/v3/videos').oneOf as JsonSchema[]).push({ properties: { type: { const: 'story' } } }),
		'POST /v3/videos body("story").type: missing here',
	],
	[
		'a new field of a response',
		({ schema }) => (getProperties(schema('Folder')).color = { type: 'string' }),
		'POST /v3/folders 200.data.color: missing here',
	],
	[
		'a new event',
		({ api }) =>
			Object.assign(api.webhooks, { 'story.success': { post: { tags: [], responses: {} } } }),
		'event story.success: missing here',
	],
	[
		'a new error code',
		({ schema }) =>
			(schema('GraphProblem').properties = { code: { enum: ['no_more'] }, message: {} }),
		'error codes.no_more: missing here',
	],
	[
		'a removed error code',
		({ schema }) =>
			(schema('ErrorCode').anyOf = (schema('ErrorCode').anyOf as JsonSchema[]).filter(
				({ title }) => title !== '410',
			)),
		'error codes.endpoint_sunset: missing in the file',
	],
	[
		'a removed event',
		({ api }) => delete api.webhooks['avatar_video.success'],
		'event avatar_video.success: missing in the file',
	],
])('finds %s', async (_, change, line) => {
	const copy = createCopy();
	change(copy);
	expect(await findDifferences(copy.api)).toContain(line);
});

test('finds nothing in an unchanged copy', async () => {
	expect(await findDifferences(readApi())).toEqual([]);
});

test('a description without error codes is one difference', async () => {
	const { api, schema } = createCopy();
	delete schema('Error').properties;
	for (const name of ['GraphProblem', 'JobError'].filter((one) => one in api.components.schemas))
		delete schema(name).properties;
	const differences = await findDifferences(api);
	expect(differences.filter((line) => line.startsWith('error codes'))).toEqual([
		'error codes: missing in the file',
	]);
});

test('accepts differences by their beginning, and names those that do not exist', () => {
	const accepted = [
		{ difference: 'GET /v3/new', reason: 'Not released.' },
		{ difference: 'GET /v3/gone', reason: 'It was removed.' },
	];
	expect(judgeDrift(['GET /v3/new: missing here', 'POST /v3/a: missing here'], accepted)).toEqual({
		unknown: ['POST /v3/a: missing here'],
		outdated: ['GET /v3/gone'],
	});
});

test('the command fails if a file has new differences', () => {
	const api = readApi();
	delete api.paths['/v3/folders'];
	write(at('api.json'), JSON.stringify(api));
	const changed = runScript(projectRoot, 'drift.ts', at('api.json'));
	expect(changed.stdout).toContain('POST /v3/folders: missing in the file\n');
	expect(changed.status).toBe(1);
	const unchanged = runScript(projectRoot, 'drift.ts', apiFile);
	expect(unchanged.stdout).toContain('0 differences');
	expect(unchanged.status).toBe(0);
});

test('the command compares a JSON Schema with one body', () => {
	const { body } = createCopy();
	const schema = body('/v3/folders');
	const compare = () => {
		write(at('schema.json'), JSON.stringify(schema));
		const args = [at('schema.json'), '--as', 'POST /v3/folders body'];
		return runScript(projectRoot, 'drift.ts', ...args);
	};
	expect(compare().stdout).toContain('0 differences');
	getProperties(schema).color = { type: 'string' };
	const changed = compare();
	expect(changed.stdout).toContain('POST /v3/folders body.color: missing here\n');
	expect(changed.status).toBe(1);
});
