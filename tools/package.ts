import { relative } from 'node:path';
import { fail, timedLog as log } from './child';
import { projectRoot } from './install';
import { readOptions } from './options';
import { build, pack } from './pack';

const help = `Builds the package, and packs it into one file for your n8n.

  npm run package   writes n8n-nodes-videogen-<version>.tgz here, and removes earlier ones`;

async function main(): Promise<void> {
	readOptions(help);
	await build(log);
	log(`The package is in ${relative(projectRoot, await pack(projectRoot, log))}`);
}

main().then(() => process.exit(), fail);
