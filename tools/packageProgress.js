// Describes the progress of npm. Plain JavaScript without dependencies, because bootstrap.js needs it in
// a fresh clone.

const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const slowAfterSeconds = 120;

/**
 * Returns the packages at the top of node_modules, which are quick to read and enough to show progress.
 * npm creates all folders first and fills them later.
 * @param {string} modules
 */
function readPackages(modules) {
	const names = existsSync(modules)
		? readdirSync(modules)
				.filter((name) => !name.startsWith('.'))
				.flatMap((name) =>
					name.startsWith('@')
						? readdirSync(join(modules, name)).map((each) => `${name}/${each}`)
						: [name],
				)
		: [];
	const missing = names.filter((name) => !existsSync(join(modules, name, 'package.json')));
	return { installed: names.length - missing.length, missing };
}

/**
 * Describes an installation that has run for `seconds`.
 * @param {string} modules the folder node_modules
 * @param {number} seconds
 * @param {number} [total] number of packages in the lock file
 */
function describeProgress(modules, seconds, total) {
	const { installed, missing } = readPackages(modules);
	const shown = missing.slice(0, 3).join(', ');
	const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
	return [
		`${installed}${total === undefined ? '' : ` of about ${total}`} packages`,
		...(missing.length > 0 ? [`npm is downloading ${shown}${more}`] : []),
		...(installed > 0 && missing.length === 0 ? ['npm is finishing'] : []),
		...(seconds >= slowAfterSeconds ? ['this is normal on a slow network or a busy machine'] : []),
	].join(', ');
}

module.exports = { describeProgress };
