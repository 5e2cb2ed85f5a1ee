/** The items that the pages of docs/nodes show: kept by `npm run generate`, compared by every other run. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';

/** What a page shows of an item. */
interface Shown {
	json: unknown;
	/** Files by their binary field. */
	files?: Record<string, string>;
}

const fileOf = (node: string) =>
	path.join(__dirname, '..', '..', '..', 'docs', 'nodes', 'items', `${node}.json`);

const keptOf = (node: string) =>
	existsSync(fileOf(node))
		? (JSON.parse(readFileSync(fileOf(node), 'utf8')) as Record<string, Shown>)
		: {};

/** Every time is this one, in seconds and as text. */
const time = Date.UTC(2026, 0, 31, 9) / 1000;

const longestText = 90;
const longestList = 1;

/** Makes the same of every run: random ids are counted, times are one time, addresses are short. */
function steady() {
	const ids = new Map<string, string>();
	const idOf = (id: string) => {
		if (!ids.has(id)) ids.set(id, String(ids.size + 1).padStart(4, '0'));
		return `id${ids.get(id)}`;
	};
	const text = (given: string): string => {
		const fixed = given
			.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://service.example')
			.replace(/(https:\/\/\S+?)\?\S*/g, '$1')
			.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|\+00:00)?/g, new Date(time * 1000).toISOString())
			.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}/g, idOf);
		return fixed.length > longestText ? `${fixed.slice(0, longestText)}…` : fixed;
	};
	const value = (given: unknown): unknown => {
		if (typeof given === 'string') return text(given);
		// No other number of an item is as great.
		if (typeof given === 'number' && given > 1.5e9 && given < 3e9) return time;
		if (Array.isArray(given)) {
			const first = given.slice(0, longestList).map(value);
			return given.length > first.length ? [...first, '…'] : first;
		}
		if (given !== null && typeof given === 'object') {
			return Object.fromEntries(
				Object.entries(given).map(([key, inner]) => [text(key), value(inner)]),
			);
		}
		return given;
	};
	return value;
}

function shownOf({ json, binary = {} }: INodeExecutionData): Shown {
	const files = Object.fromEntries(
		Object.entries(binary).map(([field, { fileName = 'file', mimeType }]) => [
			field,
			`${fileName}, ${mimeType}`,
		]),
	);
	const all = steady()({ json, ...(Object.keys(files).length > 0 ? { files } : {}) });
	// As it is read from a file: without what is undefined.
	return JSON.parse(JSON.stringify(all)) as Shown;
}

/** Sees that an item is the one on the page of its node; `npm run generate` keeps it there. */
export function showsOnPage(
	node: string,
	name: string,
	item: INodeExecutionData | undefined,
): void {
	if (!item) throw new Error(`${node}, ${name}: no item to show`);
	const shown = shownOf(item);
	const kept = keptOf(node);
	if (process.env.KEEP_ITEMS === '1') {
		const all = Object.entries({ ...kept, [name]: shown }).sort(([a], [b]) => (a < b ? -1 : 1));
		writeFileSync(fileOf(node), `${JSON.stringify(Object.fromEntries(all), null, '\t')}\n`);
		return;
	}
	try {
		expect(shown).toEqual(kept[name]);
	} catch (error) {
		throw new Error(`Run npm run generate: docs/nodes/${node}.md is out of date\n${String(error)}`);
	}
}
