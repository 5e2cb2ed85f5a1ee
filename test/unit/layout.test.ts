/** Rules for the place of a test, so that there is only one to search. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..', '..');
const integration = path.join(root, 'test', 'integration');

const namesIn = (...folder: string[]) => readdirSync(path.join(root, ...folder));

const nodes = namesIn('nodes').filter((name) => name.startsWith('VideoGen'));
/** Triggers run no operations: their tests have a folder of their own. */
const actionNodes = nodes.filter((name) =>
	existsSync(path.join(root, 'nodes', name, 'operations')),
);

const testsOf = (folder: string) =>
	namesIn('test', 'integration', folder).filter((name) => name.endsWith('.test.ts'));

test('every node with operations has its cases in test/integration/nodes/<node>.test.ts', () => {
	expect(actionNodes.length).toBeGreaterThan(1);
	expect(testsOf('nodes')).toEqual(
		expect.arrayContaining(actionNodes.map((node) => `${node}.test.ts`)),
	);
});

test('every file there is named after a node: <node>.test.ts or <node>.<topic>.test.ts', () => {
	const others = testsOf('nodes').filter((name) => !actionNodes.includes(name.split('.')[0] ?? ''));
	expect(others).toEqual([]);
});

test('what operations share is in core, the triggers in trigger, helpers in support', () => {
	const loose = readdirSync(integration, { withFileTypes: true });
	expect(loose.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([]);
	expect(loose.map(({ name }) => name).sort()).toEqual(['core', 'nodes', 'support', 'trigger']);
	expect(testsOf('support')).toEqual([]);
});

test('no two files of the integration tests have the same name', () => {
	const all = ['core', 'nodes', 'trigger'].flatMap(testsOf);
	expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([]);
});

test('nothing that npm run new wrote is left to be filled in', () => {
	const places = globSync(
		[
			'{credentials,nodes,simulator}/**/*.{ts,json}',
			'test/{integration,simulator}/**/*.ts',
			...['README.md', 'simulator/openapi.yaml', 'tools/icons.ts'],
		],
		{ cwd: root, exclude: ['**/node_modules', 'simulator/dist'] },
	).flatMap((file) =>
		readFileSync(path.join(root, file), 'utf8')
			.split('\n')
			.flatMap((line, i) => (line.includes('TODO') ? [`${file}:${i + 1} ${line.trim()}`] : [])),
	);
	if (places.length > 0) throw new Error(['Fill in:', ...places].join('\n'));
});
