import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../simulator');

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
	.filter((name) => name.endsWith('.ts'))
	.map((name) => join(root, name));

/** The simulator's own files that a file imports, for their types too, which lint overlooks. */
function importsOf(file: string) {
	return ts
		.preProcessFile(readFileSync(file, 'utf8'))
		.importedFiles.map(({ fileName }) => join(dirname(file), fileName))
		.flatMap(
			(path) => files.find((one) => one === `${path}.ts` || one === `${path}/index.ts`) ?? [],
		);
}

test('no import of the simulator runs in a circle, not for a type either', () => {
	const imports = new Map(files.map((file) => [file, importsOf(file)]));
	expect([...imports.values()].flat().length).toBeGreaterThan(files.length);
	const circles: string[] = [];
	const done = new Set<string>();
	const follow = (file: string, way: string[]) => {
		if (way.includes(file)) {
			const circle = [...way.slice(way.indexOf(file)), file];
			circles.push(circle.map((one) => relative(root, one)).join(' -> '));
			return;
		}
		if (done.has(file)) return;
		for (const next of imports.get(file) ?? []) follow(next, [...way, file]);
		done.add(file);
	};
	for (const file of files) follow(file, []);
	expect(circles).toEqual([]);
});
