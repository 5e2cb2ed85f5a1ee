import {
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
import { completePackageJson, getRepositoryUrl, makeLinksAbsolute, readPackageJson } from './links';

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

interface PackedProject {
	/** Path in the repository. */
	folder: string;
	/** Files and folders that are shipped, in addition to package.json. */
	files: readonly string[];
}

const nodesPackage: PackedProject = { folder: '.', files: ['LICENSE', 'README.md', 'dist'] };

const simulatorPackage: PackedProject = {
	folder: 'simulator',
	files: ['LICENSE', 'README.md', 'REFERENCE.md', 'dist'],
};

/**
 * Packs a built project and returns the path of the tarball. Removes earlier tarballs in the folder. In
 * packed documents, relative links lead to the web or become plain text. The packed package.json has the
 * author and URLs of the root's package.json.
 */
export async function pack(
	folder: string,
	log: Log,
	project: PackedProject = nodesPackage,
): Promise<string> {
	const source = join(projectRoot, project.folder);
	if (!existsSync(join(source, 'dist'))) throw new Error('dist is missing: build first');
	const packageJson = readPackageJson(source);
	const isTarball = (name: string) =>
		name.startsWith(`${packageJson.name}-`) && name.endsWith('.tgz');
	mkdirSync(folder, { recursive: true });
	for (const name of readdirSync(folder).filter(isTarball)) rmSync(join(folder, name));
	const { folder: stage, remove } = createTemporaryFolder('videogen-pack-');
	try {
		const root = readPackageJson(projectRoot);
		const directory = project === nodesPackage ? undefined : project.folder;
		const shipped = completePackageJson(packageJson, root, directory);
		writeFileSync(join(stage, 'package.json'), `${JSON.stringify(shipped, null, '\t')}\n`);
		for (const name of project.files) {
			if (!name.endsWith('.md')) {
				cpSync(join(source, name), join(stage, name), { recursive: true });
				continue;
			}
			const text = readFileSync(join(source, name), 'utf8');
			const links = makeLinksAbsolute(text, getRepositoryUrl(root), { folder: project.folder });
			writeFileSync(join(stage, name), links);
		}
		const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
		await runCommand('npm', args, { cwd: stage, label: 'Packing', log });
	} finally {
		remove();
	}
	const tarball = readdirSync(folder).find(isTarball);
	if (!tarball) throw new Error(`npm pack left no tarball in ${folder}`);
	return join(folder, tarball);
}

/** Builds and packs the simulator, which is a package of its own. */
export async function packSimulator(folder: string, log: Log): Promise<string> {
	await runCommand(process.execPath, ['build.js'], {
		cwd: join(projectRoot, simulatorPackage.folder),
		label: 'Building the simulator',
		log,
	});
	return await pack(folder, log, simulatorPackage);
}
