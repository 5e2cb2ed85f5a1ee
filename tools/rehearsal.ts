/**
 * Releases two versions to a registry on this machine, by running the jobs of publish.yml, and installs both in
 * n8n. docs/contributing/publishing.md lists what it cannot imitate.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { parse } from 'yaml';
import { freePort, type RealN8n } from '../test/e2e/n8n';
import { until } from '../test/e2e/until';
import { example, succeeded } from '../test/e2e/workflows';
import { createTemporaryFolder, type Log, runCommand, spawnTracked } from './child';
import { installOnce, projectRoot, runNpm } from './install';
import { type PackageJson, readPackageJson } from './links';
import { listNodeFolders } from './nodeFolders';
import { packageName, startStage, withCredential } from './stage';

const toolFolder = join(projectRoot, 'tools', 'rehearsal');

interface Step {
	uses?: string;
	run?: string;
	env?: Record<string, string | boolean>;
}

interface Job {
	permissions?: Record<string, string>;
	env?: Record<string, string>;
	steps: Step[];
}

/** What several jobs use. Everything is in one temporary folder. */
interface Rehearsal {
	folder: string;
	/** A clone of this project, with the fields that a publisher fills in. */
	repository: string;
	registry: Registry;
	log: Log;
}

interface Registry {
	url: string;
	/** Token that allows publishing. */
	token: string;
}

/** Returns the version in package.json and the next minor version. */
function chooseVersions(): [string, string] {
	const { version = '' } = readPackageJson(projectRoot);
	const [major, minor] = version.split('.').map(Number);
	return [version, `${major}.${Number(minor) + 1}.0`];
}

export async function rehearse(log: Log): Promise<void> {
	if (process.getuid?.() === 0) {
		throw new Error('Run the rehearsal as an ordinary user, because a release needs no root');
	}
	await installOnce(toolFolder, log, async () => {
		const args = ['install', '--ignore-scripts', '--no-save'];
		await runNpm(toolFolder, args, { label: 'Installing the registry (once)', log });
	});
	const [first, second] = chooseVersions();
	const { folder, remove } = createTemporaryFolder('videogen-rehearsal-');
	try {
		const repository = await cloneProject(folder, log);
		const registry = await startRegistry(folder);
		const rehearsal = { folder, repository, registry, log };

		await tagVersion(rehearsal, first);
		await runJob(rehearsal, 'build', first);
		await assert.rejects(
			runJob(rehearsal, 'publish', first),
			/ENEEDAUTH/,
			'the first version needs a token',
		);
		log('As expected, the first version cannot be published without a token');
		const secrets = { NPM_TOKEN: registry.token };
		await runInterrupted(rehearsal, 'publish', first, { interruptions: 2, secrets });
		await runInterrupted(rehearsal, 'notes', first, { interruptions: 3 });
		await checkPublished(rehearsal, first);
		log('The jobs that publish again: everything is public already');
		for (const job of ['publish', 'notes']) await runJob(rehearsal, job, first);
		await checkPublished(rehearsal, first);

		await inN8n(rehearsal, async (n8n) => {
			await tagVersion(rehearsal, second);
			await runJob(rehearsal, 'build', second);
			// Without a token: the packages exist, so the workflow is their trusted publisher.
			await runInterrupted(rehearsal, 'publish', second, { interruptions: 2 });
			await runInterrupted(rehearsal, 'notes', second, { interruptions: 3 });
			await checkPublished(rehearsal, second);
			await updatePackage(n8n, { first, second, log });
		});
		log('The rehearsal succeeded');
	} finally {
		remove();
	}
}

/** Clones the last commit, and fills in a publisher's data. */
async function cloneProject(folder: string, log: Log): Promise<string> {
	const repository = join(folder, 'repository');
	const options = { cwd: folder, label: 'Cloning the last commit', log };
	await runCommand('git', ['clone', '--quiet', projectRoot, repository], options);
	changePackageJson(repository, {
		author: { name: 'Release rehearsal', email: 'rehearsal@host.test' },
		repository: 'https://host.test/rehearsal/n8n-nodes-videogen',
		homepage: 'https://rehearsal.host.test/n8n-nodes-videogen/',
	});
	return repository;
}

function changePackageJson(folder: string, change: PackageJson): void {
	const content = { ...readPackageJson(folder), ...change };
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify(content, null, '\t')}\n`);
}

/** Commits and tags a version, as docs/contributing/publishing.md says. */
async function tagVersion({ repository, log }: Rehearsal, version: string): Promise<void> {
	for (const folder of [repository, join(repository, 'simulator')]) {
		changePackageJson(folder, { version });
	}
	const changelog = join(repository, 'CHANGELOG.md');
	const text = readFileSync(changelog, 'utf8');
	const heading = `## ${version} - ${new Date().toISOString().slice(0, 10)}`;
	const hasVersion = text.includes(`\n## ${version} `);
	writeFileSync(
		changelog,
		text.replace(/^## .*$/m, hasVersion ? heading : `${heading}\n\n- Rehearsed.\n\n$&`),
	);
	const user = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@host.test'];
	const options = { cwd: repository, label: `Tagging ${version}`, log };
	const message = `Release ${version}`;
	await runCommand('git', [...user, 'commit', '--quiet', '--all', '-m', message], options);
	await runCommand('git', [...user, 'tag', '-a', `v${version}`, '-m', message], options);
}

/** Starts the registry, which has no package yet and asks no other registry. */
async function startRegistry(folder: string): Promise<Registry> {
	const home = join(folder, 'registry');
	mkdirSync(home);
	const configFile = join(home, 'config.yaml');
	const url = `http://127.0.0.1:${await freePort()}/`;
	const configure = (token: string) =>
		// JSON is YAML.
		writeFileSync(
			configFile,
			JSON.stringify({
				storage: join(home, 'storage'),
				auth: { htpasswd: { file: join(home, 'htpasswd') } },
				packages: { '**': { access: '$all', publish: '$authenticated' } },
				plugins: join(toolFolder, 'plugins'),
				middlewares: { 'trusted-publishing': { storage: join(home, 'storage'), token } },
				max_body_size: '100mb',
				log: { type: 'file', path: join(home, 'log'), level: 'warn' },
			}),
		);
	const start = async () => {
		const script = join(toolFolder, 'node_modules', 'verdaccio', 'bin', 'verdaccio');
		const args = [script, '--config', configFile, '--listen', url];
		const child = spawnTracked(process.execPath, args, { cwd: home, stdio: 'ignore' });
		await until('the registry answers', async () => {
			const response = await fetch(`${url}-/ping`).catch(() => undefined);
			return response?.ok;
		});
		return child;
	};
	configure('');
	const child = await start();
	const response = await fetch(`${url}-/user/org.couchdb.user:publisher`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ name: 'publisher', password: crypto.randomUUID() }),
	});
	const { token } = (await response.json()) as { token?: string };
	assert.ok(token, `the registry gave no token: HTTP ${response.status}`);
	// The plugin reads the token when the registry starts.
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill();
	await ended;
	configure(token);
	await start();
	return { url, token };
}

interface JobOptions {
	secrets?: Record<string, string>;
	/** File that lists the commands that were interrupted. Without it, no command is interrupted. */
	interrupted?: string;
}

/** Runs a job of publish.yml at a tag. Throws if one of its steps fails. */
async function runJob(
	{ folder, repository, registry, log }: Rehearsal,
	name: string,
	version: string,
	{ secrets = {}, interrupted }: JobOptions = {},
): Promise<void> {
	const workflow = readFileSync(join(repository, '.github', 'workflows', 'publish.yml'), 'utf8');
	const { jobs } = parse(workflow) as { jobs: Record<string, Job> };
	const job = jobs[name];
	assert.ok(job, `publish.yml has no job "${name}"`);
	const { folder: workspace, remove } = createTemporaryFolder(`videogen-${name}-`);
	const artifact = join(folder, `artifact-${version}`);
	const expressions: Record<string, string> = {
		'secrets.NPM_TOKEN': secrets.NPM_TOKEN ?? '',
		'github.token': 'token',
		'github.repository': 'rehearsal/n8n-nodes-videogen',
	};
	const fill = (text: string) =>
		text.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
			const value = expressions[expression];
			assert.ok(value !== undefined, `The rehearsal does not know ${expression}`);
			return value;
		});
	const fillAll = (env: Step['env'] = {}) =>
		Object.fromEntries(Object.entries(env).map(([key, value]) => [key, fill(String(value))]));

	const actions: Record<string, () => Promise<unknown>> = {
		'actions/checkout': async () =>
			await runCommand('git', ['clone', '--quiet', '--branch', `v${version}`, repository, '.'], {
				cwd: workspace,
				label: 'Checking out',
				log,
			}),
		// The rehearsal runs on the Node of the project, with the npm that started it.
		'actions/setup-node': async () => undefined,
		'actions/upload-artifact': async () =>
			await cp(join(workspace, 'release'), artifact, { recursive: true }),
		'actions/download-artifact': async () => await cp(artifact, workspace, { recursive: true }),
	};

	log(`${version}: job ${name}`);
	try {
		for (const { uses, run, env } of job.steps) {
			if (uses !== undefined) {
				const action = actions[uses.replace(/@.*/, '')];
				assert.ok(action, `The rehearsal does not know ${uses}`);
				await action();
			}
			if (run === undefined) continue;
			const script = join(folder, 'step.sh');
			writeFileSync(script, run);
			// The interruption kills this shell.
			const shell = 'export REHEARSAL_SHELL=$$; exec bash -e "$0"';
			await runCommand('bash', ['-c', shell, script], {
				cwd: workspace,
				label: `Step of ${name}`,
				log,
				env: {
					...fillAll(job.env),
					...fillAll(env),
					CI: 'true',
					GITHUB_ACTIONS: 'true',
					GITHUB_REF_NAME: `v${version}`,
					VIDEOGEN_TARBALL: '',
					...(name === 'build' ? {} : registryEnvironment(folder, registry)),
					REHEARSAL_INTERRUPTED: interrupted ?? '',
					...(job.permissions?.['id-token'] === 'write'
						? {
								ACTIONS_ID_TOKEN_REQUEST_URL: `${registry.url}-/rehearsal/identity`,
								ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'token',
								// Only a code host can sign the provenance of a package.
								NPM_CONFIG_PROVENANCE: 'false',
								NPM_CONFIG_USERCONFIG: join(workspace, '.npmrc'),
							}
						: {}),
				},
			});
		}
	} finally {
		remove();
	}
}

/** Returns the environment variables that make npm and gh use the replacements of the public services. */
const registryEnvironment = (folder: string, { url }: Registry) => ({
	PATH: [join(toolFolder, 'bin'), process.env.PATH].join(delimiter),
	NPM_CONFIG_REGISTRY: url,
	REHEARSAL_NPM: process.env.npm_execpath ?? '',
	REHEARSAL_RELEASES: join(folder, 'releases'),
});

/** Runs a job, interrupts it after each command that publishes something, and restarts it each time. */
async function runInterrupted(
	rehearsal: Rehearsal,
	name: string,
	version: string,
	{ interruptions, ...options }: JobOptions & { interruptions: number },
): Promise<void> {
	const interrupted = join(rehearsal.folder, `interrupted-${name}-${version}`);
	writeFileSync(interrupted, '');
	const readCommands = () => readFileSync(interrupted, 'utf8').split('\n').slice(0, -1);
	mkdirSync(join(rehearsal.folder, 'releases'), { recursive: true });
	for (let i = 1; i <= interruptions; i++) {
		await assert.rejects(
			runJob(rehearsal, name, version, { ...options, interrupted }),
			/Interrupted after: /,
		);
		assert.equal(readCommands().length, i);
		rehearsal.log(`Interrupted after: ${readCommands().at(-1)}`);
	}
	await runJob(rehearsal, name, version, { ...options, interrupted });
	assert.equal(readCommands().length, interruptions, 'each command was interrupted once');
}

/** Checks that the registry has both packages exactly as built, and that the release has its files. */
async function checkPublished(
	{ folder, registry, log }: Rehearsal,
	version: string,
): Promise<void> {
	const artifact = join(folder, `artifact-${version}`);
	const lines = readFileSync(join(artifact, 'packages.txt'), 'utf8').trim().split('\n');
	assert.equal(lines.length, 2);
	for (const line of lines) {
		const [spec = '', integrity] = line.split(' ');
		const name = spec.slice(0, spec.indexOf('@'));
		const response = await fetch(`${registry.url}${name}`);
		const { versions, 'dist-tags': tags } = (await response.json()) as {
			versions: Record<string, PackageJson & { dist: { integrity: string }; bugs?: object }>;
			'dist-tags': { latest: string };
		};
		const published = versions[version];
		assert.equal(published?.dist.integrity, integrity);
		assert.equal(tags.latest, version);
		assert.ok(published?.repository && published.author && published.bugs);
		assert.equal(published.scripts ?? published.devDependencies ?? published.workspaces, undefined);
	}
	const release = join(folder, 'releases', `v${version}`);
	assert.ok(!existsSync(join(release, 'draft')), 'the release is public');
	const files = readdirSync(release);
	const wanted = readdirSync(artifact).filter((name) => name !== 'packages.txt');
	assert.deepEqual(files.sort(), wanted.sort());
	const notes = readFileSync(join(release, 'notes.md'), 'utf8');
	assert.doesNotMatch(notes, /\]\((?!https:|#)/, 'the notes have no relative links');
	log(`${version} is published: ${files.join(', ')}`);
}

interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	updateAvailable?: string;
}

const endpoint = '/community-packages';

const readInstalled = async (n8n: RealN8n) =>
	(await n8n.api<InstalledPackage[]>('GET', endpoint)).map(
		({ packageName: name, installedVersion, updateAvailable }) => ({
			name,
			installedVersion,
			updateAvailable,
		}),
	);

const listNodes = async (n8n: RealN8n) =>
	(await n8n.nodeTypes()).map(({ name }) => name).filter((name) => name.startsWith(packageName));

/**
 * Installs the package through n8n's endpoint for community packages, runs the main example, updates the package
 * with `update`, runs the saved workflow again, and uninstalls the package.
 */
async function inN8n(
	{ folder, registry, log }: Rehearsal,
	update: (n8n: RealN8n) => Promise<void>,
): Promise<void> {
	const userFolder = join(folder, 'n8n');
	const stage = await startStage({
		userFolder,
		log,
		env: registryEnvironment(folder, registry),
		install: async (n8n) => {
			assert.deepEqual(await listNodes(n8n), []);
			await n8n.api('POST', endpoint, { name: packageName });
		},
	});
	const { n8n, credential } = stage;
	try {
		const nodes = await listNodes(n8n);
		for (const folderName of listNodeFolders()) {
			assert.ok(
				nodes.includes(`${packageName}.v${folderName.slice(1)}`),
				`n8n lists ${folderName}`,
			);
		}
		log(`n8n has installed ${packageName} through its own endpoint`);

		const draft = withCredential(example('01-prompt-to-video.json'), credential);
		const { id } = await n8n.createWorkflow(draft);
		const runMainExample = async () => {
			const [item] = succeeded(await n8n.run(id), 'Generate Video');
			assert.equal(item?.json.status, 'completed');
			assert.equal(item?.binary?.data?.mimeType, 'video/mp4');
			log('The main example returned its video');
		};
		await runMainExample();
		await update(n8n);
		await runMainExample();

		await n8n.api('DELETE', `${endpoint}?name=${packageName}`);
		assert.deepEqual(await readInstalled(n8n), []);
		assert.deepEqual(await listNodes(n8n), []);
		log(`n8n has uninstalled ${packageName}`);
	} finally {
		await stage.close();
	}
}

async function updatePackage(
	n8n: RealN8n,
	{ first, second, log }: { first: string; second: string; log: Log },
): Promise<void> {
	const name = packageName;
	assert.deepEqual(await readInstalled(n8n), [
		{ name, installedVersion: first, updateAvailable: second },
	]);
	log(`n8n offers the update from ${first} to ${second}`);
	await n8n.api('PATCH', endpoint, { name });
	assert.deepEqual(await readInstalled(n8n), [
		{ name, installedVersion: second, updateAvailable: undefined },
	]);
	log(`n8n has updated ${name} to ${second}`);
}
