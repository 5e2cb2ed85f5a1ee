/**
 * Trials for every field of an operation: a missing required value, a wrong type, and values just
 * below, at and just above each limit of its schema.
 */
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { readBounds } from './bounds';
import {
	getNonOptionFields,
	getOptionFields,
	getSchema,
	acceptsUnlistedValues,
	type Field,
	type FixedCollectionGroup,
	type Operation,
} from './core';

/** One value to try. */
export interface Trial {
	/** A description of the value, for the report. */
	what: string;
	/** The field name that the error must show. */
	name: string;
	value: unknown;
	/** Whether the value must be accepted. */
	good: boolean;
	/** Whether the value is just beyond a limit. */
	beyond?: boolean;
	/** The tested field, which may be inside another one. */
	field: Field;
	parameters: INodeParameters;
}

type TrialValue = Pick<Trial, 'what' | 'value' | 'good' | 'beyond'>;

const isLocator = (field: Field) => field.type === 'resourceLocator';

/** Converts a value to the form that n8n stores for this field. */
function toStored(field: Field, value: unknown): unknown {
	return isLocator(field) ? { __rl: true, mode: 'id', value } : value;
}

/** Lists test values for one field, with their expected outcome. */
function listTrials(field: Field, current: unknown): TrialValue[] {
	const bounds = readBounds(getSchema(field));
	const { min, max } = bounds;
	const out: TrialValue[] = [];
	const add = (what: string, value: unknown, good: boolean, beyond = false) => {
		// The value that means "not set" is not sent.
		const unset = field.unset !== undefined && value === field.unset;
		out.push({
			what,
			value: toStored(field, value),
			good: good || unset,
			beyond: beyond && !unset,
		});
	};

	const addEntries = (toValue: (count: number) => unknown) => {
		if (max === undefined) return;
		out.push({ what: `${max} entries`, value: toValue(max), good: true });
		out.push({ what: `${max + 1} entries`, value: toValue(max + 1), good: false });
	};

	if (field.required) {
		if (field.type === 'fixedCollection') out.push({ what: 'no value', value: {}, good: false });
		// As an expression, because n8n itself rejects an empty field of the form.
		else add('no value', '={{ "" }}', false);
	}
	if (field.asset) return out;
	if (bounds.kind === 'string' && !['json', 'fixedCollection', 'options'].includes(field.type)) {
		out.push({ what: 'an object', value: toStored(field, { a: 1 }), good: false });
		if (!bounds.hasPattern) {
			if (max !== undefined) {
				add(`${max} characters`, 'x'.repeat(max), true);
				add(`${max + 1} characters`, 'x'.repeat(max + 1), false, true);
			}
			if (min !== undefined && min > 1) add(`${min - 1} characters`, 'x'.repeat(min - 1), false);
			if (min !== undefined) add(`${min} characters`, 'x'.repeat(min), true);
		}
	}
	if (bounds.isUrl) add('no URL', 'not a URL', false);
	if (bounds.kind === 'number') {
		const step = bounds.isInteger ? 1 : 0.01;
		add('a word', 'many', false);
		if (bounds.isInteger) add('a fraction', (min ?? 1) + 0.5, false);
		if (max !== undefined) {
			add('the most', max, true);
			add('the most as text', String(max), true);
			add('more than the most', max + step, false, true);
		}
		if (min !== undefined) {
			add('the least', bounds.isExclusive ? min + step : min, true);
			add('less than the least', bounds.isExclusive ? min : min - step, false, true);
		}
	}
	if (bounds.kind === 'boolean') {
		add('a word', 'perhaps', false);
		add('true as text', 'true', true);
	}
	if (bounds.kind === 'enum' && field.type === 'options') {
		if (!acceptsUnlistedValues(field)) add('another choice', 'no-such-choice', false);
		for (const { value } of (field.options ?? []) as ReadonlyArray<{ value: unknown }>) {
			add(`the choice ${String(value)}`, value, true);
		}
	}
	// The options are suggestions: an expression may return other values.
	if (bounds.kind === 'string' && !bounds.hasPattern && field.type === 'options' && !field.load) {
		add('a choice of the user’s own', '={{ "no-such-choice" }}', true);
	}
	if (field.type === 'fixedCollection' && bounds.kind === 'array') {
		const [group] = (field.options ?? []) as readonly FixedCollectionGroup[];
		const entry = group && (current as Record<string, unknown[]> | undefined)?.[group.name]?.[0];
		if (group && entry) addEntries((count) => ({ [group.name]: Array(count).fill(entry) }));
	}
	if (field.type === 'json') {
		out.push({ what: 'broken JSON', value: '{"a": ', good: false });
		const one =
			typeof current === 'string' &&
			current.startsWith('[') &&
			(JSON.parse(current) as unknown[])[0];
		if (one && bounds.kind === 'array') {
			addEntries((count) => JSON.stringify(Array(count).fill(one)));
		}
	}
	return out;
}

/** Shows a hidden field, and fills the required fields next to it. */
export function showField(
	field: Field,
	parameters: INodeParameters,
	siblings: readonly Field[],
): INodeParameters {
	const result = { ...parameters };
	for (const other of siblings) {
		if (!other.required || result[other.name] !== undefined) continue;
		if (!['string', 'resourceLocator', 'fixedCollection'].includes(other.type)) continue;
		result[other.name] = createFiller(other) as NodeParameterValueType;
	}
	for (const [name, values] of Object.entries(field.displayOptions?.show ?? {})) {
		const allowed = values as unknown as NodeParameterValueType[];
		if (!allowed.includes(result[name] as NodeParameterValueType)) {
			result[name] = allowed[0] as NodeParameterValueType;
		}
	}
	return result;
}

type Value = NodeParameterValueType;

/** Creates a value for a required field next to the tested one. */
function createFiller(field: Field): unknown {
	if (field.asset) return { __rl: true, mode: 'url', value: 'https://files.example/a.mp4' };
	if (field.type === 'options') {
		return (field.options as ReadonlyArray<{ value: unknown }> | undefined)?.[0]?.value;
	}
	if (['string', 'resourceLocator'].includes(field.type)) return toStored(field, 'some text');
	if (field.type === 'fixedCollection' && field.required) {
		const [group] = (field.options ?? []) as readonly FixedCollectionGroup[];
		const entry = group?.values.map((child) => [child.name, createFiller(child)]);
		return group && entry ? { [group.name]: [Object.fromEntries(entry)] } : field.default;
	}
	return field.default;
}

/** Lists the trials of the fields inside a collection or a fixed collection. */
function listInnerTrials(field: Field, current: unknown): Array<Omit<Trial, 'parameters'>> {
	const many = field.typeOptions?.multipleValues === true;
	const [first] = (field.options ?? []) as ReadonlyArray<Field | FixedCollectionGroup>;
	if (!first) return [];
	const group = 'values' in first ? first : undefined;
	if (field.type === 'fixedCollection' && !group) return [];
	if (!['collection', 'fixedCollection'].includes(field.type)) return [];
	const children = group ? group.values : (field.options as readonly Field[]);
	const held = group && (current as Record<string, unknown> | undefined)?.[group.name];
	const entry = (Array.isArray(held) ? held[0] : held) as Record<string, unknown> | undefined;

	return children.flatMap((child) => {
		const siblings: Record<string, unknown> = { ...entry };
		for (const sibling of group ? children : []) {
			if (sibling !== child && siblings[sibling.name] === undefined) {
				siblings[sibling.name] = createFiller(sibling);
			}
		}
		for (const [name, values] of Object.entries(child.displayOptions?.show ?? {})) {
			siblings[name] = (values as readonly unknown[])[0];
		}
		// An empty field of a collection counts as not selected.
		const tested = group ? child : { ...child, required: false };
		return listTrials(tested, entry?.[child.name]).map((trial) => {
			const one = { ...siblings, [child.name]: trial.value };
			const value = group ? { [group.name]: many ? [one] : one } : one;
			const name = `${field.displayName}${many ? ' → entry 1' : ''} → ${child.displayName}`;
			return { ...trial, name, value, field: child };
		});
	});
}

/** Whether a field is for tools only. n8n drops its value in other nodes, such as those of these tests. */
const isForTools = ({ displayOptions }: Field) => displayOptions?.show?.['@tool'] !== undefined;

/** Lists the trials of a field and of the fields inside it. */
const listFieldTrials = (field: Field, tested: Field, current: unknown) => [
	...listTrials(tested, current).map((trial) => ({ ...trial, name: field.displayName, field })),
	...listInnerTrials(field, current),
];

/** Lists all trials of an operation, based on valid parameters. */
export function listAllTrials(operation: Operation, right: INodeParameters): Trial[] {
	const options = (right.options ?? {}) as INodeParameters;
	const fields = getNonOptionFields(operation);
	const ofForm = fields.flatMap((field) =>
		listFieldTrials(field, field, right[field.name]).map((trial) => {
			const parameters = showField(field, right, fields);
			parameters[field.name] = trial.value as Value;
			return { ...trial, parameters };
		}),
	);
	const ofOptions = getOptionFields(operation)
		.filter((field) => !isForTools(field))
		.flatMap((field) =>
			// An empty option counts as not selected.
			listFieldTrials(field, { ...field, required: false }, options[field.name]).map((trial) => {
				const chosen = { ...options, [field.name]: trial.value as Value };
				return { ...trial, parameters: { ...right, options: chosen } };
			}),
		);
	return [...ofForm, ...ofOptions];
}
