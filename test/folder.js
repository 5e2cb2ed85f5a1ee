// One folder for all that n8n's engine writes in a test run, removed at its end.
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

module.exports = () => {
	const folder = mkdtempSync(join(tmpdir(), 'videogen-tests-'));
	// Inherited by the processes that run the tests.
	process.env.VIDEOGEN_TEST_FOLDER = folder;
	process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
};
