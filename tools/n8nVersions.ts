/**
 * The versions of n8n that the flows run on, and their differences for a program that controls n8n from
 * outside. `npm run n8n` changes the newest one, also in the documents that name it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './install';

export interface N8nVersion {
	version: string;
	/** Folder of its installation, with its own package.json and lock file. */
	folder: string;
	/** Environment variables that only this version knows. */
	env: Record<string, string>;
	/** Whether a manual run refers to the saved workflow. If not, the request contains the workflow. */
	runsSavedWorkflow: boolean;
	/** Whether publishing an already published workflow registers its triggers again. */
	registersAgain: boolean;
	/** Whether n8n can test a credential before it is saved. */
	canTestUnsavedCredential: boolean;
	/** Number of rejected requests with an expired OAuth token before n8n renews the token. */
	rejectionsBeforeTokenRenewal: number;
}

/** Returns the folder of an installation, and the version in its package.json. */
function readInstallation(name: string): Pick<N8nVersion, 'folder' | 'version'> {
	const folder = join(projectRoot, 'tools', name);
	const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		dependencies: { n8n: string };
	};
	return { folder, version: dependencies.n8n };
}

/** The version that commands use by default. */
export const newestVersion: N8nVersion = {
	...readInstallation('n8n'),
	// Disables a module that downloads a catalog from n8n's servers.
	env: { N8N_DISABLED_MODULES: 'mcp-registry' },
	runsSavedWorkflow: true,
	registersAgain: false,
	canTestUnsavedCredential: true,
	rejectionsBeforeTokenRenewal: 1,
};

export const n8nVersions: readonly N8nVersion[] = [
	newestVersion,
	{
		...readInstallation('n8n-1'),
		env: {},
		runsSavedWorkflow: false,
		registersAgain: false,
		canTestUnsavedCredential: false,
		rejectionsBeforeTokenRenewal: 2,
	},
];

/**
 * Returns the version that the user named, in full or by its major version. A version that the project
 * does not use must be named in full. It gets its own folder, and a lock file when it is installed.
 */
export function findN8nVersion(version: string): N8nVersion {
	const found = n8nVersions.find((one) => `${one.version}.`.startsWith(`${version}.`));
	if (found) return found;
	const [major = '', minor] = version.split('.');
	const nearest = n8nVersions.find((one) => one.version.startsWith(`${major}.`));
	if (nearest && /^\d+\.\d+\.\d+$/.test(version)) {
		const folder = join(projectRoot, '.n8n', version);
		// In 2.40, n8n began to publish in the background.
		const isBefore = nearest === newestVersion && Number(minor) < 40;
		const differences = isBefore ? { registersAgain: true } : {};
		return { ...nearest, ...differences, version, folder };
	}
	const known = n8nVersions.map((one) => one.version).join(' and ');
	throw new Error(`There is no n8n ${version} here: ${known} are known. Name others in full.`);
}
