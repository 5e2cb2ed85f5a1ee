/** Writes bills of materials, and checks the licenses in them, as npm reports them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createTemporaryFolder, type Log, runCommand } from './child';
import { projectRoot } from './install';

interface Component {
	name: string;
	licenses?: Array<{ license?: { id?: string; name?: string }; expression?: string }>;
}

const permissive = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'];

/** Allowed licenses of installed packages. OFL is for fonts. MPL covers only the library's own files. */
const shippedLicenses = [...permissive, 'BlueOak-1.0.0', 'OFL-1.1', 'MPL-2.0'];

/** Allowed licenses of tools that no user receives. */
const toolLicenses = [
	...shippedLicenses,
	...['Apache-2.0 AND MIT', '(AFL-2.1 OR BSD-3-Clause)', '(MIT OR CC0-1.0)'],
	...['Python-2.0', 'PSF-2.0', 'CC-BY-4.0', 'Unlicense'],
];

/** Whether a tool may have another license. docs/contributing/publishing.md says why. */
const isException = (name: string) =>
	/^(@n8n\/.*|n8n-core|n8n-workflow|@n8n_io\/ai-assistant-sdk|node-webpmux)$/.test(name);

const getLicense = ({ licenses = [] }: Component) =>
	licenses
		.map(({ license, expression }) => expression ?? license?.id ?? license?.name)
		.join(', ') || 'no license';

/** Returns the components whose license is not allowed, with their licenses. */
export const findOtherLicenses = (components: readonly Component[], allowed: readonly string[]) =>
	components
		.filter((one) => !allowed.includes(getLicense(one)))
		.map((one) => `${one.name}: ${getLicense(one)}`);

const readComponents = (sbom: string) =>
	(JSON.parse(sbom) as { components?: Component[] }).components ?? [];

function requireLicenses(components: readonly Component[], allowed: readonly string[]): void {
	const others = findOtherLicenses(components, allowed);
	if (others.length > 0)
		throw new Error(`Licenses that are not allowed:\n- ${others.join('\n- ')}`);
}

const sbomArgs = ['sbom', '--sbom-format=cyclonedx'];

/** Throws if a tool that builds or tests the packages has a license that is not allowed. */
export async function checkToolLicenses(log: Log): Promise<void> {
	const options = { cwd: projectRoot, label: 'Checking the licenses of the tools', log };
	const components = readComponents(await runCommand('npm', sbomArgs, options));
	requireLicenses(
		components.filter(({ name }) => !isException(name)),
		toolLicenses,
	);
	log(`${components.length} tools have allowed licenses`);
}

/**
 * Writes a packed package's CycloneDX bill of materials next to it, and returns its path. Installs the
 * dependencies into a temporary folder, because npm would omit those that the workspace's root also uses.
 */
export async function writeSbom(tarball: string, log: Log): Promise<string> {
	const { folder, remove } = createTemporaryFolder('videogen-sbom-');
	try {
		// npm names the package after its folder.
		const cwd = join(folder, basename(tarball).replace(/-\d.*/, ''));
		mkdirSync(cwd);
		const args = ['-xzf', tarball, '-C', cwd, '--strip-components=1', 'package/package.json'];
		const untar = spawnSync('tar', args, { encoding: 'utf8' });
		if (untar.status !== 0) throw new Error(`tar -xzf ${tarball}: ${untar.stderr}`);
		const label = `Listing the contents of ${basename(tarball)}`;
		const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
		// n8n provides the peer dependency.
		await runCommand('npm', ['install', '--legacy-peer-deps', ...quiet], { cwd, label, log });
		const sbom = await runCommand('npm', [...sbomArgs, '--legacy-peer-deps'], { cwd, label, log });
		requireLicenses(readComponents(sbom), shippedLicenses);
		const file = tarball.replace(/\.tgz$/, '.cdx.json');
		writeFileSync(file, sbom);
		log(`${basename(file)} lists ${readComponents(sbom).length} dependencies`);
		return file;
	} finally {
		remove();
	}
}
