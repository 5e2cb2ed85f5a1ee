import { join } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import type * as Clock from '../../../nodes/core/clock';
import { nodesFolder, requireNodeType } from './engine';
import { useVirtualTime } from './time';

/** Loads a node and the modules that it imports again, as a new process of n8n does: with empty memory. */
export function loadInNewProcess(name: string): INodeType {
	const listOwn = () =>
		Object.entries(require.cache).filter(([file]) => file.startsWith(nodesFolder));
	const forgetOwn = () => {
		for (const [file] of listOwn()) delete require.cache[file];
	};
	const before = listOwn();
	forgetOwn();
	try {
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- a copy of the module
		const { clock } = require(join(nodesFolder, 'core', 'clock')) as typeof Clock;
		useVirtualTime(clock);
		return requireNodeType(name);
	} finally {
		forgetOwn();
		Object.assign(require.cache, Object.fromEntries(before));
	}
}
