// The properties run in jest, like the tests whose engine and service they use.
const base = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/fuzz'],
	testMatch: ['**/*.fuzz.ts'],
	// A property ends after its inputs, however long they take on a busy machine.
	testTimeout: 3_600_000,
};
