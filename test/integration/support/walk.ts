/**
 * Walks every field of an operation: a missing required value, a wrong type, and values just
 * below, at and just above each limit that its schema has.
 */
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { boundsOf } from './bounds';
import {
	getFormFields,
	getOptionFields,
	getSchema,
	type Field,
	type FieldGroup,
	type Operation,
} from './core';

/** One value to try. */
export interface Trial {
	/** What is tried, for the report. */
	what: string;
	/** The name that the complaint must carry. */
	name: string;
	value: unknown;
	/** Whether the value is to be taken or refused. */
	good: boolean;
	/** It is bad for being just beyond a limit. */
	beyond?: boolean;
	/** The field that is tried, which may be one inside another. */
	field: Field;
	parameters: INodeParameters;
}

type Try = Pick<Trial, 'what' | 'value' | 'good' | 'beyond'>;

const isLocator = (field: Field) => field.type === 'resourceLocator';

/** A value in the form in which n8n stores it for this field. */
function asStored(field: Field, value: unknown): unknown {
	return isLocator(field) ? { __rl: true, mode: 'id', value } : value;
}

/** Values to try for one field, each with what is to become of it. */
function trials(field: Field, given: unknown): Try[] {
	const bounds = boundsOf(getSchema(field));
	const { min, max } = bounds;
	const out: Try[] = [];
	const add = (what: string, value: unknown, good: boolean, beyond = false) => {
		// What stands for nothing is not sent.
		const unset = field.unset !== undefined && value === field.unset;
		out.push({
			what,
			value: asStored(field, value),
			good: good || unset,
			beyond: beyond && !unset,
		});
	};

	if (field.required) {
		if (field.type === 'fixedCollection') out.push({ what: 'nothing', value: {}, good: false });
		// By an expression: n8n itself refuses an empty field of the form.
		else add('nothing', '={{ "" }}', false);
	}
	if (field.asset) return out;
	if (bounds.kind === 'string' && !['json', 'fixedCollection', 'options'].includes(field.type)) {
		out.push({ what: 'an object', value: asStored(field, { a: 1 }), good: false });
		if (!bounds.formed) {
			if (max !== undefined) {
				add(`${max} characters`, 'x'.repeat(max), true);
				add(`${max + 1} characters`, 'x'.repeat(max + 1), false, true);
			}
			if (min !== undefined && min > 1) add(`${min - 1} characters`, 'x'.repeat(min - 1), false);
			if (min !== undefined) add(`${min} characters`, 'x'.repeat(min), true);
		}
	}
	if (bounds.address) add('no address', 'not an address', false);
	if (bounds.kind === 'number') {
		const step = bounds.integer ? 1 : 0.01;
		add('a word', 'many', false);
		if (bounds.integer) add('a fraction', (min ?? 1) + 0.5, false);
		if (max !== undefined) {
			add('the most', max, true);
			add('the most as text', String(max), true);
			add('more than the most', max + step, false, true);
		}
		if (min !== undefined) {
			add('the least', bounds.open ? min + step : min, true);
			add('less than the least', bounds.open ? min : min - step, false, true);
		}
	}
	if (bounds.kind === 'boolean') {
		add('a word', 'perhaps', false);
		add('true as text', 'true', true);
	}
	if (bounds.kind === 'enum' && field.type === 'options') {
		add('another choice', 'no-such-choice', false);
		for (const { value } of (field.options ?? []) as ReadonlyArray<{ value: unknown }>) {
			add(`the choice ${String(value)}`, value, true);
		}
	}
	// A list of suggestions: an expression may give what is not in it.
	if (bounds.kind === 'string' && !bounds.formed && field.type === 'options' && !field.load) {
		add('a choice of the user’s own', '={{ "no-such-choice" }}', true);
	}
	if (field.type === 'fixedCollection' && bounds.kind === 'array') {
		const [group] = (field.options ?? []) as readonly FieldGroup[];
		const entry = group && (given as Record<string, unknown[]> | undefined)?.[group.name]?.[0];
		if (group && entry && max !== undefined) {
			const entries = (count: number) => ({
				[group.name]: Array.from({ length: count }, () => entry),
			});
			out.push({ what: `${max} entries`, value: entries(max), good: true });
			out.push({ what: `${max + 1} entries`, value: entries(max + 1), good: false });
		}
	}
	if (field.type === 'json') {
		out.push({ what: 'broken JSON', value: '{"a": ', good: false });
		const one =
			typeof given === 'string' && given.startsWith('[') && (JSON.parse(given) as unknown[])[0];
		if (one && bounds.kind === 'array' && max !== undefined) {
			const entries = (count: number) => JSON.stringify(Array.from({ length: count }, () => one));
			out.push({ what: `${max} entries`, value: entries(max), good: true });
			out.push({ what: `${max + 1} entries`, value: entries(max + 1), good: false });
		}
	}
	return out;
}

/** Makes a hidden field shown; what must be filled beside it is filled. */
function shown(
	field: Field,
	parameters: INodeParameters,
	beside: readonly Field[],
): INodeParameters {
	const result = { ...parameters };
	for (const other of beside) {
		if (!other.required || result[other.name] !== undefined) continue;
		if (!['string', 'resourceLocator', 'fixedCollection'].includes(other.type)) continue;
		result[other.name] = filler(other) as NodeParameterValueType;
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

/** Something for a field that must be filled beside the one that is tried. */
function filler(field: Field): unknown {
	if (field.asset) return { __rl: true, mode: 'url', value: 'https://files.example/a.mp4' };
	if (field.type === 'options') {
		return (field.options as ReadonlyArray<{ value: unknown }> | undefined)?.[0]?.value;
	}
	if (['string', 'resourceLocator'].includes(field.type)) return asStored(field, 'some text');
	if (field.type === 'fixedCollection' && field.required) {
		const [group] = (field.options ?? []) as readonly FieldGroup[];
		const entry = group?.values.map((child) => [child.name, filler(child)]);
		return group && entry ? { [group.name]: [Object.fromEntries(entry)] } : field.default;
	}
	return field.default;
}

/** Trials of the fields inside a collection or a fixed collection, with what holds them. */
function inside(field: Field, given: unknown): Array<Omit<Trial, 'parameters'>> {
	const many = field.typeOptions?.multipleValues === true;
	const [first] = (field.options ?? []) as ReadonlyArray<Field | FieldGroup>;
	if (!first) return [];
	const group = 'values' in first ? first : undefined;
	if (field.type === 'fixedCollection' && !group) return [];
	if (!['collection', 'fixedCollection'].includes(field.type)) return [];
	const children = group ? group.values : (field.options as readonly Field[]);
	const held = group && (given as Record<string, unknown> | undefined)?.[group.name];
	const entry = (Array.isArray(held) ? held[0] : held) as Record<string, unknown> | undefined;

	return children.flatMap((child) => {
		const beside: Record<string, unknown> = { ...entry };
		for (const sibling of group ? children : []) {
			if (sibling !== child && beside[sibling.name] === undefined) {
				beside[sibling.name] = filler(sibling);
			}
		}
		for (const [name, values] of Object.entries(child.displayOptions?.show ?? {})) {
			beside[name] = (values as readonly unknown[])[0];
		}
		// In a collection an empty field counts as not chosen.
		const tried = group ? child : { ...child, required: false };
		return trials(tried, entry?.[child.name]).map((trial) => {
			const one = { ...beside, [child.name]: trial.value };
			const value = group ? { [group.name]: many ? [one] : one } : one;
			const name = `${field.displayName}${many ? ' → entry 1' : ''} → ${child.displayName}`;
			return { ...trial, name, value, field: child };
		});
	});
}

/** n8n drops what is set of it in a node that is no tool, as those here are. */
const isForTools = ({ displayOptions }: Field) => displayOptions?.show?.['@tool'] !== undefined;

/** All trials of an operation, on top of parameters that are right. */
export function walk(operation: Operation, right: INodeParameters): Trial[] {
	const out: Trial[] = [];
	const options = (right.options ?? {}) as INodeParameters;
	for (const field of getFormFields(operation)) {
		const given = right[field.name];
		const own = trials(field, given).map((trial) => ({
			...trial,
			name: field.displayName,
			field,
		}));
		for (const trial of [...own, ...inside(field, given)]) {
			const parameters = shown(field, right, getFormFields(operation));
			parameters[field.name] = trial.value as Value;
			out.push({ ...trial, parameters });
		}
	}
	for (const field of getOptionFields(operation).filter((one) => !isForTools(one))) {
		const given = options[field.name];
		// An empty option counts as not chosen.
		const own = trials({ ...field, required: false }, given).map((trial) => ({
			...trial,
			name: field.displayName,
			field,
		}));
		for (const trial of [...own, ...inside(field, given)]) {
			const chosen = { ...options, [field.name]: trial.value as Value };
			out.push({ ...trial, parameters: { ...right, options: chosen } });
		}
	}
	return out;
}
