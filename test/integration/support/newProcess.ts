import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import type * as Clock from '../../../nodes/core/clock';
import { loadFreshModules } from '../../freshModules';
import { nodesFolder, requireNodeType } from './engine';
import { useVirtualTime } from './time';

/**
 * Loads a node and the modules that it imports again, as a new process of n8n does: with empty memory.
 *
 * @param replace modules that are not loaded from their file, by their path
 */
export const loadInNewProcess = (name: string, replace?: Record<string, object>): INodeType =>
	loadFreshModules(
		[nodesFolder],
		() => {
			// eslint-disable-next-line @typescript-eslint/no-require-imports -- a copy of the module
			const { clock } = require(join(nodesFolder, 'core', 'clock')) as typeof Clock;
			useVirtualTime(clock);
			return requireNodeType(name);
		},
		replace,
	);
