// Outlives the tool that started it, to clean up after a tool that was killed: it ends its process groups
// and removes its temporary folders. The tool reports them line by line. The pipe closes when the tool
// ends, however it ends. Plain JavaScript, so that it is ready immediately.

const { rmSync } = require('node:fs');

/** @type {Set<number>} */
const groups = new Set();
/** @type {Set<string>} */
const folders = new Set();

/** @param {{ group?: number; ended?: number; folder?: string; removed?: string }} fact */
function note({ group, ended, folder, removed }) {
	if (group !== undefined) groups.add(group);
	if (ended !== undefined) groups.delete(ended);
	if (folder !== undefined) folders.add(folder);
	if (removed !== undefined) folders.delete(removed);
}

let rest = '';
process.stdin.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
	const lines = (rest + text).split('\n');
	rest = lines.pop() ?? '';
	for (const line of lines) note(JSON.parse(line));
});

process.stdin.on('close', () => {
	for (const group of groups) {
		try {
			process.kill(process.platform === 'win32' ? group : -group, 'SIGKILL');
		} catch {
			// It has ended already.
		}
	}
	// A killed process may still be writing.
	for (const folder of folders) {
		rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
	}
});
