/* Publishes the package, from the workflow that can say where it was built. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, runCommand, createTemporaryFolder, timedLog as log } from './child';
import { projectRoot } from './install';
import { readRepositoryUrl } from './links';
import { readOptions } from './options';
import { build, pack } from './pack';

const help = `Publishes the package with a provenance statement, as n8n asks of packages that it verifies. It
runs in .github/workflows/publish.yml, at a tag such as v0.10.0.

  npm run release -- --dry-run   everything but the publishing, anywhere; names what is missing
  npm run release                publishes; refuses while something is missing`;

/** What a release is judged by. */
export interface ReleaseState {
	version: string;
	changelog: string;
	/** The address of the repository, if package.json names one. */
	site: string | undefined;
	/** Files that are not committed. */
	changed: readonly string[];
	/** Of the workflow that runs this. */
	env: Readonly<Record<string, string | undefined>>;
}

/** What keeps a version from being published. */
export function findMissing({ version, changelog, site, changed, env }: ReleaseState): string[] {
	const [, newest] = /^## (\S+)/m.exec(changelog) ?? [];
	return [
		newest === version ? '' : `CHANGELOG.md begins with ${newest}, package.json says ${version}`,
		site === undefined ? 'package.json names no "repository": provenance is about one' : '',
		changed.length === 0 ? '' : `Not committed: ${changed.join(', ')}`,
		env.GITHUB_REF_NAME === `v${version}` ? '' : `The tag is not v${version}`,
		env.ACTIONS_ID_TOKEN_REQUEST_URL === undefined
			? 'Nobody here can sign where it was built: that is for the workflow'
			: '',
	].filter((line) => line !== '');
}

function readReleaseState(): ReleaseState {
	const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
	// Where there is no git, nothing is published anyhow.
	const { stdout } = spawnSync('git', ['status', '--porcelain'], {
		cwd: projectRoot,
		encoding: 'utf8',
	});
	return {
		version: (JSON.parse(read('package.json')) as { version: string }).version,
		changelog: read('CHANGELOG.md'),
		site: readRepositoryUrl(projectRoot),
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
	if (lacks.length > 0 && !dry) throw new Error(`Not published:\n- ${lacks.join('\n- ')}`);

	await build(log);
	const { folder, remove } = createTemporaryFolder('videogen-release-');
	try {
		const tarball = await pack(folder, log);
		const args = ['publish', tarball, '--access', 'public', '--provenance'];
		if (dry) args.push('--dry-run');
		await runCommand('npm', args, { cwd: folder, label: 'Publishing', log });
	} finally {
		remove();
	}
	log(dry ? 'The package could be packed and handed over; nothing was published' : 'Published');
	for (const line of lacks) log(`Missing for a release: ${line}`);
}

if (require.main === module) main().then(() => process.exit(), fail);
