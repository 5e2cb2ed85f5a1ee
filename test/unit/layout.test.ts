/** Rules for the place of a test, so that there is only one to search. */
import { existsSync, readdirSync } from 'node:fs';
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
