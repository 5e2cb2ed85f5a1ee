/** Renders docs/contributing/limits-and-codes.md from simulator/openapi.yaml. */
import { readApi, resolve, type JsonSchema } from '../simulator/api';
import { listDescribedProperties, listParts, type Limit } from './describedProperties';
import { generatedNote, renderTable } from './pages';
import { codesByStatus, graphProblemCodes } from './serviceCodes';

const api = readApi();

/** Table rows, each with the requests to which it applies, keyed by their cells and source. */
type Rows = Map<string, { cells: string[]; lines: Set<string>; source: string }>;

const quote = (value: unknown) => `\`${String(value)}\``;
const formatNumber = (value: unknown) => Number(value).toLocaleString('en-US');

function renderLimit(
	{ type, maxLength, default: preset }: JsonSchema,
	{ min, above, max, multipleOf }: Limit,
): string {
	const isList = [type].flat().includes('array');
	const unit = maxLength !== undefined ? ' characters' : isList ? ' entries' : '';
	const suffix = [
		unit,
		multipleOf === 2 ? ', even' : '',
		preset === undefined || unit !== '' ? '' : `, ${String(preset)} by default`,
	].join('');
	const lowest = above === undefined ? undefined : `more than ${formatNumber(above)}`;
	if (max === undefined) return (lowest ?? `${formatNumber(min)} or more`) + suffix;
	const highest = `up to ${formatNumber(max)}`;
	if (lowest !== undefined) return `${lowest}, ${highest}${suffix}`;
	if (min === undefined) return highest + suffix;
	return `${formatNumber(min)} to ${formatNumber(max)}${suffix}`;
}

function addRow(rows: Rows, line: string, cells: string[], source: unknown) {
	const key = [...cells, source].join('|');
	const row = rows.get(key) ?? { cells, lines: new Set(), source: String(source ?? 'B') };
	row.lines.add(line);
	rows.set(key, row);
}

function collectTables(): { limits: Rows; values: Rows } {
	const tables = { limits: new Map(), values: new Map() };
	for (const { line, field, isInEntry, schema, limit, values } of listDescribedProperties()) {
		if (isInEntry) continue;
		const source = schema['x-source'];
		if (limit) addRow(tables.limits, line, [quote(field), renderLimit(schema, limit)], source);
		if (values.length === 0) continue;
		const cells = [quote(field), values.map(quote).join(', '), schema.enum ? 'closed' : 'open'];
		addRow(tables.values, line, cells, source);
	}
	return tables;
}

/** Returns the requests, or only their number if there are more than six. */
const renderLines = (lines: Set<string>) =>
	lines.size > 6 ? `${lines.size} requests` : [...lines].map(quote).join('<br>');

const renderRows = (head: string[], rows: Rows) =>
	renderTable(
		[...head, 'Requests', 'Source'],
		[...rows.values()]
			.sort((a, b) => (a.cells[0] ?? '').localeCompare(b.cells[0] ?? ''))
			.map(({ cells, lines, source }) => [...cells, renderLines(lines), source]),
	);

/** Returns the fields of an event's data. Variants of the schema may add fields. */
const listFields = (schema: JsonSchema): string[] => {
	const { properties, ...target } = resolve(schema);
	const parts = [target.allOf, target.oneOf, target.anyOf].flatMap(listParts);
	return [...Object.keys(properties ?? {}), ...parts.flatMap(listFields)];
};

function renderEvents(): string {
	const rows: Rows = new Map();
	for (const [name, { post }] of Object.entries(api.webhooks)) {
		const schema = post.requestBody?.content['application/json']?.schema;
		const parts = listParts(schema?.allOf).map((part) => resolve(part));
		const data = parts.flatMap(({ properties }) =>
			listParts((properties as Record<string, JsonSchema> | undefined)?.event_data),
		);
		const fields = [...new Set(data.flatMap(listFields))].map(quote).join(', ');
		addRow(rows, quote(name), [fields || 'unknown'], post['x-source']);
	}
	return renderTable(
		['Events', 'Known fields of `event_data`', 'Source'],
		[...rows.values()].map(({ cells, lines, source }) => [
			[...lines].join('<br>'),
			...cells,
			source,
		]),
	);
}

export function renderLimitsPage(): string {
	const { limits, values } = collectTables();
	return [
		'# Limits, values and codes',
		'This page lists what `simulator/openapi.yaml` describes. [Facts and assumptions](service.md) explains the sources. `[]` stands for any entry in a list. The entries of a batch have the same fields as a single request.',
		'## Limits',
		renderRows(['Field', 'Limit'], limits),
		'Other limits:',
		renderTable(
			['Limit', 'Value', 'Source', 'Not checked by the nodes'],
			api['x-limits'].map((one) => [
				one.limit,
				one.value.replace(/\{(\w+)\}/g, (_, name: string) => formatNumber(one.numbers?.[name])),
				one.source,
				one.not_checked ?? '',
			]),
		),
		'## Values',
		'An open list may also contain unknown values.',
		renderRows(['Field', 'Values', 'List'], values),
		'## Events',
		renderEvents(),
		'## Error codes',
		renderTable(
			['Status', 'Codes', ''],
			codesByStatus.map(({ title, description = '', enum: codes }) => [
				title,
				codes.map(quote).join(', '),
				description,
			]),
		),
		`Codes for problems in a graph:  ${graphProblemCodes.map(quote).join(', ')}.`,
		generatedNote,
		'',
	].join('\n\n');
}
