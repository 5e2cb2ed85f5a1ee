/* Builds dist/: compiled code, icons, codex files, and the metadata for lazy loading. */
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');
const { dest, parallel, series, src, watch } = require('gulp');

const bin = path.join(__dirname, 'node_modules', '.bin');

function runBin(name, ...args) {
	return new Promise((resolve, reject) => {
		const child = spawn(path.join(bin, name), args, { stdio: 'inherit', cwd: __dirname });
		child.once('error', reject);
		child.once('exit', (code) =>
			code === 0 ? resolve() : reject(new Error(`${name} ended with code ${code}`)),
		);
	});
}

const clean = () => rm(path.join(__dirname, 'dist'), { recursive: true, force: true });
const compile = () => runBin('tsc', '-p', 'tsconfig.build.json');
const icons = () => src('nodes/**/*.svg', { encoding: false }).pipe(dest('dist/nodes'));
const codex = () => src('nodes/**/*.node.json').pipe(dest('dist/nodes'));
// n8n reads these and then requires a node's file only when the node is used.
const metadata = () => runBin('n8n-generate-metadata');

exports.build = series(clean, parallel(compile, icons, codex), metadata);
exports.watch = series(exports.build, () =>
	watch(['nodes/**/*', 'credentials/**/*'], exports.build),
);
exports.default = exports.build;
