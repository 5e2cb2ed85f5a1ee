import type { Resource } from '../../core/operation';
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

export const resources: readonly Resource[] = [
	{
		name: 'Run',
		value: 'run',
		id: 'run_id',
		operations: [startRun, getRun, getRuns, getNodeRuns, cancelRun],
	},
	{
		name: 'Workflow',
		value: 'workflow',
		id: 'workflow_id',
		operations: [create, get, getMany, update, getNodeTypes],
	},
	{ name: 'Version', value: 'version', operations: [publishVersion, getVersion, getVersions] },
];
