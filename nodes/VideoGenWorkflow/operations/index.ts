import { cancelRun } from './cancelRun';
import { create } from './create';
import { get } from './get';
import { getMany } from './getMany';
import { getNodeRuns } from './getNodeRuns';
import { getNodeTypes } from './getNodeTypes';
import { getRun } from './getRun';
import { getRuns } from './getRuns';
import { getVersion } from './getVersion';
import { getVersions } from './getVersions';
import { publishVersion } from './publishVersion';
import { startRun } from './startRun';
import { update } from './update';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	startRun,
	getRun,
	getRuns,
	getNodeRuns,
	cancelRun,
	create,
	get,
	getMany,
	update,
	getNodeTypes,
	publishVersion,
	getVersion,
	getVersions,
];
