/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/tools/'],
	transform: {
		'^.+\\.ts$': [
			'@swc/jest',
			{
				jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true } },
				module: { type: 'commonjs' },
			},
		],
	},
	globalSetup: '<rootDir>/test/folder.js',
	setupFiles: ['<rootDir>/test/setup.js'],
	// They compute more than they wait: one for each core.
	maxWorkers: '100%',
	testTimeout: 90_000,
};
