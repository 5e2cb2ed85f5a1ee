/** Renders docs/contributing/limits-and-codes.md from simulator/openapi.yaml. */
import { listOperations, readApi, resolve, type JsonSchema } from '../simulator/api';
import { generatedNote, renderTable } from './pages';
import { codesByStatus, graphProblemCodes } from './serviceCodes';

const api = readApi();

/** Table rows, each with the requests to which it applies, keyed by their cells and source. */
type Rows = Map<string, { cells: string[]; lines: Set<string>; source: string }>;

const listParts = (value: unknown) => [value ?? []].flat() as JsonSchema[];
const quote = (value: unknown) => `\`${String(value)}\``;
const formatNumber = (value: unknown) => Number(value).toLocaleString('en-US');

/** Schemas of request bodies. The entries of a batch have the same fields, which are not listed again. */
const bodies = new Set(
	listOperations(api).flatMap(({ operation }) => {
		const schema = operation.requestBody?.content['application/json']?.schema ?? {};
		return [schema, ...listParts(schema.oneOf)].flatMap(({ $ref }) =>
			typeof $ref === 'string' ? [$ref] : [],
		);
	}),
);

function renderRange(schema: JsonSchema, unit: string, min: unknown, max: unknown): string {
	const above = schema.exclusiveMinimum;
	const lowest = above === undefined ? undefined : `more than ${formatNumber(above)}`;
	const parity = schema.multipleOf === 2 ? ', even' : '';
	const preset = schema.default === undefined ? '' : `, ${String(schema.default)} by default`;
	const suffix = unit + parity + preset;
	if (max === undefined) return (lowest ?? `${formatNumber(min)} or more`) + suffix;
	const highest = `up to ${formatNumber(max)}`;
	if (lowest !== undefined) return `${lowest}, ${highest}${suffix}`;
	if (min === undefined) return highest + suffix;
	return `${formatNumber(min)} to ${formatNumber(max)}${suffix}`;
}

function renderLimit(schema: JsonSchema): string | undefined {
	const { minLength, maxLength, minItems, maxItems, minimum, exclusiveMinimum, maximum } = schema;
	if (maxLength !== undefined) return renderRange(schema, ' characters', minLength, maxLength);
	if (maxItems !== undefined) return renderRange({}, ' entries', minItems, maxItems);
	if (minimum === undefined && exclusiveMinimum === undefined && maximum === undefined) return;
	return renderRange(schema, '', minimum, maximum);
}

interface Tables {
	limits: Rows;
	values: Rows;
}

function addRow(rows: Rows, line: string, cells: string[], source: unknown) {
	const key = [...cells, source].join('|');
	const row = rows.get(key) ?? { cells, lines: new Set(), source: String(source ?? 'B') };
	row.lines.add(line);
	rows.set(key, row);
}

function addField(
	tables: Tables,
	line: string,
	field: string,
	schema: JsonSchema,
	parents: unknown[],
) {
	const { $ref } = schema;
	if (field !== '' && typeof $ref === 'string' && bodies.has($ref)) return;
	const target = resolve(schema);
	if (target.deprecated || schema.deprecated || parents.includes(target)) return;
	const whole = { ...target, ...schema };
	const inner = [...parents, target];
	const limit = renderLimit(whole);
	if (limit) addRow(tables.limits, line, [quote(field), limit], whole['x-source']);
	const values = [whole.enum, whole.examples].flatMap(listParts).filter((value) => value !== null);
	if (values.length > 0) {
		const isOpen = whole.enum === undefined;
		const cells = [quote(field), values.map(quote).join(', '), isOpen ? 'open' : 'closed'];
		addRow(tables.values, line, cells, whole['x-source']);
	}
	for (const [name, property] of Object.entries(
		(whole.properties ?? {}) as Record<string, JsonSchema>,
	)) {
		addField(tables, line, field ? `${field}.${name}` : name, property, inner);
	}
	if (whole.items) addField(tables, line, `${field}[]`, whole.items as JsonSchema, inner);
	if (typeof whole.additionalProperties === 'object') {
		addField(tables, line, `${field}.*`, whole.additionalProperties as JsonSchema, inner);
	}
	const constants = ['type', 'mode'].flatMap((name) => {
		const known = listParts(whole.oneOf).flatMap((variant) => {
			const { [name]: property } = (resolve(variant).properties ?? {}) as Record<
				string,
				JsonSchema
			>;
			return property?.const === undefined ? [] : [property];
		});
		return known.length > 0 ? [{ name, known }] : [];
	});
	for (const { name, known } of constants) {
		const cells = [
			quote(field ? `${field}.${name}` : name),
			known.map((property) => quote(property.const)).join(', '),
			'closed',
		];
		addRow(tables.values, line, cells, known[0]?.['x-source']);
	}
	for (const variant of [whole.oneOf, whole.anyOf].flatMap(listParts)) {
		addField(tables, line, field, { 'x-source': whole['x-source'], ...variant }, inner);
	}
}

function collectTables(): Tables {
	const tables: Tables = { limits: new Map(), values: new Map() };
	for (const { line, operation } of listOperations(api)) {
		for (const parameter of (operation.parameters ?? []).map((one) => resolve(one))) {
			if (parameter.in === 'query') addField(tables, line, parameter.name, parameter.schema, []);
		}
		const schema = operation.requestBody?.content['application/json']?.schema;
		if (schema) addField(tables, line, '', schema, []);
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
		'This page lists what `simulator/openapi.yaml` describes. [Facts and assumptions](service.md) explains the sources. `[]` stands for an entry of a list. The entries of a batch have the same fields as a single request.',
		'## Limits',
		renderRows(['Field', 'Limit'], limits),
		'Other limits:',
		renderTable(
			['Limit', 'Value', 'Source', 'Not checked by the nodes'],
			api['x-limits'].map((one) => [one.limit, one.value, one.source, one.not_checked ?? '']),
		),
		'## Values',
		'An open list may have other, unknown values.',
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
