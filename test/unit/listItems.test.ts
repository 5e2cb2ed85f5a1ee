/** The items of lists, as the pages of the nodes show them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';

const folder = join(projectRoot, 'docs', 'nodes', 'items');

const lists = readdirSync(folder).flatMap((file) => {
	const items = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<
		string,
		{ json: Record<string, unknown> }
	>;
	return Object.entries(items)
		.filter(([operation]) => /(^|\.)getMany$/.test(operation))
		.map(([operation, { json }]) => ({ name: `${file}: ${operation}`, json }));
});

test('there are many lists', () => expect(lists.length).toBeGreaterThan(15));

test.each(lists)('$name has times as text, and no URLs of pictures', ({ json }) => {
	for (const [key, value] of Object.entries(json)) {
		if (key.endsWith('_at')) expect([key, typeof value]).toEqual([key, 'string']);
		expect(key).not.toMatch(/(image|thumbnail|preview|logo|gif).*_url$/);
	}
});
