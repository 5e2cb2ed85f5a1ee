/*
 * Writes docs/nodes: a page for each node, made of its own description, and of the items that its
 * tests see on n8n's engine; and the pages of other-pages.ts.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { Field, FieldGroup } from '../nodes/core/form/field';
import {
	getFormFields,
	isPaid,
	getOptionFields,
	type Operation,
	type Resource,
} from '../nodes/core/operation';
import { boundsOf } from '../test/integration/support/bounds';
import { fail, runCommand, timedLog as log } from './child';
import { projectRoot } from './install';
import {
	loadNode,
	loadOperations,
	listNodeFolders,
	type ListedOperation,
	readSearchWords,
} from './nodes';
import { readOptions } from './options';
import { errorsPage, examplesPage } from './examples';
import { renderTable, writePage } from './pages';

const help = `Writes docs/nodes: a page for each node, with its operations, fields, limits and items; and
docs/errors.md and docs/examples.md.

  npm run docs   runs each operation once against the simulator (a minute), and writes the pages`;

export const docsFolder = join(projectRoot, 'docs');
export const pagesFolder = join(docsFolder, 'nodes');
const itemsFolder = join(pagesFolder, 'items');

/** An item as the tests keep it (test/integration/support/shown.ts). */
interface Shown {
	json: Record<string, unknown>;
	files?: Record<string, string>;
}

const madeBy = 'Made by `npm run docs` from the node and its tests; do not edit it by hand.';

/** A description of n8n's form, as Markdown. */
const words = (html = '') =>
	html
		.replace(/<a href="([^"]+)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)')
		.replace(/<\/?b>/g, '**')
		.replace(/<code>([^<]*)<\/code>/g, '`$1`')
		.replace(/<\/?[a-z]+\/?>/g, '');

const sentence = (text: string) => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

const number = (one: number) => one.toLocaleString('en');

/** The limits of a field that its description, where it is told, does not spell. */
function limitsOf({ type, schema }: Field, told = ''): string {
	const { kind, min, max, open, address } = boundsOf(schema);
	const isSpelled = max !== undefined && told.replaceAll(',', '').includes(String(max));
	if (isSpelled || type === 'options') return '';
	const unit = { string: ' characters', array: ' entries' }[kind as string] ?? '';
	if (kind === 'number' || unit !== '') {
		const least = min === undefined || (min <= 1 && unit !== '') ? undefined : min;
		const from = open ? `more than ${number(least ?? 0)}` : `${number(least ?? 0)} or more`;
		if (max !== undefined && least !== undefined)
			return `${number(least)} to ${number(max)}${unit}.`;
		if (max !== undefined) return `At most ${number(max)}${unit}.`;
		if (least !== undefined) return sentence(from.replace(/^m/, 'M'));
	}
	return address ? 'A web address.' : '';
}

function choicesOf({ type, options = [] }: Pick<Field, 'type' | 'options'>): string {
	if (!['options', 'multiOptions'].includes(type)) return '';
	const names = (options as ReadonlyArray<{ name: string; value: unknown }>)
		.filter(({ value }) => value !== '')
		.map(({ name }) => name);
	return names.length === 0 ? '' : `Choices: ${names.join(', ')}.`;
}

/** What is inside a collection. */
function innerOf({ type, options = [] }: Field): string {
	if (!['collection', 'fixedCollection'].includes(type)) return '';
	const fields = (options as ReadonlyArray<Field | FieldGroup>).flatMap((one) =>
		'values' in one ? one.values : [one],
	);
	const told = fields.map((field) => {
		const limits = limitsOf(field).replace(/\.$/, '');
		return limits === '' ? field.displayName : `${field.displayName} (${limits.toLowerCase()})`;
	});
	return `Holds: ${[...new Set(told)].join(', ')}.`;
}

/** When a field is shown, by the names that the user sees. */
function conditionOf({ displayOptions }: Field, beside: readonly Field[]): string {
	const conditions = Object.entries(displayOptions?.show ?? {}).flatMap(([name, values]) => {
		const other = beside.find((one) => one.name === name);
		if (!other || !Array.isArray(values)) return [];
		const choices = (other.options ?? []) as ReadonlyArray<{ name: string; value: unknown }>;
		const named = values.map((value) => {
			if (value === true) return 'on';
			if (value === false) return 'off';
			return choices.find((choice) => choice.value === value)?.name ?? String(value);
		});
		return [`${other.displayName} is ${named.join(' or ')}`];
	});
	return conditions.length === 0 ? '' : `Where ${conditions.join(' and ')}:`;
}

const isForTools = ({ displayOptions }: Field) => displayOptions?.show?.['@tool'] !== undefined;
const isTold = ({ type }: Field) => !['notice', 'hidden', 'callout'].includes(type);

function fieldRow(field: Field, beside: readonly Field[]): [name: string, text: string] {
	const told = [
		conditionOf(field, beside),
		sentence(words(field.description)),
		choicesOf(field),
		innerOf(field),
		limitsOf(field, field.description),
	];
	return [
		field.required ? `**${field.displayName}**` : field.displayName,
		told.filter(Boolean).join(' '),
	];
}

function fieldTable(head: string, fields: readonly Field[], beside = fields): string {
	const rows = fields
		.filter((field) => isTold(field) && !isForTools(field))
		.map((field) => fieldRow(field, beside));
	return rows.length === 0 ? '' : renderTable([head, 'What it is'], rows);
}

/** Options of an operation; those that the page has told already are only named. */
function optionText(operation: Operation, told: Set<string>): string[] {
	const beside = getFormFields(operation);
	const options = (operation.options ?? []).map((field) => ({
		field,
		text: fieldRow(field, beside).join(': '),
	}));
	const known = options.filter(({ text }) => told.has(text));
	const anew = options.filter(({ text }) => !told.has(text));
	for (const { text } of anew) told.add(text);
	const names = known.map(({ field }) => field.displayName).join(', ');
	return [
		fieldTable(
			'Option',
			anew.map(({ field }) => field),
			beside,
		),
		names === '' ? '' : `Options as above: ${names}.`,
	];
}

/** How the end of a job is told, as a cell of a table. */
const toldBy = { event: 'an event', callback: 'its Callback URL', nothing: 'nothing: read it' };

function waitingOf({ starts, durationHint: takes }: Operation): string {
	if (starts === undefined) return 'at once';
	const job = typeof starts === 'object' ? starts : undefined;
	const told = `Its end is told by ${toldBy[job?.notifiedBy ?? 'event']}.`;
	return [takes ?? job?.durationHint ?? '', told].filter(Boolean).join(' ');
}

const freeOf = 'A dash: as far as the service tells, it costs nothing.';

function costOf(operation: Operation): string {
	if (!isPaid(operation)) return '—';
	return operation.price ?? 'credit of the account';
}

const block = (json: unknown) => ['```json', JSON.stringify(json, null, '\t'), '```'].join('\n');

const shapeOf = (json: unknown): string =>
	json !== null && typeof json === 'object'
		? `{${Object.entries(json)
				.map(([key, value]) => key + shapeOf(value))
				.sort()
				.join()}}`
		: '';

/** The items of a node by the operation, as its tests keep them. */
function itemsOf(folder: string): Record<string, Shown> {
	const file = join(itemsFolder, `${folder}.json`);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Shown>) : {};
}

/** What comes out; an item with the same fields as an earlier one is not shown again. */
function itemText({ json, files }: Shown, shown: Map<string, string>, name: string): string {
	const carried = Object.entries(files ?? {}).map(
		([field, file]) => `In the example the binary field \`${field}\` carries a file (${file}).`,
	);
	const shape = shapeOf(json);
	const same = shown.get(shape);
	if (same !== undefined)
		return [`The item has the fields of that of ${same}.`, ...carried].join(' ');
	if (Object.keys(json).length === 0) return carried.join(' ');
	shown.set(shape, name);
	return [
		...carried,
		'<details>',
		'<summary>An item that comes out</summary>',
		block(json),
		'</details>',
	].join('\n\n');
}

function operationText(
	{ resource, operation }: ListedOperation,
	item: Shown | undefined,
	{ shown, told }: { shown: Map<string, string>; told: Set<string> },
	title: string,
): string[] {
	const own = [...(operation.fields ?? []), ...(operation.options ?? [])];
	const inherited = [...getFormFields(operation), ...getOptionFields(operation)]
		.filter((field) => !own.includes(field) && !isForTools(field))
		.map(({ name, displayName }) => {
			const files = name === 'download' ? (operation.files ?? []) : [];
			const offered = files.map((file) => file.name).join(', ');
			return offered === '' ? displayName : `${displayName} (${offered})`;
		});
	const beside = getFormFields(operation);
	const fields = fieldTable('Field', operation.fields ?? [], beside);
	const id = operation.itemId === undefined ? resource.id : operation.itemId;
	return [
		`### ${title}`,
		`${sentence(words(operation.description))} (\`${operation.request}\`)`,
		fields,
		...optionText(operation, told),
		inherited.length === 0
			? ''
			: `Also, [as everywhere](README.md#what-many-operations-have): ${inherited.join(', ')}.`,
		...(item === undefined ? [] : [itemText(item, shown, title)]),
		id === undefined || id === null || item !== undefined ? '' : `Each item has \`${id}\`.`,
	].filter(Boolean);
}

/** The page of a node whose operations are rows. */
function pageOfRows(folder: string, rows: readonly ListedOperation[]): string[] {
	const items = itemsOf(folder);
	const several = new Set(rows.map(({ resource }) => resource)).size > 1;
	const titleOf = ({ resource, operation }: ListedOperation) =>
		several ? `${resource.name}: ${operation.name}` : operation.name;
	const kept = ({ resource, operation }: ListedOperation) =>
		items[several ? `${resource.value}.${operation.value}` : operation.value];
	const before = { shown: new Map<string, string>(), told: new Set<string>() };
	return [
		'## Operations',
		renderTable(
			['Operation', 'What it does', 'Costs', 'Takes'],
			rows.map((row) => [
				titleOf(row),
				words(row.operation.description),
				costOf(row.operation),
				waitingOf(row.operation),
			]),
		),
		...(rows.every(({ operation }) => isPaid(operation)) ? [] : [freeOf]),
		'## Fields and items',
		'A name in bold is required. Limits are those of the service; a value beyond them is refused before anything is sent.',
		...rows.flatMap((row) => operationText(row, kept(row), before, titleOf(row))),
	];
}

/** The page of a node that has a form, and no operations. */
function pageOfForm(folder: string, { properties }: INodeTypeDescription): string[] {
	const fields = properties as unknown as Field[];
	const own = fields.filter(({ name, type }) => name !== 'authentication' && type !== 'collection');
	const options = fields
		.filter(({ type }) => type === 'collection')
		.flatMap(({ options: inner = [] }) => inner as readonly Field[]);
	const notices = fields
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => words(displayName));
	return [
		...notices,
		'## Fields',
		fieldTable('Field', own),
		fieldTable('Option', options, own),
		...Object.values(itemsOf(folder)).flatMap(({ json }) => ['## What comes out', block(json)]),
	];
}

/** The page of a node, but for the widths of its columns. */
export function pageOf(folder: string): string {
	const { description } = loadNode(folder);
	const rows = loadOperations().filter((row) => row.folder === folder);
	const isTrigger = description.group.includes('trigger');
	return [
		`# ${description.displayName}`,
		sentence(words(description.description)),
		`n8n's search finds it by its name, and by: ${readSearchWords(folder).join(', ')}.`,
		...(rows.length > 0 ? pageOfRows(folder, rows) : pageOfForm(folder, description)),
		'## More',
		[
			`- [All nodes](README.md), [what stands in many of them](README.md#what-many-operations-have)`,
			...(isTrigger ? ['- [Events and the trigger](../../README.md#trigger)'] : []),
			...(rows.some(({ operation }) => isPaid(operation))
				? [
						'- [What is promised about money](../money.md)',
						'- [Ways to wait](../../README.md#which-way-to-wait)',
					]
				: []),
		].join('\n'),
		madeBy,
		'',
	].join('\n\n');
}

/** Fields that operations have from what they are, each once. */
function inheritedTable(): string {
	const all = loadOperations().flatMap(({ operation }) =>
		[...getFormFields(operation), ...getOptionFields(operation)].filter(
			(field) => !operation.fields?.includes(field) && !operation.options?.includes(field),
		),
	);
	const usual = all.filter(({ name }) => name !== 'download');
	const once = [
		...new Map(usual.reverse().map((field) => [field.displayName, field])).values(),
	].reverse();
	const download = 'Files that the finished item shall carry, each in a binary field.';
	return [
		fieldTable('Field or option', once, []),
		renderTable(['', ''], [['Download', download]])
			.split('\n')
			.at(-1),
	].join('\n');
}

/** The operations by name; with those of their resources, where there are several. */
const operationsOf = (resources: readonly Resource[]) =>
	resources
		.map(({ name, operations }) => {
			const names = operations.map((operation) => operation.name).join(', ');
			return resources.length > 1 ? `_${name}:_ ${names}` : names;
		})
		.join('. ');

/** docs/nodes/README.md, but for the widths of its columns. */
export function indexPage(): string {
	const rows = loadOperations();
	return [
		'# The nodes',
		'A page for each: its operations, fields with limits, what comes out, cost and waiting.',
		renderTable(
			['Node', 'Operations'],
			listNodeFolders().map((folder) => {
				const own = rows.filter((row) => row.folder === folder);
				const { displayName, description } = loadNode(folder).description;
				const resources = [...new Set(own.map(({ resource }) => resource))];
				const told = own.length > 0 ? operationsOf(resources) : words(description);
				return [`[${displayName}](${folder}.md)`, told];
			}),
		),
		'## What many operations have',
		'Lists have **Return All**, **Limit** and **Simplify**; creates that start a job have what waits and what guards the money.',
		inheritedTable(),
		'What an account is charged is the matter of the service; [money.md](../money.md) says what the nodes promise.',
		madeBy,
		'',
	].join('\n\n');
}

/** All pages by their place in docs/. */
export const pages = (): Map<string, string> =>
	new Map([
		['errors.md', errorsPage()],
		['examples.md', examplesPage()],
		['nodes/README.md', indexPage()],
		...listNodeFolders().map((folder): [string, string] => [`nodes/${folder}.md`, pageOf(folder)]),
	]);

/** Lets the tests of the nodes keep the items that they see. */
async function keepItems(): Promise<void> {
	rmSync(itemsFolder, { recursive: true, force: true });
	mkdirSync(itemsFolder, { recursive: true });
	await runCommand('jest', ['test/integration', '-t', 'gives out what its page shows'], {
		cwd: projectRoot,
		label: 'Running each operation against the simulator',
		log,
		env: { KEEP_ITEMS: '1' },
	});
	for (const name of readdirSync(itemsFolder)) {
		const file = join(itemsFolder, name);
		await writePage(file, readFileSync(file, 'utf8'));
	}
}

async function main(): Promise<void> {
	readOptions(help);
	log('Running each operation against the simulator (about a minute) …');
	await keepItems();
	const made = pages();
	for (const name of readdirSync(pagesFolder)) {
		if (name.endsWith('.md') && !made.has(`nodes/${name}`)) rmSync(join(pagesFolder, name));
	}
	for (const [name, text] of made) await writePage(join(docsFolder, name), text);
}

if (require.main === module) main().catch(fail);
