/** A service and nodes whose clocks run faster than real time, so that jobs of minutes take seconds. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Simulator } from '../../tools/stage';

/** How many times faster clocks run by default. Requests still take real time, so they seem slower. */
export const timeFactor = 60;

/**
 * Code that n8n loads at its start. It changes the clock of our nodes, and nothing of n8n itself:
 * suspended executions resume by n8n's clock, so they must not wait for time here.
 */
const hook = (start: number, factor: number, skipped: number) => `
const Module = require('node:module');
const load = Module._extensions['.js'];
Module._extensions['.js'] = function (module, file) {
	load.apply(this, arguments);
	if (!file.endsWith('/dist/nodes/core/clock.js')) return;
	const { clock } = module.exports;
	const { sleep } = clock;
	clock.now = () => ${start + skipped} + (Date.now() - ${start}) * ${factor};
	clock.sleep = async (milliseconds, signal) => await sleep(milliseconds / ${factor}, signal);
};
`;

/**
 * Returns the environment for an n8n whose nodes use fast time, and a function that makes the
 * simulator keep pace and returns how to stop that.
 */
export function useFastTime(folder: string, factor = timeFactor) {
	const file = join(folder, 'fastTime.cjs');
	const start = Date.now();
	let skipped = 0;
	/** Sets the clocks ahead. Those of n8n's processes follow when they start again. */
	const skip = (seconds: number) => {
		skipped += seconds * 1000;
		writeFileSync(file, hook(start, factor, skipped));
	};
	skip(0);
	return {
		skip,
		env: { NODE_OPTIONS: `--require=${file}` },
		keepPace({ control: { clock } }: Simulator): () => void {
			const timer = setInterval(() => {
				const wanted = start + skipped + (Date.now() - start) * factor;
				clock.advance(Math.max(0, wanted / 1000 - clock.now()));
			}, 10);
			return () => clearInterval(timer);
		},
	};
}
