/* Prepares everything that the workflow publishes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, runCommand, createTemporaryFolder, timedLog as log } from './child';
import { projectRoot } from './install';
import { readRepositoryUrl, readSiteUrl } from './links';
import { readOptions } from './options';
import { build, buildTarball, pack } from './pack';
import { buildSite } from './site';

const help = `Prepares a release: checks that nothing is missing, builds the package twice and compares both builds, packs
the simulator, lets npm check both tarballs, builds the documentation site, and writes the release notes.
Runs in .github/workflows/publish.yml, at a tag such as v0.10.0. Other jobs there publish the results.

  npm run release -- --dry-run   on any machine: names what is missing, and leaves no files
  npm run release                fails if something is missing; writes into release/`;

/** Where a release leaves its files. */
const releaseFolder = join(projectRoot, 'release');

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
	const [heading, newest] = /^## (\S+).*/m.exec(changelog) ?? [];
	return [
		newest === version ? '' : `CHANGELOG.md begins with ${newest}, package.json says ${version}`,
		/ - \d{4}-\d\d-\d\d$/.test(heading ?? '')
			? ''
			: `The heading of CHANGELOG.md has no date: "## ${version} - 2030-01-31"`,
		repository === undefined ? 'package.json names no "repository", which provenance needs' : '',
		site === undefined ? 'package.json has no documentation site as "homepage"' : '',
		/@.+\.\w+$/.test(authorEmail) && !authorEmail.endsWith('.example')
			? ''
			: 'package.json names no "author" with an email address, which n8n compares with the registry',
		changed.length === 0 ? '' : `Not committed: ${changed.join(', ')}`,
		env.GITHUB_REF_NAME === `v${version}` ? '' : `The tag is not v${version}`,
	].filter((line) => line !== '');
}

/**
 * Text of the GitHub release: the version's section of the changelog, whose part "Changed" says what to do
 * when upgrading, and the checksums of the files.
 */
export function renderReleaseNotes(
	changelog: string,
	checksums: Readonly<Record<string, string>>,
): string {
	const [, section = ''] = changelog.split(/^## .*\n/m);
	const lines = Object.entries(checksums).map(([file, sha256]) => `${sha256}  ${file}`);
	return `${section.trim()}\n\n### SHA-256\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
}

const hashFile = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * Builds and packs the package twice, or once if VIDEOGEN_TARBALL names an earlier tarball. Throws an error if the two
 * tarballs are not identical.
 */
async function packTwice(folder: string): Promise<string> {
	const first = hashFile(await buildTarball(folder, log));
	await build(log);
	const tarball = await pack(folder, log);
	if (hashFile(tarball) !== first) {
		throw new Error('The build is not reproducible: two builds gave different tarballs');
	}
	log('Both builds are identical');
	return tarball;
}

/** Builds and packs the simulator, which is a package of its own. */
async function packSimulator(folder: string): Promise<string> {
	const cwd = join(projectRoot, 'simulator');
	await runCommand('npm', ['pack', '--pack-destination', folder], {
		cwd,
		label: 'Packing the simulator',
		log,
	});
	const { name, version } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};
	return join(folder, `${name}-${version}.tgz`);
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

	const { folder: temporaryFolder, remove } = createTemporaryFolder('videogen-release-');
	const folder = dry ? temporaryFolder : releaseFolder;
	mkdirSync(folder, { recursive: true });
	try {
		const tarballs = [await packTwice(folder), await packSimulator(folder)];
		for (const tarball of tarballs) {
			const args = ['publish', tarball, '--access', 'public', '--ignore-scripts', '--dry-run'];
			const label = `Checking ${basename(tarball)} with npm`;
			await runCommand('npm', args, { cwd: temporaryFolder, label, log });
		}
		await buildSite(log);
		const checksums = Object.fromEntries(
			tarballs.map((tarball) => [basename(tarball), hashFile(tarball)]),
		);
		const changelog = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8');
		const notes = renderReleaseNotes(changelog, checksums);
		writeFileSync(join(folder, 'notes.md'), notes);
		for (const [file, sha256] of Object.entries(checksums)) log(`${file}, SHA-256 ${sha256}`);
		log(`The release notes have ${notes.split('\n').length} lines`);
	} finally {
		remove();
	}
	for (const line of lacks) log(`Missing for a release: ${line}`);
}

if (require.main === module) main().then(() => process.exit(), fail);
