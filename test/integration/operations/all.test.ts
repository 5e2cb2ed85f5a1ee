import { existsSync } from 'node:fs';
import path from 'node:path';
import { actionNodes } from '../engine';

test('every node with operations has its test here', () => {
	expect(actionNodes.length).toBeGreaterThan(1);
	for (const node of actionNodes) {
		expect([node, existsSync(path.join(__dirname, `${node}.test.ts`))]).toEqual([node, true]);
	}
});
