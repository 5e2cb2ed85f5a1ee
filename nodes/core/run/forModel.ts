/**
 * What an AI model is given of the items of its tool: it reads every character, and forgets what was
 * before when there are too many. Ids are always kept. Pure.
 */
import type { GenericValue, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../json';

/** Characters of JSON that are enough: for all items of a list, and for one item alone. */
const enough = { list: 3_500, one: 8_000 };

type Json = GenericValue | IDataObject | GenericValue[] | IDataObject[];

/** How much is left of an item. */
interface Cut {
	/** Longest text. */
	text: number;
	/** Most entries of a list. */
	entries: number;
	/** How many levels of objects and lists there may be. */
	depth: number;
	/** Addresses of files and pages: cut ones are worth nothing. */
	addresses: boolean;
}

/** From all that says something to what is needed to go on; the first that is short enough counts. */
const cuts: readonly Cut[] = [
	{ text: Infinity, entries: Infinity, depth: Infinity, addresses: true },
	{ text: 500, entries: 20, depth: 3, addresses: true },
	{ text: 200, entries: 10, depth: 2, addresses: true },
	{ text: 80, entries: 5, depth: 1, addresses: false },
	{ text: 40, entries: 5, depth: 1, addresses: false },
];

const isId = (key: string) => /(^|_)ids?$/.test(key);
const isAddress = (value: unknown) => typeof value === 'string' && /^https?:\/\//.test(value);

const saysNothing = (value: unknown) =>
	value === undefined ||
	value === null ||
	value === '' ||
	(typeof value === 'object' && Object.keys(value).length === 0);

function textCut(value: string, { text, addresses }: Cut): string | undefined {
	if (isAddress(value)) return addresses ? value : undefined;
	const more = value.length - text;
	if (more <= 0) return value;
	return `${value.slice(0, text)}…${text < 100 ? '' : ` (${more} more characters)`}`;
}

/** The first entries; of the others, the ids. */
function listCut(list: readonly unknown[], cut: Cut): Json {
	const entries = cut.depth < 1 ? 0 : cut.entries;
	const kept = list.map((one, i) => {
		if (i < entries) return valueCut(one, { ...cut, depth: cut.depth - 1 });
		return isObject(one) ? objectCut(one, { ...cut, depth: 0 }) : undefined;
	});
	const said = kept.filter((one) => !saysNothing(one));
	const more = list.length - Math.max(said.length, entries);
	return [...said, ...(entries > 0 && more > 0 ? [`… (${more} more)`] : [])] as GenericValue[];
}

function valueCut(value: unknown, cut: Cut): Json | undefined {
	if (typeof value === 'string') return textCut(value, cut);
	if (Array.isArray(value)) return listCut(value, cut);
	return isObject(value) ? objectCut(value, cut) : (value as GenericValue);
}

/** The object within the levels that are left; its ids are there in any case. */
function objectCut(json: IDataObject, cut: Cut): IDataObject {
	const inner = { ...cut, depth: cut.depth - 1 };
	const entries = Object.entries(json).flatMap(([key, value]): Array<[string, Json]> => {
		if (saysNothing(value)) return [];
		if (isId(key)) return [[key, value]];
		if (cut.depth < 1 && typeof value !== 'object') return [];
		const kept = valueCut(value, inner);
		return kept === undefined || saysNothing(kept) ? [] : [[key, kept]];
	});
	return Object.fromEntries(entries);
}

/** Without the service's own `id` where the same stands under the name that other tools ask for. */
function named({ id, ...rest }: IDataObject): IDataObject {
	const known = Object.entries(rest).some(([key, value]) => key.endsWith('_id') && value === id);
	return id === undefined || known ? rest : { id, ...rest };
}

/** Items as n8n recognises errors: they stay as they are. */
const isError = ({ json }: INodeExecutionData) => typeof json.error === 'string';

const size = (items: readonly INodeExecutionData[]) =>
	JSON.stringify(items.map(({ json }) => json)).length;

const repeated =
	'This is the result of your earlier call with the same values: nothing new was made or paid. Change a value to make another one.';

/**
 * The items, short enough for a model. Nothing becomes an item that says so.
 *
 * @param repeats the model has asked for the same before
 */
export function forModel(items: INodeExecutionData[], repeats: boolean): INodeExecutionData[] {
	if (items.length === 0) return [{ json: { found: 0, note: 'Nothing was found.' } }];
	const most = items.length === 1 ? enough.one : enough.list;
	let kept = items;
	for (const one of cuts) {
		// Of one thing, its addresses are what was asked for.
		const cut = { ...one, addresses: one.addresses || items.length === 1 };
		kept = items.map((item) =>
			isError(item) ? item : { ...item, json: objectCut(named(item.json), cut) },
		);
		if (size(kept) <= most) break;
	}
	if (!repeats) return kept;
	return kept.map((item) => (isError(item) ? item : { ...item, json: { ...item.json, repeated } }));
}
