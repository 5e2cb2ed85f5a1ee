/* Prepares the tarball that the workflow publishes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, runCommand, createTemporaryFolder, timedLog as log } from './child';
import { projectRoot } from './install';
import { readRepositoryUrl, readSiteUrl } from './links';
import { readOptions } from './options';
import { build, pack } from './pack';

const help = `Prepares a release: checks that nothing is missing, builds, packs, and lets npm check the tarball.
Runs in .github/workflows/publish.yml, at a tag such as v0.10.0. Another job there publishes the tarball.

  npm run release -- --dry-run   on any machine: names what is missing, and leaves no tarball
  npm run release                fails if something is missing`;

/** Everything that decides whether a version can be published. */
export interface ReleaseState {
	version: string;
	changelog: string;
	/** The URL of the repository, if package.json names one. */
	repository: string | undefined;
	/** The URL of the documentation site, if package.json names one. */
	site: string | undefined;
	/** The email address of the author in package.json. */
	authorEmail: string;
	/** Files with uncommitted changes. */
	changed: readonly string[];
	/** Environment variables of the workflow. */
	env: Readonly<Record<string, string | undefined>>;
}

/** Reasons not to publish, as sentences; empty if the version can be published. */
export function findMissing({
	version,
	changelog,
	repository,
	site,
	authorEmail,
	changed,
	env,
}: ReleaseState): string[] {
	const [, newest] = /^## (\S+)/m.exec(changelog) ?? [];
	return [
		newest === version ? '' : `CHANGELOG.md begins with ${newest}, package.json says ${version}`,
		repository === undefined ? 'package.json names no "repository", which provenance needs' : '',
		site === undefined ? 'package.json has no documentation site as "homepage"' : '',
		/@.+\.\w+$/.test(authorEmail) && !authorEmail.endsWith('.example')
			? ''
			: 'package.json names no "author" with an email address, which n8n compares with the registry',
		changed.length === 0 ? '' : `Not committed: ${changed.join(', ')}`,
		env.GITHUB_REF_NAME === `v${version}` ? '' : `The tag is not v${version}`,
	].filter((line) => line !== '');
}

function readReleaseState(): ReleaseState {
	const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
	// Without git there is no output, and no tag to publish.
	const { stdout } = spawnSync('git', ['status', '--porcelain'], {
		cwd: projectRoot,
		encoding: 'utf8',
	});
	const { version, author } = JSON.parse(read('package.json')) as {
		version: string;
		author: { email: string };
	};
	return {
		version,
		authorEmail: author.email,
		changelog: read('CHANGELOG.md'),
		repository: readRepositoryUrl(projectRoot),
		site: readSiteUrl(projectRoot),
		changed: String(stdout ?? '')
			.split('\n')
			.flatMap((line) => line.slice(3).trim() || []),
		env: process.env,
	};
}

async function main(): Promise<void> {
	const { flags } = readOptions(help, { flags: ['--dry-run'] });
	const dry = flags.has('--dry-run');
	const lacks = findMissing(readReleaseState());
	if (lacks.length > 0 && !dry) throw new Error(`Not ready:\n- ${lacks.join('\n- ')}`);

	await build(log);
	const { folder, remove } = createTemporaryFolder('videogen-release-');
	try {
		const tarball = await pack(dry ? folder : projectRoot, log);
		const args = ['publish', tarball, '--access', 'public', '--ignore-scripts', '--dry-run'];
		await runCommand('npm', args, { cwd: folder, label: 'Checking the tarball with npm', log });
		const sha256 = createHash('sha256').update(readFileSync(tarball)).digest('hex');
		log(`${basename(tarball)}, SHA-256 ${sha256}`);
	} finally {
		remove();
	}
	for (const line of lacks) log(`Missing for a release: ${line}`);
}

if (require.main === module) main().then(() => process.exit(), fail);
