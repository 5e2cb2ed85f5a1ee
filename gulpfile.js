/* Builds dist/ (compiled code, icons, codex files, and the metadata for lazy loading), and lints. */
require('tsx/cjs');
const { spawn } = require('node:child_process');
const { rm } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');
const { dest, parallel, series, src } = require('gulp');
const {
	addDocumentationLink,
	readSiteUrl,
	replaceDocumentationUrl,
	replaceSite,
} = require('./tools/links.ts');

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

/** A stream that changes the text of each file. */
const changeText = (change) =>
	new Transform({
		objectMode: true,
		transform(file, _, done) {
			file.contents = Buffer.from(change(file.contents.toString(), file));
			done(null, file);
		},
	});

const site = readSiteUrl(__dirname);
const folderOf = (file) => path.basename(path.dirname(file.path));

const clean = () => rm(path.join(__dirname, 'dist'), { recursive: true, force: true });
// Version 7. The command tsc may be version 5, which the rules of eslint need.
const runCompiler = (...args) => runBin('../typescript-7/bin/tsc', ...args);
const compile = () => runCompiler('-p', 'tsconfig.build.json');
const compileWithSourceMaps = () => runCompiler('-p', 'tsconfig.build.json', '--sourceMap');
const icons = () => src('nodes/**/*.svg', { encoding: false }).pipe(dest('dist/nodes'));
const codex = () =>
	src('nodes/**/*.node.json')
		.pipe(changeText((text, file) => addDocumentationLink(text, folderOf(file), site)))
		.pipe(dest('dist/nodes'));
const guides = () =>
	src('dist/credentials/*.js')
		.pipe(changeText((code) => replaceDocumentationUrl(code, site)))
		.pipe(dest('dist/credentials'));
const errorLinks = () =>
	src('dist/nodes/core/errors/nodeErrors.js')
		.pipe(changeText((code) => replaceSite(code, site)))
		.pipe(dest('dist/nodes/core/errors'));
// With this metadata, n8n loads the file of a node only when the node is used.
const metadata = () => runBin('n8n-generate-metadata');

const buildWith = (compiler) =>
	series(clean, parallel(compiler, icons, codex), parallel(guides, errorLinks), metadata);
exports.build = buildWith(compile);
// For breakpoints in the sources: `npm run dev` uses it.
exports.development = buildWith(compileWithSourceMaps);
exports.default = exports.build;

const cached = ['--cache', '--cache-strategy', 'content'];
const eslint = () =>
	runBin('eslint', '.', ...cached, '--cache-location', 'node_modules/.cache/eslint');
const types = () => runCompiler('--noEmit', '--incremental');
const format = () => runBin('prettier', '--check', '.', ...cached);
// Side by side, because each uses one core.
exports.lint = parallel(eslint, types, format);
