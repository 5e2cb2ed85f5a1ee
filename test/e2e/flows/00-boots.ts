import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../../../tools/install';
import { credentialType, packageName } from '../../../tools/stage';
import type { Flow } from '../flow';

export const flow: Flow = {
	name: 'n8n lists every node and credential of the installed package',
	older: 'main',
	run: async ({ n8n, credential }) => {
		const packageJson = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[] };
		};
		const declared = packageJson.n8n.nodes.map((file) => basename(file, '.node.js'));
		assert.ok(declared.length > 0, 'package.json declares nodes');

		const listed = (await n8n.nodeTypes())
			.map(({ name }) => name)
			.filter((name) => name.startsWith(`${packageName}.`));
		for (const name of declared) {
			const type = `${packageName}.${name[0]?.toLowerCase()}${name.slice(1)}`;
			assert.ok(listed.includes(type), `${type} is missing; listed: ${listed.join(', ')}`);
		}

		const saved = await n8n.api<{ type: string }>('GET', `/credentials/${credential.id}`);
		assert.equal(saved.type, credentialType);
		assert.doesNotMatch(n8n.logs(), /Failed to load package|Skipping package/);
	},
};
