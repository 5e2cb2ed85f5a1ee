// jest-light-runner ignores the limits of tests. One that hangs fails, with its name, after its own limit or
// this one, and the rest of its file runs. Tests replace the timers, so these are kept.
const { addEventHandler } = require('jest-circus');

const defaultMilliseconds = 300_000;
const { setTimeout, clearTimeout } = globalThis;

addEventHandler(({ name, timeout = defaultMilliseconds }, { currentDescribeBlock }) => {
	if (name !== 'add_test') return;
	const test = currentDescribeBlock.children.at(-1);
	const run = test.fn;
	if (run === undefined || run.length > 0) return;
	test.fn = async () => {
		let timer;
		const limit = new Promise((_, reject) => {
			const error = new Error(`The test has not ended after ${timeout / 1000} seconds`);
			timer = setTimeout(() => reject(error), timeout);
		});
		try {
			return await Promise.race([run(), limit]);
		} finally {
			clearTimeout(timer);
		}
	};
});
