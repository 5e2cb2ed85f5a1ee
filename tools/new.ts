/* Writes the files of a new operation or a new node, to be filled in. */
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
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
  npm run new -- node VideoGenPoster create --request "POST /v3/posters"
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

const isList = (name: string) => name.startsWith('getMany');

/**
 * Finds the constant of a form field for an ID: of the node, or shared by nodes. `undefined` if there is
 * none, or several.
 */
function findField(node: string, name: string): { constant: string; file: string } | undefined {
	const pattern = new RegExp(`^export const (\\w+) = \\{\\n[^{}]*\\bname: '${name}'`, 'gm');
	const own = `nodes/${node}/`;
	const files = globSync([`${own}*.ts`, 'nodes/fields/*.ts'], { cwd: projectRoot });
	const fields = files.flatMap((file) =>
		[...readFileSync(join(projectRoot, file), 'utf8').matchAll(pattern)].map(
			([, constant = '']) => ({ constant, file }),
		),
	);
	const ownFields = fields.filter(({ file }) => file.startsWith(own));
	const [field, ...others] = ownFields.length > 0 ? ownFields : fields;
	return others.length === 0 ? field : undefined;
}

function renderOperation(plan: OperationPlan, constant: string): string {
	const { node, resource, name, request } = plan;
	const imports = [`import { defineOperation } from '../../core/operation';`];
	const fields = getParameters(request).map((parameter) => {
		const known = findField(node, parameter);
		if (known) {
			const from = relative(`nodes/${node}/operations`, known.file).replace(/\.ts$/, '');
			imports.push(`import { ${known.constant} } from '${from}';`);
		}
		const field = known
			? `...${known.constant},`
			: `displayName: '${toTitle(parameter).replace(/\bId\b/, 'ID')}',
			name: '${parameter}',
			type: 'string',
			default: '',`;
		return `{
			${field}
			required: true,
			description: 'TODO: which ${known ? 'one' : 'ID'}',
		}`;
	});
	const lines = isList(name)
		? [
				'// TODO: { pageSize: … }, if the list has pages',
				"list: 'unpaged',",
				"simple: ['TODO: keys that Simplify keeps'],",
			]
		: ["returns: ['TODO: keys of the item that are named to language models'],"];
	if (request.startsWith('POST ')) {
		lines.push(
			'// TODO: or idempotent: true, if it accepts a key; or repeatable: true, if a repeat has no effect',
			"uncertainOutcomeHint: 'TODO: how users find out what was created',",
		);
	}
	return `${imports.join('\n')}

export const ${constant} = defineOperation({
	value: '${name}',
	name: '${toTitle(name)}',
	action: '${toSentence(name)} ${resource.name.toLowerCase()}${isList(name) ? 's' : ''}',
	description: 'TODO: what the operation does',
	request: '${request}',
	${lines.join('\n\t')}
	// TODO: the fields of the request
	fields: [${fields.join(', ')}],
});
`;
}

function renderRoute({ name, request }: Pick<OperationPlan, 'name' | 'request'>): string {
	let handler =
		getParameters(request).length > 0
			? '({ params }) => respond({ ...params })'
			: '() => respond({})';
	if (isList(name)) handler = '() => respondWithList([{}])';
	return `
	// TODO: do what the specification says
	route('${request}', ${handler});
`;
}

const listSimulatorFiles = () =>
	readdirSync(join(projectRoot, 'simulator', 'resources'), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `simulator/resources/${name}`);

function addToSimulator(files: Files, plan: OperationPlan, sibling: string): void {
	const quote = (line: string) => `'${line}'`;
	const paths = [...files.keys(), ...listSimulatorFiles()].filter((path) =>
		path.startsWith('simulator/resources/'),
	);
	if (paths.some((path) => read(files, path).includes(quote(plan.request)))) return;
	const path = paths.find((one) => read(files, one).includes(quote(sibling)));
	if (path === undefined) throw new Error(`No file of simulator/resources has ${sibling}.`);
	insert(files, path, renderRoute(plan), { before: /^\}/m, after: quote(sibling) });
	const name = isList(plan.name) ? 'respondWithList' : 'respond';
	const names = /(?<=^import \{)[^}]*(?=\} from '.*\/http\/responses')/m;
	const [imported] = names.exec(read(files, path)) ?? [];
	if (imported === undefined) {
		const folder = '../'.repeat(path.split('/').length - 2);
		const line = `import { ${name} } from '${folder}http/responses';\n`;
		insert(files, path, line, { before: /^import /m });
	} else if (!new RegExp(`\\b${name}\\b`).test(imported)) {
		insert(files, path, ` ${name},`, { before: names });
	}
}

const description = relative(projectRoot, apiFile);

/** Adds a request to the API description, next to the other requests of its path or as a new path. */
function describeRequest(files: Files, { name, request }: OperationPlan, sibling: string): void {
	const api = readApi();
	const operations = listOperations(api);
	if (operations.some(({ line }) => line === request)) return;
	const [method = '', path = ''] = request.split(' ');
	const [tag = 'TODO'] = operations.find(({ line }) => line === sibling)?.operation.tags ?? [];
	const response = isList(name)
		? `description: The result
          content:
            application/json:
              schema: { type: object, required: [data], properties: { data: { type: array } } }`
		: "$ref: '#/components/responses/Nothing'";
	const text = `    ${method.toLowerCase()}:
      # TODO: the scope, parameters, body and response
      tags: [${tag}]
      x-source: TODO # S if the specification has it, else B. A limit or value without its own counts as B
      responses:
        '200':
          ${response}
`;
	if (operations.some((one) => one.path === path)) {
		const next = { before: /^ {4}(?:get|post|put|patch|delete):/m, after: `\n  ${path}:\n` };
		return insert(files, description, text, next);
	}
	const parameters = getParameters(request).map((parameter) =>
		parameter in api.components.parameters
			? `      - { $ref: '#/components/parameters/${parameter}' }\n`
			: `      - { name: ${parameter}, in: path, required: true, schema: { type: string } }\n`,
	);
	const list = parameters.length > 0 ? `    parameters:\n${parameters.join('')}` : '';
	const neighbor = operations.findLast(
		(one) => path.startsWith(`${one.path}/`) || one.line === sibling,
	);
	insert(files, description, `  ${path}:\n${list}${text}`, {
		before: neighbor ? /^(?: {2}\/|webhooks:)/m : /^webhooks:/m,
		after: neighbor ? `\n  ${neighbor.path}:\n` : '',
	});
}

function addCase(
	files: Files,
	{ node, resource, hasResources, name, request }: OperationPlan,
): void {
	const path = `test/integration/nodes/${node}.test.ts`;
	const line = getParameters(request).reduce((start, parameter) => {
		const [before = ''] = start.split(`{${parameter}}`);
		// An ID that another case uses exists in the simulator.
		const known = new RegExp(`${before.replace(/^\w+ /, '')}(\\w+_\\d\\w*)`).exec(
			read(files, path),
		);
		return start.replace(`{${parameter}}`, known?.[1] ?? `${parameter}_1`);
	}, request);
	const key = hasResources ? `'${resource.value}.${name}'` : name;
	const text = `	// TODO: a value for each field, and what is sent instead of it
	${key}: { line: '${line}', parameters: {} },
`;
	insert(files, path, text, {
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
	if (!/^[a-z][a-zA-Z]+$/.test(name)) {
		throw new Error(`"${name}" is no name of an operation, such as getUsage.\n\n${help}`);
	}
	if (!/^(?:GET|POST|PUT|PATCH|DELETE) \/v\d+\/\S+$/.test(request)) {
		throw new Error(`"${request}" is no request such as "GET /v3/posters/{poster_id}".`);
	}
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
	describeRequest(files, plan, sibling);
	addToSimulator(files, plan, sibling);
	addCase(files, plan);
}

function planOperation(words: readonly string[], values: Map<string, string>): OperationPlan {
	const [node = '', name = ''] = words;
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
	return { node, resource, hasResources: resources.length > 1, name, request };
}

function addNode(files: Files, [word = '', first = 'get']: readonly string[], line?: string): void {
	const node = word.startsWith('VideoGen') ? word : `VideoGen${word}`;
	if (!/^VideoGen[A-Z][a-zA-Z]+$/.test(node)) {
		throw new Error(`"${word}" is no name of a node, such as VideoGenPoster.\n\n${help}`);
	}
	if (existsSync(join(nodesFolder, node))) throw new Error(`nodes/${node} already exists.`);
	const type = node.slice('VideoGen'.length);
	const name = toTitle(type);
	const value = toCamelCase(name);
	const id = `${splitWords(name).join('_')}_id`;
	const displayName = `VideoGen ${name}`;
	const description = 'TODO: what the node does';
	const plural = `${value}s`;
	const request = line ?? `GET /v3/${splitWords(name).join('-')}s/{${id}}`;
	const resource = { name, value };
	const plan = { node, resource, hasResources: false, name: first, request };
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
		`import { ${isList(first) ? 'respondWithList' : 'respond'} } from '../http/responses';
import type { Route } from '../http/route';

// TODO: with a second parameter, \`service: Service\`, the rows are in service.state.${plural}
export function ${register}(route: Route) {
	${renderRoute(plan).trim()}
}
`,
	);
	const rows = 'simulator/rows.ts';
	insert(
		files,
		rows,
		`export interface ${type} extends Row {\n	// TODO: what the service stores\n	created: number;\n}\n\n`,
		{
			before: 'export type Table<',
		},
	);
	insert(files, rows, `	${plural}: createTable<${type}>(),\n`, {
		before: /^\}\);/m,
		after: 'export const createTables',
	});
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
	addOperation(files, plan, request);
}

async function main(): Promise<void> {
	const { values, words } = readOptions(help, { valued: ['--request', '--resource'], words: true });
	const [kind, ...names] = words;
	const files: Files = new Map();
	if (kind === 'node' && (names.length === 1 || names.length === 2)) {
		addNode(files, names, values.get('--request'));
	} else if (kind === 'operation' && names.length === 2) {
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
