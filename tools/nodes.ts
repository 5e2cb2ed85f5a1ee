/** Loads the nodes and credentials of the package from their sources, so no build is needed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import type { Operation, Resource } from '../nodes/core/operation';
import { projectRoot } from './install';
import { listNodeFolders, nodesFolder } from './nodeFolders';

const credentialsFolder = join(projectRoot, 'credentials');

const load = createRequire(__filename);

function instantiate<T>(file: string, name: string): T {
	const Type = (load(file) as Record<string, (new () => T) | undefined>)[name];
	if (!Type) throw new Error(`${file} exports no class ${name}`);
	return new Type();
}

export const loadNode = (folder: string) =>
	instantiate<INodeType>(join(nodesFolder, folder, `${folder}.node.ts`), folder);

/**
 * Returns the words under which n8n's search finds a node, each in its first spelling. The search ignores
 * case, and further spellings only raise the score.
 */
export function readSearchWords(folder: string): string[] {
	const codex = readFileSync(join(nodesFolder, folder, `${folder}.node.json`), 'utf8');
	const { alias } = JSON.parse(codex) as { alias: string[] };
	const lowercase = alias.map((word) => word.toLowerCase());
	return alias.filter((_, i) => lowercase.indexOf(lowercase[i] ?? '') === i);
}

/** An operation, with the node and resource that list it. */
export interface ListedOperation {
	/** The folder of the node. */
	folder: string;
	resource: Resource;
	operation: Operation;
}

/** Returns the operations of all nodes. Triggers have none. */
export const loadOperations = (): ListedOperation[] =>
	listNodeFolders().flatMap((folder) => {
		const index = join(nodesFolder, folder, 'operations', 'index.ts');
		if (!existsSync(index)) return [];
		const { resources } = load(index) as { resources: readonly Resource[] };
		return resources.flatMap((resource) =>
			resource.operations.map((operation) => ({ folder, resource, operation })),
		);
	});

/**
 * Whether the request line of an operation is an endpoint. The request lines of VideoGen Job Status
 * contain a placeholder instead, because the kind of job determines which endpoint is called.
 */
export const isEndpoint = (line: string) => !/ \/v\d+\/\{/.test(line);

export const loadCredentials = () =>
	readdirSync(credentialsFolder)
		.filter((name) => name.endsWith('.credentials.ts'))
		.sort()
		.map((file) =>
			instantiate<ICredentialType>(
				join(credentialsFolder, file),
				file.replace('.credentials.ts', ''),
			),
		);
