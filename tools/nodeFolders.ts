import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './install';

export const nodesFolder = join(projectRoot, 'nodes');
export const docsFolder = join(projectRoot, 'docs');
export const nodePagesFolder = join(docsFolder, 'nodes');

/** Returns the names of the folders of all nodes in the package, sorted. */
export const listNodeFolders = () =>
	readdirSync(nodesFolder)
		.filter((name) => /^VideoGen\w+$/.test(name))
		.sort();
