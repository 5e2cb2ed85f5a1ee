// Outlives the tool that started it, and ends what a tool that was killed outright can end no more:
// process groups and folders. The tool tells of them line by line; its pipe ends when it does,
// whatever ended it. Plain JavaScript, so that it is ready at once.

const { rmSync } = require('node:fs');

/** @type {Set<number>} */
const groups = new Set();
/** @type {Set<string>} */
const folders = new Set();

/** @param {{ group?: number; ended?: number; folder?: string; gone?: string }} told */
function hear({ group, ended, folder, gone }) {
	if (group !== undefined) groups.add(group);
	if (ended !== undefined) groups.delete(ended);
	if (folder !== undefined) folders.add(folder);
	if (gone !== undefined) folders.delete(gone);
}

let rest = '';
process.stdin.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
	const lines = (rest + text).split('\n');
	rest = lines.pop() ?? '';
	for (const line of lines) hear(JSON.parse(line));
});

process.stdin.on('close', () => {
	for (const group of groups) {
		try {
			process.kill(process.platform === 'win32' ? group : -group, 'SIGKILL');
		} catch {
			// It has ended by itself.
		}
	}
	// What was just killed may still be writing.
	for (const folder of folders) {
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
	}
});
