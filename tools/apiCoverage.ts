/*
 * Writes docs/api-coverage.md: every endpoint of docs/endpoints.json and what serves it, found in
 * the nodes themselves.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fail } from './child';
import { projectRoot } from './install';
import { listNodeFolders, nodesFolder } from './nodes';
import { readOptions } from './options';
import { writePage } from './pages';

const help = `Writes docs/api-coverage.md: every endpoint of docs/endpoints.json and what serves it.

  npm run coverage   writes it. Refuses while a node cannot be read, an endpoint of the
                     specification has no operation, or the nodes call one that is not in the list`;

const listFile = join(projectRoot, 'docs', 'endpoints.json');
export const pageFile = join(projectRoot, 'docs', 'api-coverage.md');

interface Endpoint {
	request: string;
	/** `spec`: the specification names it, by its path or by what it does. */
	in: 'spec' | 'beyond';
	/** Shown when nothing serves it. */
	why_not?: string;
}

interface EndpointList {
	sections: Array<{ name: string; endpoints: Endpoint[] }>;
	/** What is known by name, but not well enough to be called. */
	other: Array<{ name: string; why_not: string }>;
}

interface Operation {
	value: string;
	name: string;
	request: string;
}

interface Resource {
	name: string;
	operations: readonly Operation[];
}

/** Something that calls an endpoint. */
interface Caller {
	name: string;
	/**
	 * `request`: an operation that is this request. `code`: a node or an operation that sends it
	 * beside others. `help`: lists and waits, which only help with other operations.
	 */
	by: 'request' | 'code' | 'help';
}

/** Who calls what, by the comparable form of the request line. */
interface Calls {
	byLine: Map<string, { line: string; callers: Caller[] }>;
	/** Nodes that could not be read, each with the reason; operations that no node lists. */
	broken: string[];
}

const load = createRequire(__filename);

/** Names of placeholders may differ. */
const comparable = (line: string) => line.replace(/\{\w+\}/g, '{}');

/** All request lines that stand as whole texts in a source file. */
function linesIn(file: string): string[] {
	const quoted = /(['"`])((?:GET|POST|PUT|PATCH|DELETE) \/v\d+\/[^'"`\s$]+)\1/g;
	return [...readFileSync(file, 'utf8').matchAll(quoted)].map((match) => match[2] ?? '');
}

function sourcesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
		.map((name) => join(folder, name))
		.sort();
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The name that users see. */
function displayName(folder: string): string {
	const file = join(nodesFolder, folder, `${folder}.node.ts`);
	const shown = existsSync(file) && /displayName: '([^']+)'/.exec(readFileSync(file, 'utf8'))?.[1];
	return shown || folder.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').replace('Video Gen', 'VideoGen');
}

/** The operations that the module of one file exports, for the calls that its code makes. */
function exportedBy(file: string, operations: readonly Operation[]): Operation[] {
	const exported = Object.values(load(file) as Record<string, unknown>);
	return operations.filter((operation) => exported.includes(operation));
}

function readNode(
	folder: string,
	note: (line: string, caller: Caller) => void,
	broken: string[],
): void {
	const node = displayName(folder);
	const index = join(nodesFolder, folder, 'operations', 'index.ts');
	const resources = existsSync(index)
		? (load(index) as { resources: readonly Resource[] }).resources
		: [];
	const operations = resources.flatMap((resource) => resource.operations);
	const nameOf = (operation: Operation) => {
		const own = resources.find((resource) => resource.operations.includes(operation));
		return [node, ...(resources.length > 1 && own ? [own.name] : []), operation.name].join(': ');
	};
	for (const operation of operations) {
		note(operation.request, { name: nameOf(operation), by: 'request' });
	}
	for (const file of sourcesIn(join(nodesFolder, folder))) {
		const lines = linesIn(file);
		const isIndex = basename(file) === 'index.ts';
		const own = isIndex ? [] : exportedBy(file, operations);
		if (basename(dirname(file)) === 'operations' && !isIndex && own.length === 0) {
			const place = relative(projectRoot, index).split(sep).join('/');
			broken.push(`Add to ${place}, under its resource: the operation of ${basename(file)}`);
		}
		for (const line of lines) {
			for (const operation of own) note(line, { name: nameOf(operation), by: 'code' });
			if (own.length === 0) note(line, { name: node, by: 'code' });
		}
	}
}

/** What a shared source file is there for. */
function sharedCaller(file: string): Caller {
	const place = relative(nodesFolder, file).split(sep);
	if (place[0] === 'jobs') return { name: 'waiting', by: 'help' };
	// Uploads the files that operations take.
	if (place[0] === 'core' || place[1] === 'upload.ts') {
		return { name: 'every file field', by: 'code' };
	}
	// What both triggers make of an event.
	if (place[1] === 'events.ts') return { name: 'the triggers', by: 'help' };
	return { name: 'lists of the editor', by: 'help' };
}

function readCalls(): Calls {
	const calls: Calls = { byLine: new Map(), broken: [] };
	const note = (line: string, caller: Caller) => {
		const key = comparable(line);
		const entry = calls.byLine.get(key) ?? { line, callers: [] };
		calls.byLine.set(key, entry);
		if (!entry.callers.some(({ name }) => name === caller.name)) entry.callers.push(caller);
	};
	for (const folder of listNodeFolders()) {
		try {
			readNode(folder, note, calls.broken);
		} catch (error) {
			calls.broken.push(`Cannot be read: ${folder}: ${messageOf(error).split('\n')[0]}`);
		}
	}
	const shared = ['core', 'fields', 'jobs', 'shared'].map((name) => join(nodesFolder, name));
	for (const file of shared.flatMap(sourcesIn)) {
		for (const line of linesIn(file)) note(line, sharedCaller(file));
	}
	return calls;
}

/** Operations that are the request, or else whatever sends it; and what uses it besides. */
function serving(callers: readonly Caller[]): { serve: Caller[]; also: Caller[] } {
	// A node's shared code works for its operations, which are named already.
	const named = callers.filter(
		(caller) => !callers.some(({ name }) => name.startsWith(`${caller.name}: `)),
	);
	const own = named.filter(({ by }) => by === 'request');
	const serve = own.length > 0 ? own : named.filter(({ by }) => by === 'code');
	return { serve, also: named.filter((one) => !serve.includes(one)) };
}

const callersOf = ({ request }: Endpoint, calls: Calls): readonly Caller[] =>
	calls.byLine.get(comparable(request))?.callers ?? [];

const names = (callers: readonly Caller[]) =>
	callers
		.map(({ name }) => name)
		.sort((a, b) => a.localeCompare(b))
		.join('<br>');

function page(list: EndpointList, calls: Calls): string {
	const all = list.sections.flatMap(({ endpoints }) => endpoints);
	const count = (where: Endpoint['in']) => {
		const own = all.filter((endpoint) => endpoint.in === where);
		const served = own.filter((endpoint) => serving(callersOf(endpoint, calls)).serve.length > 0);
		return `${served.length} of ${own.length}`;
	};
	const row = (endpoint: Endpoint) => {
		const { serve, also } = serving(callersOf(endpoint, calls));
		const cells = [
			`\`${endpoint.request}\``,
			endpoint.in === 'spec' ? 'yes' : '',
			names(serve) || `_None._ ${endpoint.why_not ?? ''}`.trim(),
			names(also),
		];
		return `| ${cells.join(' | ')} |`;
	};
	return [
		'# What the nodes cover',
		'',
		'Made by `tools/coverage.ts` from `docs/endpoints.json` and the nodes; do not edit it by hand.',
		'',
		`Served: ${count('spec')} endpoints that the specification names, and ${count('beyond')} that are known beyond it.`,
		'',
		'- **Specification**: the specification names the endpoint, by its path or by what it does.',
		'- **Served by**: the operations that are this request, as node, resource where there are several, and operation. Where there is none: what sends it on its way.',
		'- **Also used by**: operations and triggers that send it on their way. _Lists of the editor_ fill From List and dropdowns; _waiting_ looks at a job until it ends; _every file field_ uploads files of items.',
		'',
		...list.sections.flatMap(({ name, endpoints }) => [
			`## ${name}`,
			'',
			'| Request | Specification | Served by | Also used by |',
			'| --- | --- | --- | --- |',
			...endpoints.map(row),
			'',
		]),
		'## Known by name only',
		'',
		...list.other.map((one) => `- ${one.name}: ${one.why_not}`),
		'',
	].join('\n');
}

/** What keeps the coverage from being complete. */
function problems(list: EndpointList, calls: Calls): string[] {
	const all = list.sections.flatMap(({ endpoints }) => endpoints);
	const known = new Set<string>();
	const twice = all.filter(({ request }) => {
		const key = comparable(request);
		return known.has(key) || !known.add(key);
	});
	const bare = all.filter(
		(endpoint) => endpoint.in === 'spec' && serving(callersOf(endpoint, calls)).serve.length === 0,
	);
	const unlisted = [...calls.byLine].filter(([key]) => !known.has(key));
	return [
		...calls.broken,
		...twice.map(
			({ request }) => `Remove from docs/endpoints.json: ${request}, which is there twice`,
		),
		...bare.map(({ request }) => `Write an operation: none serves ${request}`),
		...unlisted.map(
			([, { line, callers }]) =>
				`Add to docs/endpoints.json: ${line} (${callers.map(({ name }) => name).join(', ')})`,
		),
	];
}

/** The page as it should be, but for the widths of its columns; and what is missing. */
export function coverage(): { text: string; missing: string[] } {
	const list = JSON.parse(readFileSync(listFile, 'utf8')) as EndpointList;
	const calls = readCalls();
	return { text: page(list, calls), missing: problems(list, calls) };
}

async function main(): Promise<void> {
	readOptions(help);
	const { text, missing } = coverage();
	if (missing.length > 0) throw new Error(missing.join('\n'));
	await writePage(pageFile, text);
}

if (require.main === module) main().catch(fail);
