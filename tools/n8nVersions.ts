/**
 * The lines of n8n that the package is tried with, and all in which they differ for whoever drives
 * them from outside. The README tells users the same.
 */
import { join } from 'node:path';
import { projectRoot } from './install';

export interface N8nVersion {
	/** The version of n8n that stands for the line. */
	version: string;
	/** Where it is installed, from a package.json and a lock file of its own. */
	folder: string;
	/** Settings that it has and others have not. */
	env: Record<string, string>;
	/** It publishes and unpublishes after it has answered; else before. */
	publishesAfterResponse: boolean;
	/** A manual run names the workflow that n8n knows; else it brings the workflow along. */
	runsSavedWorkflow: boolean;
	/** When it starts, it asks triggers whether they are registered. */
	checksTriggersOnStart: boolean;
	/** A credential can be tested before it is saved. */
	canTestUnsavedCredential: boolean;
	/** A request with an OAuth token that has expired is refused so often before the token is renewed. */
	refusalsBeforeTokenRenewal: number;
	/** A workflow gets what one that it has run gives out at its end, also when that was put aside. */
	returnsOutputAfterWait: boolean;
	/** The address of an execution that is put aside holds a token, and a call without it is refused. */
	signsResumeUrls: boolean;
}

const folderOf = (name: string) => join(projectRoot, 'tools', name);

/** What is tried unless another line is asked for. */
export const newestVersion: N8nVersion = {
	version: '2.40.7',
	folder: folderOf('n8n'),
	// No catalogue from n8n's servers.
	env: { N8N_DISABLED_MODULES: 'mcp-registry' },
	publishesAfterResponse: true,
	runsSavedWorkflow: true,
	checksTriggersOnStart: false,
	canTestUnsavedCredential: true,
	refusalsBeforeTokenRenewal: 1,
	returnsOutputAfterWait: true,
	signsResumeUrls: true,
};

export const n8nVersions: readonly N8nVersion[] = [
	newestVersion,
	{
		version: '1.123.81',
		folder: folderOf('n8n-1'),
		env: {},
		publishesAfterResponse: false,
		runsSavedWorkflow: false,
		checksTriggersOnStart: true,
		canTestUnsavedCredential: false,
		refusalsBeforeTokenRenewal: 2,
		returnsOutputAfterWait: false,
		signsResumeUrls: false,
	},
];

/** The line of a version that somebody typed. */
export function findN8nVersion(version: string): N8nVersion {
	const found = n8nVersions.find((one) => one.version === version);
	if (found) return found;
	const known = n8nVersions.map((one) => one.version).join(' and ');
	throw new Error(`There is no n8n ${version} here: ${known} are known.`);
}
