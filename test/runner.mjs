import LightRunner from 'jest-light-runner';

const seconds = 600;

/** Runs the test files in threads. One that blocks its thread fails after a time limit, and does not hang the run. */
export default class TestRunner extends LightRunner {
	async _runTest(test) {
		let timer;
		const limit = new Promise((_, reject) => {
			const error = new Error(`This file has not ended after ${seconds} seconds`);
			timer = setTimeout(() => reject(error), seconds * 1000);
		});
		try {
			return await Promise.race([super._runTest(test), limit]);
		} finally {
			clearTimeout(timer);
		}
	}
}
