import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, runCommand } from './child';
import { projectRoot } from './install';

export async function build(log: Log): Promise<void> {
	log('Building the package …');
	await runCommand('npm', ['run', 'build'], { cwd: projectRoot, label: 'Building', log });
}

/** Packs the built project as `npm publish` would, and returns the tarball's path. */
export async function pack(folder: string, log: Log): Promise<string> {
	if (!existsSync(join(projectRoot, 'dist'))) throw new Error('Nothing to pack: build first');
	mkdirSync(folder, { recursive: true });
	for (const name of readdirSync(folder)) {
		if (name.endsWith('.tgz')) rmSync(join(folder, name));
	}
	const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
	await runCommand('npm', args, { cwd: projectRoot, label: 'Packing', log });
	const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
	if (!tarball) throw new Error(`npm pack left no tarball in ${folder}`);
	return join(folder, tarball);
}
