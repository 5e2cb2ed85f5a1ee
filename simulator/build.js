/* Builds dist/ for the published package: compiled code, the description of the API and the media files. */
const { execFileSync } = require('node:child_process');
const { copyFileSync, cpSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const output = join(__dirname, 'dist');
rmSync(output, { recursive: true, force: true });
const compiler = require.resolve('typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', join(__dirname, 'tsconfig.json')], {
	stdio: 'inherit',
});
cpSync(join(__dirname, 'media'), join(output, 'media'), { recursive: true });
copyFileSync(join(__dirname, 'openapi.yaml'), join(output, 'openapi.yaml'));
