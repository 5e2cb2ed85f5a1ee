import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';

/** Checks that guides contain what a flow does, so that both change together. */
export function requireInGuides(pages: readonly string[], passages: readonly string[]): void {
	const text = pages
		.map((name) => readFileSync(join(projectRoot, name), 'utf8').replace(/\s+/g, ' '))
		.join(' ');
	for (const passage of passages) assert.ok(text.includes(passage), passage);
}
