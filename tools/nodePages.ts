/**
 * Renders docs/nodes: a page for each node, and the list of all nodes. A page is generated from the
 * node's description and from the items that its tests receive on n8n's engine.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { Field, FixedCollectionGroup } from '../nodes/core/form/field';
import type { Operation, Resource } from '../nodes/core/operation';
import {
	getNonOptionFields,
	getOptionFields,
	getResultFileTypes,
	isPaid,
} from '../nodes/core/operationTraits';
import { readBounds } from '../test/integration/support/bounds';
import { loadExamples, readSummary } from './examples';
import { docsFolder, listNodeFolders, nodePagesFolder } from './nodeFolders';
import {
	isEndpoint,
	loadNode,
	loadOperations,
	type ListedOperation,
	readSearchWords,
} from './nodes';
import { generatedNote, renderTable } from './pages';
import { getOperationTitle, renderRetryChapter, renderRetryRule } from './retries';

/** Folder with a file of example items for each node. */
export const itemsFolder = join(nodePagesFolder, 'items');

export const getFormPicture = (folder: string) => `form-${folder}`;

/** An item as the tests store it (test/integration/support/shown.ts). */
interface ExampleItem {
	json: Record<string, unknown>;
	files?: Record<string, string>;
}

/** Converts a description in n8n's form from HTML to Markdown. */
const toMarkdown = (html = '') =>
	html
		.replace(/<a href="([^"]+)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)')
		.replace(/<\/?b>/g, '**')
		.replace(/<code>([^<]*)<\/code>/g, '`$1`')
		.replace(/<\/?[a-z]+\/?>/g, '');

const endSentence = (text: string) => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

const formatNumber = (one: number) => one.toLocaleString('en');

/** Describes the limits of a field, unless its description contains them. */
function describeLimits({ type, schema, unset }: Field, description = ''): string {
	const { kind, min, max, isExclusive: open, isUrl: address } = readBounds(schema);
	const isSpelled = max !== undefined && description.replaceAll(',', '').includes(String(max));
	// If a number means "not set", the description must contain the limits of the other numbers.
	const isNamed = unset !== undefined && description !== '';
	if (isSpelled || isNamed || type === 'options') return '';
	const unit = { string: ' characters', array: ' entries' }[kind as string] ?? '';
	if (kind === 'number' || unit !== '') {
		const least = min === undefined || (min <= 1 && unit !== '') ? undefined : min;
		const from = open
			? `more than ${formatNumber(least ?? 0)}`
			: `${formatNumber(least ?? 0)} or more`;
		if (max !== undefined && least !== undefined)
			return `${formatNumber(least)} to ${formatNumber(max)}${unit}.`;
		if (max !== undefined) return `At most ${formatNumber(max)}${unit}.`;
		if (least !== undefined && !description.includes(from))
			return endSentence(from.replace(/^m/, 'M'));
	}
	return address ? 'A URL.' : '';
}

type Choice = { name: string; value: unknown };

const listChoices = ({ type, options = [] }: Field) =>
	['options', 'multiOptions'].includes(type) ? (options as readonly Choice[]) : [];

/** Returns a dropdown's values in the specification's order. n8n's rules sort them in the form. */
function readEnumValues(schema: Field['schema']): readonly unknown[] {
	const def = schema?._def as {
		innerType?: Field['schema'];
		type?: Field['schema'];
		values?: unknown;
	};
	if (Array.isArray(def?.values)) return def.values;
	const inner = def?.innerType ?? (typeof def?.type === 'object' ? def.type : undefined);
	return inner === undefined ? [] : readEnumValues(inner);
}

function describeChoices(field: Field): string {
	const choices = listChoices(field).filter(({ value }) => value !== '');
	const order = readEnumValues(field.schema);
	const isOrdered = choices.every(({ value }) => order.includes(value));
	const names = (
		isOrdered
			? choices.toSorted((one, other) => order.indexOf(one.value) - order.indexOf(other.value))
			: choices
	).map(({ name }) => name);
	return names.length === 0 ? '' : `Choices: ${names.join(', ')}.`;
}

function describeInnerFields({ type, options = [] }: Field): string {
	if (!['collection', 'fixedCollection'].includes(type)) return '';
	const fields = (options as ReadonlyArray<Field | FixedCollectionGroup>).flatMap((one) =>
		'values' in one ? one.values : [one],
	);
	const names = fields.map((field) => {
		const limits = describeLimits(field).replace(/\.$/, '');
		return limits === '' ? field.displayName : `${field.displayName} (${limits.toLowerCase()})`;
	});
	return `Contains: ${[...new Set(names)].join(', ')}.`;
}

/** Describes when n8n shows a field, using the names that the user sees. */
function describeCondition({ displayOptions }: Field, siblings: readonly Field[]): string {
	const conditions = Object.entries(displayOptions?.show ?? {}).flatMap(([name, values]) => {
		// The condition of an option is a path that begins with a slash.
		const other = siblings.find((one) => one.name === name.replace(/^\//, ''));
		if (!other || !Array.isArray(values)) return [];
		const choices = (other.options ?? []) as ReadonlyArray<{ name: string; value: unknown }>;
		const named = values.map((value) => {
			if (value === true) return 'on';
			if (value === false) return 'off';
			return choices.find((choice) => choice.value === value)?.name ?? String(value);
		});
		return [`${other.displayName.replace(/ Is$/, '')} is ${named.join(' or ')}`];
	});
	return conditions.length === 0 ? '' : `If ${conditions.join(' and ')}:`;
}

/** What applies if an option is not added, for options whose default value differs from that. */
const withoutOption: Readonly<Record<string, string>> = { checkOnly: 'Off' };

/** Describes what applies if the user leaves a field unchanged or does not add an option. */
function describeDefault(field: Field, isOption: boolean): string {
	const { required, unset, name, type } = field;
	if (required) return 'Required';
	const stored = field.default as unknown;
	const value =
		type === 'resourceLocator' && stored !== null && typeof stored === 'object'
			? (stored as { value?: unknown }).value
			: stored;
	const isLocal = field.in === 'local';
	if (isOption && !isLocal) return 'Not sent';
	if (isOption && withoutOption[name] !== undefined) return withoutOption[name];
	if (type === 'boolean') return value === true && !isOption ? 'On' : 'Off';
	if (unset !== undefined) return isLocal ? `${unset}` : 'Not sent';
	const findChoice = (one: unknown) => listChoices(field).find((choice) => choice.value === one);
	const choice = findChoice(value);
	if (choice !== undefined) return choice.name;
	if (typeof value === 'number') return formatNumber(value);
	if (Array.isArray(value) && value.length > 0)
		return value.map((one) => findChoice(one)?.name ?? `\`${one}\``).join(', ');
	if (typeof value === 'string' && !['', '{}', '[]'].includes(value)) return `\`${value}\``;
	return isLocal ? '—' : 'Not sent';
}

const isForTools = ({ displayOptions }: Field) => displayOptions?.show?.['@tool'] !== undefined;
const isDocumented = ({ type }: Field) => !['notice', 'hidden', 'callout'].includes(type);

function renderFieldRow(field: Field, siblings: readonly Field[], isOption: boolean): FieldRow {
	const texts = [
		describeCondition(field, siblings),
		endSentence(toMarkdown(field.description)),
		describeChoices(field),
		describeInnerFields(field),
		describeLimits(field, field.description),
	];
	return [
		field.required ? `**${field.displayName}**` : field.displayName,
		describeDefault(field, isOption),
		texts.filter(Boolean).join(' '),
	];
}

/** Returns a link to a chapter of the page about all nodes. */
const linkChapter = (title: string) =>
	`[${title}](README.md#${title.toLowerCase().replaceAll(' ', '-')})`;

/** Row of a field table. Has a column for what applies without a value, so that no row omits it. */
type FieldRow = readonly [name: string, withoutValue: string, text: string];

const columns = ['If left out', 'Description'];

export const listFieldRows = (
	fields: readonly Field[],
	siblings = fields,
	isOption = false,
): FieldRow[] =>
	fields
		.filter((field) => isDocumented(field) && !isForTools(field))
		.map((field) => renderFieldRow(field, siblings, isOption));

/** Fields on more pages than this are described on the page about all nodes. */
const mostPagesWithSameField = 2;

interface SharedRow {
	row: FieldRow;
	/** Chapter of the page about all nodes that describes the field. */
	chapter: string;
}

const sharedChapter = 'Shared fields';

/** Returns the rows that several nodes have, keyed by their text. */
function findSharedRows(): Map<string, SharedRow> {
	const found = new Map<string, { row: FieldRow; folders: Set<string> }>();
	for (const { folder, operation } of loadOperations()) {
		const siblings = getNonOptionFields(operation);
		for (const row of [
			...listFieldRows(operation.fields ?? [], siblings),
			...listFieldRows(operation.options ?? [], siblings, true),
		]) {
			const key = row.join(': ');
			const entry = found.get(key) ?? { row, folders: new Set() };
			found.set(key, entry);
			entry.folders.add(folder);
		}
	}
	const common = new Map(
		groupCommonFields().flatMap(({ title, fields }) =>
			listCommonRows(fields).map((row) => [row.join(': '), title] as const),
		),
	);
	return new Map(
		[...found]
			.filter(([, { folders }]) => folders.size > mostPagesWithSameField)
			.map(([key, { row }]) => [key, { row, chapter: common.get(key) ?? sharedChapter }]),
	);
}

function renderFieldTable(
	head: string,
	fields: readonly Field[],
	siblings = fields,
	shared: ReadonlyMap<string, SharedRow> = new Map(),
): string {
	const rows = listFieldRows(fields, siblings, head === 'Option').map((row): FieldRow => {
		const chapter = shared.get(row.join(': '))?.chapter;
		return chapter === undefined ? row : [row[0], row[1], `See ${linkChapter(chapter)}.`];
	});
	return rows.length === 0 ? '' : renderTable([head, ...columns], rows);
}

/** Renders the options of an operation. Options that the page has already described are only named. */
function renderOptions(operation: Operation, { options: described, fields }: Shown): string[] {
	const siblings = getNonOptionFields(operation);
	const options = (operation.options ?? []).map((field) => ({
		field,
		text: renderFieldRow(field, siblings, true).join(': '),
	}));
	const known = options.filter(({ text }) => described.has(text));
	const fresh = options.filter(({ text }) => !described.has(text));
	for (const { text } of fresh) described.add(text);
	const freshFields = fresh.map(({ field }) => field);
	const names = known.map(({ field }) => field.displayName).join(', ');
	return [
		renderFieldTable('Option', freshFields, siblings, fields),
		names === '' ? '' : `Options described above: ${names}.`,
	];
}

/** How the service reports the end of a job. */
const endNotices = {
	event: 'The service sends an event when the job ends.',
	callback: 'The service calls the Callback URL when the job ends.',
	nothing: 'The service does not report when the job ends, so poll the job.',
};

function describeDuration({ starts, durationHint, awaits }: Operation): string {
	if (awaits) return 'The node waits until the jobs have ended.';
	if (starts === undefined) return '';
	const job = typeof starts === 'object' ? starts : undefined;
	const hint = durationHint ?? job?.durationHint ?? '';
	return [hint, endNotices[job?.notifiedBy ?? 'event']].filter(Boolean).join(' ');
}

function describeCost(operation: Operation): string {
	if (!isPaid(operation)) return '—';
	return operation.price ?? 'account credit';
}

const linkHeading = (title: string) =>
	`[${title}](#${title
		.toLowerCase()
		.replace(/[^\w\s-]/g, '')
		.replaceAll(' ', '-')})`;

const renderJson = (json: unknown) =>
	['```json', JSON.stringify(json, null, '\t'), '```'].join('\n');

const renderKeys = (json: object) =>
	Object.keys(json)
		.map((key) => `\`${key}\``)
		.join(', ');

const describeShape = (json: unknown): string =>
	json !== null && typeof json === 'object'
		? `{${Object.entries(json)
				.map(([key, value]) => key + describeShape(value))
				.sort()
				.join()}}`
		: '';

/** Returns the example items of a node, keyed by operation. `items` is the folder that contains them. */
function readItems(folder: string, items: string): Record<string, ExampleItem> {
	const file = join(items, `${folder}.json`);
	return existsSync(file)
		? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, ExampleItem>)
		: {};
}

/** What a page has already shown and need not repeat. */
interface Shown {
	/** Titles of operations, keyed by the shape of their items. */
	items: Map<string, string>;
	options: Set<string>;
	/** Fields that the page about all nodes describes. */
	fields: ReadonlyMap<string, SharedRow>;
}

function renderItem({ json, files }: ExampleItem, title: string, shown: Shown): string {
	const binary = Object.entries(files ?? {}).map(
		([field, file]) =>
			`In the example, the binary field \`${field}\` contains ${file.replace(/, (\S+)$/, ' ($1)')}.`,
	);
	const shape = describeShape(json);
	const same = shown.items.get(shape);
	if (same !== undefined)
		return [`**Output:** the same keys as ${linkHeading(same)}.`, ...binary].join(' ');
	if (Object.keys(json).length === 0) return binary.join(' ');
	shown.items.set(shape, title);
	return [
		[`**Output:** ${renderKeys(json)}.`, ...binary].join(' '),
		'<details>',
		'<summary>Example item</summary>',
		renderJson(json),
		'</details>',
	].join('\n\n');
}

/** Returns the fields that an operation has without declaring them. */
const listCommonFields = (operation: Operation): Field[] =>
	[...getNonOptionFields(operation), ...getOptionFields(operation)].filter(
		(field) =>
			!operation.fields?.includes(field) &&
			!operation.options?.includes(field) &&
			isDocumented(field) &&
			!isForTools(field),
	);

/** Titles of groups of common fields, keyed by the name of one of their fields. */
const groupTitles: Record<string, string> = {
	includeInputFields: 'All operations',
	returnAll: 'Lists',
	simple: 'Simplified lists',
	createdAfter: 'Lists with times',
	additionalBodyFields: 'Request body',
	checkOnly: 'Check',
	idempotencyKey: 'Paying once',
	waitForCompletion: 'Waiting',
	pollInterval: 'Polling',
	download: 'Downloads',
	reportCost: 'Costs',
	waitForCapacity: 'Capacity',
	stopJob: 'Stopping',
};

/** Returns the rows of common fields. Fields that appear only in options collections count as options. */
const listCommonRows = (fields: readonly Field[]): FieldRow[] => {
	const shown = new Set(
		loadOperations().flatMap(({ operation }) =>
			getNonOptionFields(operation).map(({ name }) => name),
		),
	);
	return fields.flatMap((field) => listFieldRows([field], fields, !shown.has(field.name)));
};

interface CommonGroup {
	title: string;
	fields: Field[];
}

/**
 * Groups the common fields, so that an operation has either all fields of a group or none. A page
 * therefore contains only the names of groups, and does not change when the fields of a group change.
 */
function groupCommonFields(): CommonGroup[] {
	const found = new Map<string, { field: Field; operations: number[] }>();
	for (const [index, { operation }] of loadOperations().entries()) {
		for (const field of listCommonFields(operation)) {
			const entry = found.get(field.name) ?? { field, operations: [] };
			entry.operations.push(index);
			found.set(field.name, entry);
		}
	}
	const groups = new Map<string, Field[]>();
	for (const { field, operations } of found.values()) {
		const key = operations.join();
		groups.set(key, [...(groups.get(key) ?? []), field]);
	}
	return [...groups.values()].map((fields) => {
		const titled = fields.find(({ name }) => name in groupTitles);
		return { title: groupTitles[titled?.name ?? ''] ?? fields[0]?.displayName ?? '', fields };
	});
}

function renderOperation(
	{ resource, operation }: ListedOperation,
	title: string,
	item: ExampleItem | undefined,
	shown: Shown,
): string[] {
	const names = listCommonFields(operation).map(({ name }) => name);
	const files = (getResultFileTypes(operation) ?? []).map((file) => file.name).join(', ');
	const common = groupCommonFields()
		.filter(({ fields }) => fields.some(({ name }) => names.includes(name)))
		.map(({ title, fields }) => {
			const hasFiles = fields.some(({ name }) => name === 'download');
			return `${linkChapter(title)}${hasFiles ? ` (${files})` : ''}`;
		});
	const id = operation.itemId === undefined ? resource.id : operation.itemId;
	return [
		`### ${title}`,
		[
			endSentence(toMarkdown(operation.description)),
			...(isEndpoint(operation.request) ? [`(\`${operation.request}\`)`] : []),
		].join(' '),
		[describeDuration(operation), `**Retried:** ${renderRetryRule(operation)}.`]
			.filter(Boolean)
			.join(' '),
		renderFieldTable('Field', operation.fields ?? [], getNonOptionFields(operation), shown.fields),
		...renderOptions(operation, shown),
		common.length === 0 ? '' : `Common fields: ${common.join(', ')}.`,
		...(item === undefined ? [] : [renderItem(item, title, shown)]),
		id === undefined || id === null || item !== undefined ? '' : `Each item has \`${id}\`.`,
	].filter(Boolean);
}

function renderOperationChapters(
	folder: string,
	operations: readonly ListedOperation[],
	itemsOf: string,
): string[] {
	const items = readItems(folder, itemsOf);
	const hasResources = new Set(operations.map(({ resource }) => resource)).size > 1;
	const rows = operations.map((listed) => {
		const { resource, operation } = listed;
		const key = hasResources ? `${resource.value}.${operation.value}` : operation.value;
		return {
			listed,
			operation,
			title: getOperationTitle(operation, hasResources ? resource : undefined),
			item: items[key],
		};
	});
	const shown: Shown = { items: new Map(), options: new Set(), fields: findSharedRows() };
	const isFree = operations.some(({ operation }) => !isPaid(operation));
	return [
		'## Operations',
		renderTable(
			['Operation', 'Costs', 'What it does'],
			rows.map(({ operation, title }) => [
				linkHeading(title),
				describeCost(operation),
				toMarkdown(operation.description),
			]),
		),
		isFree ? 'A dash under **Costs** means that there is no known charge.' : '',
		'## Fields and items',
		'Fields in bold are required. **If left out** shows the default: _Not sent_ means that the service decides, and a dash means that there is no default. The service sets the limits, and the node rejects values outside these limits before it sends a request. **Retried** says whether the node [sends the request again](README.md#what-is-retried) after a temporary failure.',
		...rows.flatMap(({ listed, title, item }) => renderOperation(listed, title, item, shown)),
	];
}

/** Renders the chapters of a trigger, a node without operations. */
function renderFormChapters(
	folder: string,
	{ properties }: INodeTypeDescription,
	items: string,
): string[] {
	const fields = properties as unknown as Field[];
	// A trigger sends none of its fields to the service.
	const asLocal = (field: Field): Field => ({ ...field, in: 'local' });
	const own = fields
		.filter(({ name, type }) => name !== 'authentication' && type !== 'collection')
		.map(asLocal);
	const options = fields
		.filter(({ type }) => type === 'collection')
		.flatMap(({ options: inner = [] }) => inner as readonly Field[])
		.map(asLocal);
	const notices = fields
		.filter(({ type }) => type === 'notice')
		.map(({ displayName }) => toMarkdown(displayName));
	return [
		...notices,
		'## Fields',
		renderFieldTable('Field', own),
		renderFieldTable('Option', options, own),
		...Object.values(readItems(folder, items)).flatMap(({ json }) => [
			'## Output',
			`An item has these keys: ${renderKeys(json)}. For example:`,
			renderJson(json),
		]),
	];
}

function renderFormPicture(folder: string, name: string): string {
	const picture = `pictures/${getFormPicture(folder)}.webp`;
	return existsSync(join(docsFolder, picture)) ? `![The ${name} form in n8n](../${picture})` : '';
}

/** Renders the examples that contain a node, including its "Tool" variant for AI agents. */
function renderRelatedExamples(type: string): string[] {
	const examples = loadExamples().filter(({ nodes }) =>
		nodes.some((node) => [type, `${type}Tool`].some((name) => node.type.endsWith(`.${name}`))),
	);
	if (examples.length === 0) return [];
	const links = examples.map(
		(example) =>
			`- [${example.name}](../../examples/${example.file}.json): ${readSummary(example)}`,
	);
	return ['## Examples', links.join('\n')];
}

/** Renders the page of a node, before formatting. */
function renderNodePage(folder: string, items: string): string {
	const { description } = loadNode(folder);
	const operations = loadOperations().filter((row) => row.folder === folder);
	const isTrigger = description.group.includes('trigger');
	return [
		`# ${description.displayName}`,
		endSentence(toMarkdown(description.description)),
		renderFormPicture(folder, description.displayName),
		...(operations.length > 0
			? renderOperationChapters(folder, operations, items)
			: renderFormChapters(folder, description, items)),
		...renderRelatedExamples(description.name),
		'## More',
		[
			'- [All nodes](README.md), [common fields](README.md#common-fields)',
			...(isTrigger
				? [
						'- [Start a workflow when a video is finished](../trigger.md)',
						'- [Events](../events.md)',
					]
				: []),
			...(operations.some(({ operation }) => isPaid(operation))
				? ['- [What is guaranteed](../guarantees.md)']
				: []),
			...(operations.some(({ operation }) => operation.starts !== undefined || operation.awaits)
				? ['- [Wait for videos](../wait.md)']
				: []),
		].join('\n'),
		`n8n's search finds this node by its name and by these keywords: ${readSearchWords(folder).join(', ')}.`,
		generatedNote,
		'',
	]
		.filter((text, i, all) => text !== '' || i === all.length - 1)
		.join('\n\n');
}

function renderCommonFields(): string[] {
	const download = 'Files to download from the finished item, each into its own binary field.';
	return groupCommonFields().flatMap(({ title, fields }) => [
		`### ${title}`,
		renderTable(
			['Field or option', ...columns],
			listCommonRows(fields).map(([name, withoutValue, text], i) => [
				name,
				withoutValue,
				// The text of this field contains the files of only one operation.
				fields[i]?.name === 'download' ? download : text,
			]),
		),
	]);
}

/** Lists the names of the operations, grouped by resource if there are several. */
const listOperationNames = (resources: readonly Resource[]) =>
	resources
		.map(({ name, operations }) => {
			const names = operations.map((operation) => operation.name).join(', ');
			return resources.length > 1 ? `_${name}:_ ${names}` : names;
		})
		.join('. ');

function renderIndexPage(): string {
	const operations = loadOperations();
	const rows = listNodeFolders().map((folder) => {
		const own = operations.filter((row) => row.folder === folder);
		const { displayName, description } = loadNode(folder).description;
		const resources = [...new Set(own.map(({ resource }) => resource))];
		const text = own.length > 0 ? listOperationNames(resources) : toMarkdown(description);
		return [`[${displayName}](${folder}.md)`, text];
	});
	return [
		'# Nodes',
		"Each node's page describes its operations, fields, limits, output items, costs and waiting times.",
		renderTable(['Node', 'Operations'], rows),
		'## Common fields',
		"On a node's page, each operation lists the groups of common fields that it has. **If left out** shows the default that applies if you set no value: _Not sent_ means that the service decides, and a dash means that there is no default.",
		...renderCommonFields(),
		`## ${sharedChapter}`,
		'The fields and options in this table exist in several nodes.',
		renderTable(
			['Field or option', ...columns],
			[...findSharedRows().values()]
				.filter(({ chapter }) => chapter === sharedChapter)
				.map(({ row }) => row),
		),
		...renderRetryChapter(),
		'The service sets its prices. [What is guaranteed](../guarantees.md) lists what the nodes guarantee about charges.',
		generatedNote,
		'',
	].join('\n\n');
}

/** Returns all pages about nodes before formatting, with their paths in docs/. */
export const renderNodePages = (items: string): Array<[path: string, text: string]> => [
	['nodes/README.md', renderIndexPage()],
	...listNodeFolders().map((folder): [string, string] => [
		`nodes/${folder}.md`,
		renderNodePage(folder, items),
	]),
];
