/** The items on the pages of docs/nodes: `npm run generate` stores them, other runs compare them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';

/** An item on a page. */
interface Shown {
	json: unknown;
	/** Files by their binary field. */
	files?: Record<string, string>;
}

/** `npm run generate` names a folder of its own, so that it can replace all pages at once. */
const { KEEP_ITEMS: keptFolder } = process.env;
const folder = keptFolder ?? path.join(__dirname, '..', '..', '..', 'docs', 'nodes', 'items');
const getFile = (node: string) => path.join(folder, `${node}.json`);

const readShown = (node: string) =>
	existsSync(getFile(node))
		? (JSON.parse(readFileSync(getFile(node), 'utf8')) as Record<string, Shown>)
		: {};

/** Replaces every time, in seconds and as text. */
const time = Date.UTC(2026, 0, 31, 9) / 1000;

const longestText = 90;
const longestList = 1;

/** Makes items of different runs equal: numbers the IDs, replaces the times, shortens the URLs. */
function createNormalizer() {
	const ids = new Map<string, string>();
	const idOf = (id: string) => {
		if (!ids.has(id)) ids.set(id, String(ids.size + 1).padStart(4, '0'));
		return `id${ids.get(id)}`;
	};
	const text = (original: string): string => {
		const fixed = original
			.replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://service.example')
			.replace(/(https:\/\/\S+?)\?\S*/g, '$1')
			.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|\+00:00)?/g, new Date(time * 1000).toISOString())
			.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}/g, idOf);
		return fixed.length > longestText ? `${fixed.slice(0, longestText)}…` : fixed;
	};
	const value = (original: unknown): unknown => {
		if (typeof original === 'string') return text(original);
		// No other number in an item is as large.
		if (typeof original === 'number' && original > 1.5e9 && original < 3e9) return time;
		if (Array.isArray(original)) {
			const first = original.slice(0, longestList).map(value);
			return original.length > first.length ? [...first, '…'] : first;
		}
		if (original !== null && typeof original === 'object') {
			return Object.fromEntries(
				Object.entries(original).map(([key, inner]) => [text(key), value(inner)]),
			);
		}
		return original;
	};
	return value;
}

function describeItem({ json, binary = {} }: INodeExecutionData): Shown {
	const files = Object.fromEntries(
		Object.entries(binary).map(([field, { fileName = 'file', mimeType }]) => [
			field,
			`${fileName}, ${mimeType}`,
		]),
	);
	const all = createNormalizer()({ json, ...(Object.keys(files).length > 0 ? { files } : {}) });
	// As read from a file: without undefined values.
	return JSON.parse(JSON.stringify(all)) as Shown;
}

/** Expects that an item equals the one on the page of its node. `npm run generate` stores it instead. */
export function expectOnPage(
	node: string,
	name: string,
	item: INodeExecutionData | undefined,
): void {
	if (!item) throw new Error(`${node}, ${name}: no item to show`);
	const shown = describeItem(item);
	const kept = readShown(node);
	if (keptFolder !== undefined) {
		const all = Object.entries({ ...kept, [name]: shown }).sort(([a], [b]) => (a < b ? -1 : 1));
		writeFileSync(getFile(node), `${JSON.stringify(Object.fromEntries(all), null, '\t')}\n`);
		return;
	}
	try {
		expect(shown).toEqual(kept[name]);
	} catch (error) {
		throw new Error(`Run npm run generate: docs/nodes/${node}.md is out of date\n${String(error)}`);
	}
}
