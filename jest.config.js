/** @type {import('jest').Config} */
module.exports = {
	// Loads n8n's engine once per worker instead of once per file. Files share the modules that they load.
	runner: '<rootDir>/test/runner.mjs',
	// Tests are in `test` alone. `npm run check` finds those of a changed file by the imports in all.
	roots: ['credentials', 'nodes', 'simulator', 'test', 'tools'].map((name) => `<rootDir>/${name}`),
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/simulator/dist', '<rootDir>/tools/[^/]+/'],
	dependencyExtractor: '<rootDir>/test/dependencies.js',
	globalSetup: '<rootDir>/test/folder.js',
	setupFiles: ['<rootDir>/test/typescript.js', '<rootDir>/test/setup.js'],
	setupFilesAfterEnv: ['<rootDir>/test/limit.js'],
	// They compute more than they wait: one for each core.
	maxWorkers: '100%',
};
