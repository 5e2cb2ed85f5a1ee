// The properties run in jest, like the tests whose engine and service they use, but with jest's own
// runner: they replace modules.
const base = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	runner: 'jest-runner',
	setupFiles: ['<rootDir>/test/setup.js'],
	// The number of inputs decides how long its tests run.
	setupFilesAfterEnv: [],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
				module: { type: 'commonjs' },
			},
		],
	},
	roots: ['<rootDir>/test/fuzz'],
	testMatch: ['**/*.fuzz.ts'],
	// A property ends after its inputs, however long they take on a busy machine.
	testTimeout: 3_600_000,
};
