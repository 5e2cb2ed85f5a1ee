import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const filesOf = (root: string) =>
	readdirSync(root, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(root, name));

/** Those of the files that a file imports, for their types too, which lint overlooks. */
function importsOf(file: string, files: readonly string[]) {
	return ts
		.preProcessFile(readFileSync(file, 'utf8'))
		.importedFiles.map(({ fileName }) => join(dirname(file), fileName))
		.flatMap(
			(path) => files.find((one) => one === `${path}.ts` || one === `${path}/index.ts`) ?? [],
		);
}

/** The names that a file declares outside of any function. */
function namesIn(file: string): string[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	return source.statements.flatMap((statement) => {
		const declared = ts.isVariableStatement(statement)
			? [...statement.declarationList.declarations]
			: ts.isFunctionDeclaration(statement) ||
				  ts.isInterfaceDeclaration(statement) ||
				  ts.isTypeAliasDeclaration(statement)
				? [statement]
				: [];
		return declared.flatMap(({ name }) => (name && ts.isIdentifier(name) ? name.text : []));
	});
}

test.each(['nodes', 'simulator'])(
	'no import of %s/ runs in a circle, not for a type either',
	(folder) => {
		const root = join(__dirname, '../..', folder);
		const files = filesOf(root);
		const imports = new Map(files.map((file) => [file, importsOf(file, files)]));
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
	},
);

test('a name of the core means one thing: no two of its files declare the same', () => {
	const places = new Map<string, string[]>();
	const root = join(__dirname, '../../nodes/core');
	for (const file of filesOf(root)) {
		for (const name of new Set(namesIn(file))) {
			places.set(name, [...(places.get(name) ?? []), relative(root, file)]);
		}
	}
	expect(places.size).toBeGreaterThan(100);
	expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});
