/**
 * What an AI model is given of the items of its tool: it reads every character, and forgets what was
 * before when there are too many. Ids are always kept. Pure.
 */
import type { GenericValue, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isObject } from '../json';

/** Characters of JSON that are enough: for all items of a list, and for one item alone. */
const maxCharacters = { list: 3_500, one: 8_000 };

type Json = GenericValue | IDataObject | GenericValue[] | IDataObject[];

/** How much is left of an item. */
interface Truncation {
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
const truncations: readonly Truncation[] = [
	{ text: Infinity, entries: Infinity, depth: Infinity, addresses: true },
	{ text: 500, entries: 20, depth: 3, addresses: true },
	{ text: 200, entries: 10, depth: 2, addresses: true },
	{ text: 80, entries: 5, depth: 1, addresses: false },
	{ text: 40, entries: 5, depth: 1, addresses: false },
];

const isId = (key: string) => /(^|_)ids?$/.test(key);
const isUrl = (value: unknown) => typeof value === 'string' && /^https?:\/\//.test(value);

const isEmptyValue = (value: unknown) =>
	value === undefined ||
	value === null ||
	value === '' ||
	(typeof value === 'object' && Object.keys(value).length === 0);

function truncateText(value: string, { text, addresses }: Truncation): string | undefined {
	if (isUrl(value)) return addresses ? value : undefined;
	const more = value.length - text;
	if (more <= 0) return value;
	return `${value.slice(0, text)}…${text < 100 ? '' : ` (${more} more characters)`}`;
}

/** The first entries; of the others, the ids. */
function truncateList(list: readonly unknown[], cut: Truncation): Json {
	const entries = cut.depth < 1 ? 0 : cut.entries;
	const kept = list.map((one, i) => {
		if (i < entries) return truncateValue(one, { ...cut, depth: cut.depth - 1 });
		return isObject(one) ? truncateObject(one, { ...cut, depth: 0 }) : undefined;
	});
	const said = kept.filter((one) => !isEmptyValue(one));
	const more = list.length - Math.max(said.length, entries);
	return [...said, ...(entries > 0 && more > 0 ? [`… (${more} more)`] : [])] as GenericValue[];
}

function truncateValue(value: unknown, cut: Truncation): Json | undefined {
	if (typeof value === 'string') return truncateText(value, cut);
	if (Array.isArray(value)) return truncateList(value, cut);
	return isObject(value) ? truncateObject(value, cut) : (value as GenericValue);
}

/** The object within the levels that are left; its ids are there in any case. */
function truncateObject(json: IDataObject, cut: Truncation): IDataObject {
	const inner = { ...cut, depth: cut.depth - 1 };
	const entries = Object.entries(json).flatMap(([key, value]): Array<[string, Json]> => {
		if (isEmptyValue(value)) return [];
		if (isId(key)) return [[key, value]];
		if (cut.depth < 1 && typeof value !== 'object') return [];
		const kept = truncateValue(value, inner);
		return kept === undefined || isEmptyValue(kept) ? [] : [[key, kept]];
	});
	return Object.fromEntries(entries);
}

/** Without the service's own `id` where the same stands under the name that other tools ask for. */
function removeDuplicateId({ id, ...rest }: IDataObject): IDataObject {
	const known = Object.entries(rest).some(([key, value]) => key.endsWith('_id') && value === id);
	return id === undefined || known ? rest : { id, ...rest };
}

/** Items as n8n recognises errors: they stay as they are. */
const isErrorJson = ({ json }: INodeExecutionData) => typeof json.error === 'string';

const countJsonCharacters = (items: readonly INodeExecutionData[]) =>
	JSON.stringify(items.map(({ json }) => json)).length;

const repeatedCallNote =
	'This is the result of your earlier call with the same values: nothing new was made or paid. Change a value to make another one.';

/**
 * The items, short enough for a model. Nothing becomes an item that says so.
 *
 * @param repeats the model has asked for the same before
 */
export function truncateForModel(
	items: INodeExecutionData[],
	repeats: boolean,
): INodeExecutionData[] {
	if (items.length === 0) return [{ json: { found: 0, note: 'Nothing was found.' } }];
	const most = items.length === 1 ? maxCharacters.one : maxCharacters.list;
	let kept = items;
	for (const one of truncations) {
		// Of one thing, its addresses are what was asked for.
		const cut = { ...one, addresses: one.addresses || items.length === 1 };
		kept = items.map((item) =>
			isErrorJson(item)
				? item
				: { ...item, json: truncateObject(removeDuplicateId(item.json), cut) },
		);
		if (countJsonCharacters(kept) <= most) break;
	}
	if (!repeats) return kept;
	return kept.map((item) =>
		isErrorJson(item) ? item : { ...item, json: { ...item.json, repeated: repeatedCallNote } },
	);
}
