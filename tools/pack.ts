import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type Log, runCommand, createTemporaryFolder } from './child';
import { projectRoot } from './install';
import { completePackageJson, makeLinksAbsolute, readRepositoryUrl } from './links';

export async function build(log: Log): Promise<void> {
	log('Building the package …');
	await runCommand('npm', ['run', 'build'], { cwd: projectRoot, label: 'Building', log });
}

/**
 * Builds and packs the package, and returns the path of the tarball.
 *
 * @param folder where the tarball is written, unless the environment variable VIDEOGEN_TARBALL names one that exists:
 *   several commands that run one after the other, or at the same time, then test the same file
 */
export async function buildTarball(folder: string, log: Log): Promise<string> {
	const { VIDEOGEN_TARBALL: existing } = process.env;
	if (!existing) {
		await build(log);
		return await pack(folder, log);
	}
	if (!existsSync(existing)) throw new Error(`VIDEOGEN_TARBALL is ${existing}, which is missing`);
	log(`The package is ${existing}`);
	return resolve(existing);
}

const isPackageTarball = (name: string) => /^n8n-nodes-videogen-\d.*\.tgz$/.test(name);

/**
 * Packs the built project and returns the path of the tarball. Removes earlier tarballs in the folder. In
 * the packed README, relative links lead to the web or become plain text; the packed package.json has the
 * URLs that come from `repository`.
 */
export async function pack(folder: string, log: Log): Promise<string> {
	const dist = join(projectRoot, 'dist');
	if (!existsSync(dist)) throw new Error('dist is missing: build first');
	mkdirSync(folder, { recursive: true });
	for (const name of readdirSync(folder).filter(isPackageTarball)) rmSync(join(folder, name));
	const { folder: stage, remove } = createTemporaryFolder('videogen-pack-');
	try {
		copyFileSync(join(projectRoot, 'LICENSE'), join(stage, 'LICENSE'));
		const site = readRepositoryUrl(projectRoot);
		const packageJson = readFileSync(join(projectRoot, 'package.json'), 'utf8');
		writeFileSync(join(stage, 'package.json'), completePackageJson(packageJson, site));
		const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
		writeFileSync(join(stage, 'README.md'), makeLinksAbsolute(readme, site));
		cpSync(dist, join(stage, 'dist'), { recursive: true });
		const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
		await runCommand('npm', args, { cwd: stage, label: 'Packing', log });
	} finally {
		remove();
	}
	const tarball = readdirSync(folder).find(isPackageTarball);
	if (!tarball) throw new Error(`npm pack left no tarball in ${folder}`);
	return join(folder, tarball);
}
