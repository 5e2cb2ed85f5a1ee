/** The nodes and credentials of the package, read from their sources: nothing need be built. */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { projectRoot } from './install';

export const nodesFolder = join(projectRoot, 'nodes');
const credentialsFolder = join(projectRoot, 'credentials');

const load = createRequire(__filename);

/** The folders of the nodes, in order. */
export const nodeFolders = () =>
	readdirSync(nodesFolder)
		.filter((name) => /^VideoGen\w+$/.test(name))
		.sort();

function made<T>(file: string, name: string): T {
	const Type = (load(file) as Record<string, (new () => T) | undefined>)[name];
	if (!Type) throw new Error(`${file} exports no class ${name}`);
	return new Type();
}

export const loadNode = (folder: string) =>
	made<INodeType>(join(nodesFolder, folder, `${folder}.node.ts`), folder);

export const loadCredentials = () =>
	readdirSync(credentialsFolder)
		.filter((name) => name.endsWith('.credentials.ts'))
		.sort()
		.map((file) =>
			made<ICredentialType>(join(credentialsFolder, file), file.replace('.credentials.ts', '')),
		);
