/* Prepares everything that the workflow publishes. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fail, runCommand, createTemporaryFolder, timedLog as log } from './child';
import { projectRoot } from './install';
import { getRepositoryUrl, getSiteUrl, makeLinksAbsolute, readPackageJson } from './links';
import { readOptions } from './options';
import { build, buildTarball, pack, packSimulator } from './pack';
import { rehearse } from './rehearsal';
import { checkToolLicenses, writeSbom } from './sbom';
import { buildSite } from './site';

const help = `Prepares a release: checks that nothing is missing, builds both packages twice and compares the builds, lets npm
check the tarballs, checks licenses, lists what the packages contain, builds the documentation site, and writes
the release notes. Runs in .github/workflows/publish.yml, at a tag such as v0.10.0. Other jobs there publish
the results.

  npm run release -- --dry-run    on any machine: names what is missing, and leaves no files
  npm run release                 fails if something is missing; writes into release/
  npm run release -- --rehearse   publishes two versions to a registry on this machine, interrupted after each
                                  step, and installs them in n8n; changes no files (30 minutes, not as root)`;

/** Folder for the files of a release. */
const releaseFolder = join(projectRoot, 'release');

/** Everything that decides whether a version can be published. */
export interface ReleaseState {
	version: string;
	/** The version in simulator/package.json. */
	simulatorVersion: string;
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

/** Returns the reasons not to publish, as sentences. Returns none if the version can be published. */
export function findMissing({
	version,
	simulatorVersion,
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
		simulatorVersion === version
			? ''
			: `simulator/package.json says ${simulatorVersion}, package.json says ${version}`,
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

/** Returns the text of the GitHub release: the version's changelog section, and the files' checksums. */
export function renderReleaseNotes(
	{ changelog, version, repository }: Pick<ReleaseState, 'changelog' | 'version' | 'repository'>,
	checksums: Readonly<Record<string, string>>,
): string {
	const [, section = ''] = changelog.split(/^## .*\n/m);
	const text = makeLinksAbsolute(section.trim(), repository, { version: `v${version}` });
	const lines = Object.entries(checksums).map(([file, sha256]) => `${sha256}  ${file}`);
	return `${text}\n\n### SHA-256\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n`;
}

const hashFile = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

const hashForRegistry = (file: string) =>
	`sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

/** Packs a package twice, and returns the tarball. Throws an error if the two are not identical. */
async function packTwice(packAgain: () => Promise<string>, packFirst = packAgain): Promise<string> {
	const first = hashFile(await packFirst());
	const tarball = await packAgain();
	if (hashFile(tarball) !== first) {
		throw new Error(`The build is not reproducible: two builds of ${basename(tarball)} differ`);
	}
	log(`Both builds of ${basename(tarball)} are identical`);
	return tarball;
}

async function packNodes(folder: string): Promise<string> {
	await build(log);
	return await pack(folder, log);
}

function readReleaseState(): ReleaseState {
	// Without git, there is no output, but also no tag to publish.
	const { stdout } = spawnSync('git', ['status', '--porcelain'], {
		cwd: projectRoot,
		encoding: 'utf8',
	});
	const packageJson = readPackageJson(projectRoot);
	const { version = '', author } = packageJson;
	return {
		version,
		simulatorVersion: readPackageJson(join(projectRoot, 'simulator')).version ?? '',
		authorEmail: author?.email ?? '',
		changelog: readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8'),
		repository: getRepositoryUrl(packageJson),
		site: getSiteUrl(packageJson),
		changed: String(stdout ?? '')
			.split('\n')
			.flatMap((line) => line.slice(3).trim() || []),
		env: process.env,
	};
}

async function main(): Promise<void> {
	const { flags } = readOptions(help, { flags: ['--dry-run', '--rehearse'] });
	if (flags.has('--rehearse')) return await rehearse(log);
	const dry = flags.has('--dry-run');
	const state = readReleaseState();
	const lacks = findMissing(state);
	if (lacks.length > 0 && !dry) throw new Error(`Not ready:\n- ${lacks.join('\n- ')}`);

	const { folder: temporaryFolder, remove } = createTemporaryFolder('videogen-release-');
	const folder = dry ? temporaryFolder : releaseFolder;
	mkdirSync(folder, { recursive: true });
	try {
		await checkToolLicenses(log);
		// The tarballs are in the order of publication.
		const tarballs = [
			await packTwice(() => packSimulator(folder, log)),
			await packTwice(
				() => packNodes(folder),
				() => buildTarball(folder, log),
			),
		];
		for (const tarball of tarballs) {
			const args = ['publish', tarball, '--access', 'public', '--ignore-scripts', '--dry-run'];
			const label = `Checking ${basename(tarball)} with npm`;
			await runCommand('npm', args, { cwd: temporaryFolder, label, log });
			await writeSbom(tarball, log);
		}
		const packages = tarballs.map((tarball) => {
			const file = basename(tarball);
			return `${file.replace(/-(\d.*)\.tgz$/, '@$1')} ${hashForRegistry(tarball)} ${file}\n`;
		});
		writeFileSync(join(folder, 'packages.txt'), packages.join(''));
		await buildSite(log);
		const checksums = Object.fromEntries(
			tarballs.map((tarball) => [basename(tarball), hashFile(tarball)]),
		);
		const notes = renderReleaseNotes(state, checksums);
		writeFileSync(join(folder, 'notes.md'), notes);
		for (const [file, sha256] of Object.entries(checksums)) log(`${file}, SHA-256 ${sha256}`);
		log(`The release notes have ${notes.split('\n').length} lines`);
	} finally {
		remove();
	}
	for (const line of lacks) log(`Missing for a release: ${line}`);
}

if (require.main === module) main().then(() => process.exit(), fail);
