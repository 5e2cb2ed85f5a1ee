/**
 * Order of the options in the list of a collection: first the ones that most workflows need, then
 * the others by name, and last the ones that few workflows need.
 */
import type { INodeProperties } from 'n8n-workflow';

const firstNames = [
	'title',
	'caption',
	'captions',
	'aspect_ratio',
	'orientation',
	'resolution',
	'includeInputFields',
	'checkOnly',
	'fileName',
	'folder_id',
];

const lastNames = [
	'stopBelowBalance',
	'mostJobs',
	'stopJob',
	'payOncePer',
	'idempotencyKey',
	'callback_url',
	'callback_id',
	'waitTimeout',
	'waitForCapacity',
	'pollInterval',
	'requestsAtOnce',
	'additionalBodyFields',
];

/** Returns a number that sorts the names of `firstNames` below 0, and those of `lastNames` above. */
function getRank(name: string): number {
	const first = firstNames.indexOf(name);
	return first >= 0 ? first - firstNames.length : lastNames.indexOf(name) + 1;
}

/** Compares two options by their order in the list. */
export const compareOptions = (
	a: Pick<INodeProperties, 'name' | 'displayName'>,
	b: Pick<INodeProperties, 'name' | 'displayName'>,
) => getRank(a.name) - getRank(b.name) || a.displayName.localeCompare(b.displayName);
