/* Writes the files of a new operation or a new node, to be filled in. */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Resource } from '../nodes/core/operation';
import { apiFile, listOperations, readApi } from '../simulator/api';
import { renderRequestTypes } from './apiTypes';
import { fail } from './child';
import { drawThemes, placeholderSymbol } from './icons';
import { projectRoot } from './install';
import { listNodeFolders, nodesFolder } from './nodeFolders';
import { loadOperations } from './nodes';
import { readOptions } from './options';
import { formatPage } from './pages';

const help = `Writes the files of a new operation or of a new node, with TODO where something is to be filled in. It changes
nothing if it fails. \`npm run check\` lists what is left to do.

  npm run new -- node VideoGenPoster
  npm run new -- operation VideoGenPoster archive
  npm run new -- operation VideoGenPoster archive --request "POST /v3/posters/{poster_id}/archive"
  npm run new -- operation VideoGenVoice share --resource professionalVoice`;

/** Changed files of the project, keyed by their path. Written only when all of them are ready. */
type Files = Map<string, string>;

const read = (files: Files, path: string) =>
	files.get(path) ?? readFileSync(join(projectRoot, path), 'utf8');

function create(files: Files, path: string, text: string): void {
	if (existsSync(join(projectRoot, path))) throw new Error(`${path} already exists.`);
	files.set(path, text);
}

/** Inserts text before the first match after `start`. */
function insert(
	files: Files,
	path: string,
	text: string,
	{ before, after = '' }: { before: RegExp | string; after?: string },
): void {
	const old = read(files, path);
	const start = old.indexOf(after);
	const found = start < 0 ? -1 : old.slice(start + after.length).search(before);
	if (found < 0) throw new Error(`${path} has no place for: ${text.trim()}`);
	const index = start + after.length + found;
	files.set(path, old.slice(0, index) + text + old.slice(index));
}

const splitWords = (name: string) =>
	name.split(/(?=[A-Z])|[_\s-]+/).map((word) => word.toLowerCase());
const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
/** Converts `getUsage` to `Get Usage`. */
const toTitle = (name: string) => splitWords(name).map(capitalize).join(' ');
/** Converts `getUsage` to `Get usage`. */
const toSentence = (name: string) => capitalize(splitWords(name).join(' '));
const toPascalCase = (name: string) => splitWords(name).map(capitalize).join('');
const toCamelCase = (name: string) => {
	const [first = '', ...others] = splitWords(name);
	return first + others.map(capitalize).join('');
};

/** Words that cannot be constant names. Operations with these names get longer constant names. */
const reservedWords = ['continue', 'delete', 'export', 'import', 'new', 'return', 'switch', 'void'];

interface OperationPlan {
	node: string;
	resource: Pick<Resource, 'name' | 'value'>;
	hasResources: boolean;
	name: string;
	request: string;
}

const getParameters = (request: string) =>
	[...request.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function renderOperation({ resource, name, request }: OperationPlan, constant: string): string {
	const fields = getParameters(request).map(
		(parameter) => `{
			displayName: '${toTitle(parameter).replace(/\bId\b/, 'ID')}',
			name: '${parameter}',
			type: 'string',
			default: '',
			required: true,
			description: 'TODO: the ID of what',
		}`,
	);
	const uncertain = request.startsWith('POST ')
		? "\n	uncertainOutcomeHint: 'TODO: how users find out what was created; or idempotent: true',"
		: '';
	return `import { defineOperation } from '../../core/operation';

export const ${constant} = defineOperation({
	value: '${name}',
	name: '${toTitle(name)}',
	action: '${toSentence(name)} ${resource.name.toLowerCase()}',
	description: 'TODO: what the operation does',
	request: '${request}',
	returns: ['TODO: keys of the item that are named to language models'],${uncertain}
	// TODO: the fields of the request
	fields: [${fields.join(', ')}],
});
`;
}

const listSimulatorFiles = () =>
	readdirSync(join(projectRoot, 'simulator', 'resources'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `simulator/resources/${name}`);

function addToSimulator(files: Files, request: string, sibling: string): void {
	const quote = (line: string) => `'${line}'`;
	const paths = [...files.keys(), ...listSimulatorFiles()].filter((path) =>
		path.startsWith('simulator/resources/'),
	);
	if (paths.some((path) => read(files, path).includes(quote(request)))) return;
	const path = paths.find((one) => read(files, one).includes(quote(sibling)));
	if (path === undefined) throw new Error(`No file of simulator/resources has ${sibling}.`);
	const parameters = getParameters(request);
	const handler =
		parameters.length > 0 ? '({ params }) => respond({ ...params })' : '() => respond({})';
	const text = `
	// TODO: do what the specification says
	route('${request}', ${handler});
`;
	insert(files, path, text, { before: /^\}/m, after: quote(sibling) });
	if (/\brespond\b[^(]*from '.*\/http\/responses'/.test(read(files, path))) return;
	const levels = path.split('/').length - 2;
	insert(files, path, `import { respond } from '${'../'.repeat(levels)}http/responses';\n`, {
		before: /^import /m,
	});
}

const description = relative(projectRoot, apiFile);

/** Adds a request to the API description, next to the other requests of its path or as a new path. */
function describeRequest(files: Files, request: string, sibling: string): void {
	const operations = listOperations(readApi());
	if (operations.some(({ line }) => line === request)) return;
	const [method = '', path = ''] = request.split(' ');
	const [tag = 'TODO'] = operations.find(({ line }) => line === sibling)?.operation.tags ?? [];
	const text = `    ${method.toLowerCase()}:
      # TODO: the scope, parameters, body and response
      tags: [${tag}]
      x-source: TODO
      responses: { '200': { $ref: '#/components/responses/Nothing' } }
`;
	if (operations.some((one) => one.path === path)) {
		const next = { before: /^ {4}(?:get|post|put|patch|delete):/m, after: `\n  ${path}:\n` };
		return insert(files, description, text, next);
	}
	const parameters = getParameters(request).map(
		(name) => `      - { name: ${name}, in: path, required: true, schema: { type: string } }\n`,
	);
	const list = parameters.length > 0 ? `    parameters:\n${parameters.join('')}` : '';
	insert(files, description, `  ${path}:\n${list}${text}`, { before: /^webhooks:/m });
}

function addCase(
	files: Files,
	{ node, resource, hasResources, name, request }: OperationPlan,
): void {
	const line = request.replace(/\{(\w+)\}/g, '$1_1');
	const key = hasResources ? `'${resource.value}.${name}'` : name;
	const text = `	// TODO: a value for each field, and what is sent instead of it
	${key}: { line: '${line}', parameters: {} },
`;
	insert(files, `test/integration/nodes/${node}.test.ts`, text, {
		before: /^\};/m,
		after: 'const cases: Cases = {',
	});
}

/**
 * Adds an operation to the files of its node.
 *
 * @param sibling request line of the same resource. The new operation is added next to it
 */
function addOperation(files: Files, plan: OperationPlan, sibling: string): void {
	const { node, resource, name, request } = plan;
	const constant = reservedWords.includes(name) ? name + toPascalCase(resource.name) : name;
	const folder = `nodes/${node}/operations`;
	create(files, `${folder}/${constant}.ts`, renderOperation(plan, constant));
	const index = `${folder}/index.ts`;
	const importLine = `import { ${constant} } from './${constant}';\n`;
	insert(files, index, importLine, { before: /^\nexport const resources/m });
	const isFirst = /operations: \[\]/.test(read(files, index));
	insert(files, index, `${isFirst ? '' : ', '}${constant}`, {
		before: /,?\s*\]/,
		after: `value: '${resource.value}'`,
	});
	describeRequest(files, request, sibling);
	addToSimulator(files, request, sibling);
	addCase(files, plan);
}

function planOperation(words: readonly string[], values: Map<string, string>): OperationPlan {
	const [node = '', name = ''] = words;
	if (!/^[a-z][a-zA-Z]+$/.test(name)) {
		throw new Error(`"${name}" is no name of an operation, such as getUsage.\n\n${help}`);
	}
	const rows = loadOperations().filter(({ folder }) => folder === node);
	if (rows.length === 0) {
		throw new Error(
			`There is no node with operations called "${node}". There are: ${listNodeFolders().join(', ')}`,
		);
	}
	const resources = [...new Set(rows.map(({ resource }) => resource))];
	const wanted = values.get('--resource') ?? resources[0]?.value;
	const resource = resources.find(({ value }) => value === wanted);
	if (resource === undefined) {
		const known = resources.map(({ value }) => value).join(', ');
		throw new Error(`${node} has no resource "${wanted}". It has: ${known}`);
	}
	if (resource.operations.some(({ value }) => value === name)) {
		throw new Error(`${resource.name} of ${node} already has the operation ${name}.`);
	}
	const [path = ''] = /\/[^{\s]+[^{/\s]/.exec(resource.operations[0]?.request ?? '') ?? [];
	const request = values.get('--request') ?? `GET ${path}/${splitWords(name).join('-')}`;
	if (!/^(?:GET|POST|PUT|PATCH|DELETE) \/v\d+\/\S+$/.test(request)) {
		throw new Error(`"${request}" is no request such as "GET /v3/posters/{poster_id}".`);
	}
	return { node, resource, hasResources: resources.length > 1, name, request };
}

function addNode(files: Files, word: string): void {
	const node = word.startsWith('VideoGen') ? word : `VideoGen${word}`;
	if (!/^VideoGen[A-Z][a-zA-Z]+$/.test(node)) {
		throw new Error(`"${word}" is no name of a node, such as VideoGenPoster.\n\n${help}`);
	}
	if (existsSync(join(nodesFolder, node))) throw new Error(`nodes/${node} already exists.`);
	const name = toTitle(node.slice('VideoGen'.length));
	const value = toCamelCase(name);
	const id = `${splitWords(name).join('_')}_id`;
	const displayName = `VideoGen ${name}`;
	const description = 'TODO: what the node does';
	const plural = `${value}s`;
	const request = `GET /v3/${splitWords(name).join('-')}s/{${id}}`;
	const template = readFileSync(
		join(nodesFolder, 'VideoGenFolder', 'VideoGenFolder.node.ts'),
		'utf8',
	);
	create(
		files,
		`nodes/${node}/${node}.node.ts`,
		template
			.replace(/^(\t\tdescription: ).*$/m, `$1'${description}',`)
			.replaceAll('VideoGenFolder', node)
			.replaceAll('videoGenFolder', `v${node.slice(1)}`)
			.replaceAll('VideoGen Folder', displayName),
	);
	const codex = JSON.parse(
		readFileSync(join(nodesFolder, 'VideoGenFolder', 'VideoGenFolder.node.json'), 'utf8'),
	) as object;
	const { name: packageName } = JSON.parse(read(files, 'package.json')) as { name: string };
	create(
		files,
		`nodes/${node}/${node}.node.json`,
		JSON.stringify({
			...codex,
			node: `${packageName}.v${node.slice(1)}`,
			alias: ['TODO: words that users search for'],
		}),
	);
	create(
		files,
		`nodes/${node}/operations/index.ts`,
		`import type { Resource } from '../../core/operation';

export const resources: readonly Resource[] = [
	{ name: '${name}', value: '${value}', id: '${id}', operations: [] },
];
`,
	);
	create(
		files,
		`test/integration/nodes/${node}.test.ts`,
		`import { resources } from '../../../nodes/${node}/operations';
import { describeOperations, type Cases } from '../support/cases';

const cases: Cases = {
};

describeOperations('${node}', resources, cases);
`,
	);
	const register = `register${capitalize(plural)}`;
	create(
		files,
		`simulator/resources/${plural}.ts`,
		`import { respond } from '../http/responses';
import type { Route } from '../http/route';

export function ${register}(route: Route) {
	// TODO: do what the specification says
	route('${request}', ({ params }) => respond({ ...params }));
}
`,
	);
	const simulator = 'simulator/resources/index.ts';
	insert(files, simulator, `import { ${register} } from './${plural}';\n`, { before: /^\nconst/m });
	insert(files, simulator, `\t${register},\n`, {
		before: '];',
		after: 'const registrations = [\n',
	});
	insert(files, 'tools/icons.ts', `	// TODO: draw its symbol\n	${node}: placeholderSymbol,\n`, {
		before: /^\};/m,
		after: 'const symbols',
	});
	for (const [path, svg] of drawThemes(`nodes/${node}/${node}`, placeholderSymbol)) {
		create(files, path, svg);
	}
	const last = 'VideoGenTrigger';
	insert(files, 'package.json', `"dist/nodes/${node}/${node}.node.js",\n\t\t\t`, {
		before: `"dist/nodes/${last}/`,
	});
	insert(files, 'README.md', `| [${displayName}](docs/nodes/${node}.md) | ${description} |\n`, {
		before: /^\| \[VideoGen Trigger\]/m,
	});
	const resource = { name, value };
	addOperation(files, { node, resource, hasResources: false, name: 'get', request }, request);
}

async function main(): Promise<void> {
	const { values, words } = readOptions(help, { valued: ['--request', '--resource'], words: true });
	const [kind, ...names] = words;
	const files: Files = new Map();
	if (kind === 'node' && names.length === 1) addNode(files, names[0] ?? '');
	else if (kind === 'operation' && names.length === 2) {
		const plan = planOperation(names, values);
		const [sibling] = loadOperations()
			.filter(
				({ folder, resource }) => folder === plan.node && resource.value === plan.resource.value,
			)
			.map(({ operation }) => operation.request);
		addOperation(files, plan, sibling ?? '');
	} else throw new Error(`Name a node, or a node and an operation.\n\n${help}`);

	const ready: Array<[path: string, text: string]> = [];
	for (const [path, text] of files) {
		ready.push([
			path,
			path.endsWith('.svg') ? text : await formatPage(join(projectRoot, path), text),
		]);
	}
	for (const [path, text] of ready) {
		mkdirSync(dirname(join(projectRoot, path)), { recursive: true });
		writeFileSync(join(projectRoot, path), text);
		console.log(`  ${path}`);
	}
	const types = join(projectRoot, 'simulator', 'requestTypes.ts');
	writeFileSync(types, await formatPage(types, await renderRequestTypes()));
	console.log('\nRun npm run generate, and fill in what npm run check lists.');
}

if (require.main === module) main().catch(fail);
