/** @type {import('jest').Config} */
module.exports = {
	// Loads n8n's engine once per worker instead of once per file. Files share the modules that they load.
	runner: '<rootDir>/test/runner.mjs',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/tools/'],
	globalSetup: '<rootDir>/test/folder.js',
	setupFiles: ['<rootDir>/test/typescript.js', '<rootDir>/test/setup.js'],
	// They compute more than they wait: one for each core.
	maxWorkers: '100%',
};
