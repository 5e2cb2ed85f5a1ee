import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

const filesOf = (root: string) =>
	globSync('**/*.ts', { cwd: root, exclude: ['**/node_modules'] }).map((name) => join(root, name));

/** Files that a file imports, also for their types only. */
function importsOf(file: string, files: readonly string[]) {
	return ts
		.preProcessFile(readFileSync(file, 'utf8'))
		.importedFiles.map(({ fileName }) => join(dirname(file), fileName))
		.flatMap(
			(path) => files.find((one) => one === `${path}.ts` || one === `${path}/index.ts`) ?? [],
		);
}

/** The names that a file declares at the top level; with `exported` only those that it exports. */
function namesIn(file: string, { exported = false } = {}): string[] {
	const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
	return source.statements.flatMap((statement) => {
		const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : [];
		const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
		if (exported && !isExported) return [];
		const declared = ts.isVariableStatement(statement)
			? [...statement.declarationList.declarations]
			: ts.isFunctionDeclaration(statement) ||
				  ts.isClassDeclaration(statement) ||
				  ts.isInterfaceDeclaration(statement) ||
				  ts.isTypeAliasDeclaration(statement)
				? [statement]
				: [];
		return declared.flatMap(({ name }) => (name && ts.isIdentifier(name) ? name.text : []));
	});
}

test.each(['nodes', 'simulator', 'tools', 'test'])(
	'no imports of %s/ form a circle, not for types either',
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

const nodesFolder = join(__dirname, '../../nodes');
const pathIn = (root: string, file: string) => relative(root, file).split(sep).join('/');

test('a top-level name means one thing: no two files of nodes/ declare the same', () => {
	const places = new Map<string, string[]>();
	for (const file of filesOf(nodesFolder)) {
		const path = pathIn(nodesFolder, file);
		// An operation is named after what it does to its resource, and each node lists its own.
		const exempt = path.endsWith('/operations/index.ts')
			? ['resources']
			: path.includes('/operations/')
				? namesIn(file, { exported: true })
				: [];
		for (const name of new Set(namesIn(file))) {
			if (!exempt.includes(name)) places.set(name, [...(places.get(name) ?? []), path]);
		}
	}
	expect(places.size).toBeGreaterThan(800);
	expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
});

/** The layers of nodes/core, from top to bottom: a file imports from its own layer and those below. */
const layers = [
	['execute.ts'],
	['collect/'],
	['send/'],
	['plan/'],
	['ledger/'],
	['suspend/'],
	['describe/'],
	['operation.ts', 'operationTraits.ts'],
	['form/'],
	['jobs/'],
	['files/'],
	['http/'],
	['errors/'],
	[
		...['json.ts', 'time.ts', 'clock.ts', 'boundedMap.ts', 'semaphore.ts', 'digest.ts'],
		...['webhookSignature.ts', 'hints.ts'],
	],
];

test('no import of nodes/core runs upward, not for types either', () => {
	const root = join(nodesFolder, 'core');
	const files = filesOf(root);
	const layerOf = (file: string) =>
		layers.findIndex((entries) => entries.some((entry) => pathIn(root, file).startsWith(entry)));
	const unplaced = files.filter((file) => layerOf(file) === -1).map((file) => pathIn(root, file));
	const upward = files.flatMap((file) =>
		importsOf(file, files)
			.filter((target) => layerOf(target) < layerOf(file))
			.map((target) => `${pathIn(root, file)} -> ${pathIn(root, target)}`),
	);
	expect({ unplaced, upward }).toEqual({ unplaced: [], upward: [] });
});
