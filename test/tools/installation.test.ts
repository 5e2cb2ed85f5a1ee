/** Runs the commands of docs/installation.md, with toy packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';
import { useFolder, write } from './support';

const page = readFileSync(join(projectRoot, 'docs', 'installation.md'), 'utf8');
const blocks = [...page.matchAll(/^ *```\n([^]*?)^ *```$/gm)].map(([, text = '']) => text);
const blockWith = (words: string) => {
	const [one, ...others] = blocks.filter((text) => text.includes(words));
	if (one === undefined || others.length > 0) throw new Error(`Not one block with "${words}"`);
	return one;
};
const install = blockWith('npm install --legacy-peer-deps');
const uninstall = blocks.find(
	(text) => text.includes('npm uninstall') && !text.includes('npm install'),
);

const at = useFolder();
const downloads = () => at('downloads');
beforeEach(() => mkdirSync(downloads()));

function run(text: string, cwd = downloads()) {
	const { status, stderr, stdout } = spawnSync('sh', ['-e', '-c', text], {
		cwd,
		encoding: 'utf8',
		env: { PATH: process.env.PATH, HOME: at(), npm_config_offline: 'true' },
	});
	expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
	return stdout;
}

/** Packs a toy package of this version with a text file. */
function makeFile(version: string, says = version) {
	const peerDependencies = { 'n8n-workflow': '*' };
	const toy = { name: 'n8n-nodes-videogen', version, peerDependencies };
	write(at('toy', 'package.json'), JSON.stringify(toy));
	write(at('toy', 'says.txt'), says);
	run(`npm pack --pack-destination '${downloads()}'`, at('toy'));
}

const nodes = (...names: string[]) => at('.n8n', 'nodes', ...names);
const modules = (...names: string[]) => nodes('node_modules', ...names);
const installed = () => readFileSync(modules('n8n-nodes-videogen', 'says.txt'), 'utf8');

test('the commands install, update from 0.9.0 to 0.10.0, and replace a rebuilt package of the same version', () => {
	makeFile('0.9.0');
	run(install);
	expect(installed()).toBe('0.9.0');
	// The earlier file is still in the downloads, and sorts after the new one.
	makeFile('0.10.0');
	run(install);
	expect(installed()).toBe('0.10.0');
	expect(run('npm ls n8n-nodes-videogen', nodes())).toContain('n8n-nodes-videogen@0.10.0');
	makeFile('0.10.0', 'rebuilt');
	run(install);
	expect(installed()).toBe('rebuilt');
	// npm has installed no library of n8n next to it.
	expect(existsSync(modules('n8n-workflow'))).toBe(false);
});

test('the uninstall commands remove all files of the package', () => {
	makeFile('0.9.0');
	run(install);
	run(uninstall ?? 'false');
	expect(existsSync(modules('n8n-nodes-videogen'))).toBe(false);
	expect(existsSync(nodes('n8n-nodes-videogen-0.9.0.tgz'))).toBe(false);
	expect(readFileSync(nodes('package.json'), 'utf8')).not.toContain('n8n-nodes-videogen');
});
