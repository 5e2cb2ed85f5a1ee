/**
 * Renders docs/contributing/api-coverage.md, which lists the endpoints of simulator/openapi.yaml with the
 * operations and other code that call them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { listOperations, readApi, type Operation } from '../simulator/api';
import { listNodeFolders, nodesFolder } from './nodeFolders';
import { isEndpoint, loadNode, loadOperations } from './nodes';
import { generatedNote, renderTable } from './pages';
import { getOperationTitle } from './retries';

/** Code that calls an endpoint. */
interface Caller {
	name: string;
	/**
	 * `request`: the endpoint is the operation's own request. `code`: a node or an operation also calls
	 * it. `help`: lists and waiting call it, which only support other operations.
	 */
	by: 'request' | 'code' | 'help';
}

/** Callers of each request line. The key is the line without the names of its placeholders. */
type Calls = Map<string, { line: string; callers: Caller[] }>;

const load = createRequire(__filename);

const removePlaceholders = (line: string) => line.replace(/\{\w+\}/g, '{}');

/** Returns the request lines in a source file: string literals such as `'GET /v3/videos'`. */
function findRequestLines(file: string): string[] {
	// A look-up of a limit or of values is no call.
	const quoted =
		/(?<!api(?:Limits|Values)\[)(['"`])((?:GET|POST|PUT|PATCH|DELETE) \/v\d+\/[^'"`\s$]+)\1/g;
	return [...readFileSync(file, 'utf8').matchAll(quoted)]
		.map((match) => match[2] ?? '')
		.filter(isEndpoint);
}

const listSources = (folder: string): string[] =>
	readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
		.map((name) => join(folder, name))
		.sort();

/** Reports each call of a node to `note`. Returns the files of operations that the node does not list. */
function readNode(folder: string, note: (line: string, caller: Caller) => void): string[] {
	const node = loadNode(folder).description.displayName;
	const rows = loadOperations().filter((row) => row.folder === folder);
	const hasResources = new Set(rows.map(({ resource }) => resource)).size > 1;
	const operations = rows.map(({ operation, resource }) => ({
		operation,
		name: `${node}: ${getOperationTitle(operation, hasResources ? resource : undefined)}`,
	}));
	for (const { operation, name } of operations) {
		if (isEndpoint(operation.request)) note(operation.request, { name, by: 'request' });
	}
	return listSources(join(nodesFolder, folder)).filter((file) => {
		const isOperation = basename(dirname(file)) === 'operations' && basename(file) !== 'index.ts';
		const exported = isOperation ? Object.values(load(file) as Record<string, unknown>) : [];
		const own = operations.filter(({ operation }) => exported.includes(operation));
		const names = own.length > 0 ? own.map(({ name }) => name) : [node];
		for (const line of findRequestLines(file)) {
			for (const name of names) note(line, { name, by: 'code' });
		}
		return isOperation && own.length === 0;
	});
}

/** Returns what the coverage page names as the caller for a shared source file. */
function getSharedCaller(file: string): Caller {
	const [room, name] = relative(nodesFolder, file).split(sep);
	if (room === 'jobKinds') return { name: 'waiting', by: 'help' };
	// Both upload files from items.
	if (room === 'core' || name === 'upload.ts') return { name: 'every file field', by: 'code' };
	if (name === 'events.ts') return { name: 'the triggers', by: 'help' };
	return { name: 'editor lists', by: 'help' };
}

function readCalls(): { calls: Calls; unlisted: string[] } {
	const calls: Calls = new Map();
	const note = (line: string, caller: Caller) => {
		const key = removePlaceholders(line);
		const entry = calls.get(key) ?? { line, callers: [] };
		calls.set(key, entry);
		if (!entry.callers.some(({ name }) => name === caller.name)) entry.callers.push(caller);
	};
	const unlisted = listNodeFolders().flatMap((folder) => readNode(folder, note));
	const shared = ['core', 'fields', 'jobKinds', 'shared'].map((name) => join(nodesFolder, name));
	for (const file of shared.filter(existsSync).flatMap(listSources)) {
		for (const line of findRequestLines(file)) note(line, getSharedCaller(file));
	}
	return { calls, unlisted };
}

/** Splits the callers of a request line: the operations or other code that it serves, and all others. */
function splitCallers(line: string, calls: Calls): { serving: Caller[]; others: Caller[] } {
	const callers = calls.get(removePlaceholders(line))?.callers ?? [];
	// Shared code of a node is omitted if the operations that use it are listed.
	const listed = callers.filter(
		(caller) => !callers.some(({ name }) => name.startsWith(`${caller.name}: `)),
	);
	const own = listed.filter(({ by }) => by === 'request');
	const serving = own.length > 0 ? own : listed.filter(({ by }) => by === 'code');
	return { serving, others: listed.filter((one) => !serving.includes(one)) };
}

const renderNames = (callers: readonly Caller[]) =>
	callers
		.map(({ name }) => name)
		.sort((a, b) => a.localeCompare(b))
		.join('<br>');

const api = readApi();
const endpoints = listOperations(api);

function renderCoveragePage(calls: Calls): string {
	const count = (source: Operation['x-source']) => {
		const own = endpoints.filter(({ operation }) => operation['x-source'] === source);
		const served = own.filter(({ line }) => splitCallers(line, calls).serving.length > 0);
		return served.length === own.length
			? `all ${own.length}`
			: `${served.length} of the ${own.length}`;
	};
	const listRows = (tag: string) =>
		endpoints
			.filter(({ operation }) => operation.tags.includes(tag))
			.map(({ line, operation }) => {
				const { serving, others } = splitCallers(line, calls);
				return [
					`\`${line}\``,
					operation['x-source'] === 'S' ? 'yes' : '',
					renderNames(serving) || `_None._ ${operation['x-not-supported'] ?? ''}`.trim(),
					renderNames(others),
				];
			});
	return [
		'# API coverage',
		`The nodes support ${count('S')} endpoints in the specification, and ${count('B')} known from other sources.`,
		[
			'- **Specification**: whether the specification contains an endpoint with this path or purpose.',
			'- **Served by**: the operations that send this request (node, resource if the node has several, and operation), or the code that sends it if no operation does.',
			'- **Also used by**: operations and triggers that send this request in addition to their main request. _Editor lists_: requests that fill dropdowns and the lists under From List. _Waiting_: requests that poll a job until it ends. _Every file field_: requests that upload files from input items.',
		].join('\n'),
		...api.tags.flatMap(({ name }) => [
			`## ${name}`,
			renderTable(['Request', 'Specification', 'Served by', 'Also used by'], listRows(name)),
		]),
		'## Known by name only',
		api['x-known-by-name'].map((one) => `- ${one.name}: ${one.why_not}`).join('\n'),
		generatedNote,
		'',
	].join('\n\n');
}

/** Returns the page before formatting, and the tasks left until all endpoints are covered. */
export function readCoverage(): { text: string; tasks: string[] } {
	const { calls, unlisted } = readCalls();
	const keys = endpoints.map(({ line }) => removePlaceholders(line));
	const tags = api.tags.map(({ name }) => name);
	const unserved = endpoints.filter(
		({ line, operation }) =>
			operation['x-source'] === 'S' && splitCallers(line, calls).serving.length === 0,
	);
	const unmarked = endpoints.filter(
		({ operation }) =>
			!['S', 'B'].includes(operation['x-source'] ?? '') ||
			!operation.tags.some((tag) => tags.includes(tag)),
	);
	const tasks = [
		...unlisted.map(
			(file) => `Add to ${join(dirname(file), 'index.ts')}: the operation of ${basename(file)}`,
		),
		...unmarked.map(
			({ line }) => `Give a tag and the x-source S or B to ${line} in simulator/openapi.yaml`,
		),
		...unserved.map(({ line }) => `Write an operation that serves ${line}`),
		...[...calls]
			.filter(([key]) => !keys.includes(key))
			.map(
				([, { line, callers }]) =>
					`Describe in simulator/openapi.yaml: ${line} (${renderNames(callers)})`,
			),
	];
	return { text: renderCoveragePage(calls), tasks };
}
