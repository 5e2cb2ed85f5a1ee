/** Reads the source, and therefore stands apart from the other tests of texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

test('no text of the nodes has its characters counted by zod', () => {
	const root = join(__dirname, '../../nodes');
	const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
		name.endsWith('.ts'),
	);
	expect(files.length).toBeGreaterThan(100);
	const counted = /\bz\s*\.string\(\)(?:\s*\.(?:trim|min)\([^()]*\))*\s*\.(?:max|length)\(/;
	expect(files.filter((name) => counted.test(readFileSync(join(root, name), 'utf8')))).toEqual([]);
});
