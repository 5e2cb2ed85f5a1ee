/**
 * Leaves VideoGen Wait for Job out of everything that ships and that people read, if package.json does
 * not list it: n8n's reviewers may count it as a flow control node, which verified packages cannot have.
 * Its sources and their tests stay, so `git revert` brings it back.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitNodeName } from '../nodes/core/form/waitNode';
import { projectRoot } from './install';

/** The folder of the node. */
export const waitNodeFolder = 'VideoGenWait';

/** Whether the texts of the nodes, and the pages that are made from them, may name the node. */
export const hasWaitNode = waitNodeName !== undefined;

const nameFile = join(projectRoot, 'nodes', 'core', 'form', 'waitNode.ts');

/** Whether package.json lists the node. */
function isListed(): boolean {
	const { n8n } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[] };
	};
	return n8n.nodes.some((file) => file.includes(`/${waitNodeFolder}/`));
}

/** What is wrong if package.json has changed since the last `npm run generate`; otherwise undefined. */
export const findStaleWaitNode = (): string | undefined =>
	isListed() === hasWaitNode
		? undefined
		: `package.json ${isListed() ? 'lists' : 'does not list'} ${waitNodeFolder}, but other files say otherwise: run npm run generate`;

/** Writes the name of the node for the texts of the nodes, or that there is none. */
export function writeWaitNodeName(): void {
	const value = isListed() ? "'VideoGen Wait for Job'" : 'undefined';
	const code = readFileSync(nameFile, 'utf8').replace(/= .*;\n$/, `= ${value};\n`);
	writeFileSync(nameFile, code);
}

/** Removes the compiled node, which nothing else imports. */
export function removeCompiledWaitNode(): void {
	if (!hasWaitNode) {
		rmSync(join(projectRoot, 'dist', 'nodes', waitNodeFolder), { recursive: true, force: true });
	}
}

const passage = /<!-- with VideoGenWait -->([^]*?)<!-- (?:end|otherwise: ([^]*?)) -->/g;
const nameOfNode = /VideoGen ?Wait|Wait for Job/;

/**
 * A document without its marks, for readers. In documents, marks enclose passages that are only true
 * with the node, and may say what is true otherwise:
 *
 *   … <!-- with VideoGenWait -->…<!-- end -->
 *   … <!-- with VideoGenWait -->…<!-- otherwise: … -->
 *
 * Without the node, these also go: rows of tables that name it or one of its examples, and chapters
 * whose first paragraph names it. `npm run bench` and `npm run limits` write such rows and chapters.
 *
 * @param examples names of the example files that use the node
 */
export function renderPassages(
	markdown: string,
	examples: readonly string[] = [],
	isIncluded = hasWaitNode,
): string {
	const text = markdown
		.replace(passage, (_, inner: string, other = '') => (isIncluded ? inner : other))
		.replace(/\n{3,}/g, '\n\n');
	if (isIncluded) return text;
	const isAboutNode = (part: string) =>
		nameOfNode.test(part) || examples.some((name) => part.includes(`/${name}.json`));
	return text
		.split(/^(?=##+ )/m)
		.filter((chapter) => !isAboutNode(/^#.*\n\n(?![|-])[^]*?\n\n/.exec(chapter)?.[0] ?? ''))
		.join('')
		.replace(/^\|.*\n/gm, (row) => (isAboutNode(row) ? '' : row));
}

/** Whether the code of a flow or measurement uses the node, its callbacks, or an example that is gone. */
const usesWaitNode = (code: string) =>
	/videoGenWait|callBackHere|\/waits'/.test(code) ||
	[...code.matchAll(/example\('([^']+)'\)/g)].some(
		([, name = '']) => !existsSync(join(projectRoot, 'examples', name)),
	);

/** Whether the package has what a flow or measurement needs, or the file checks `hasWaitNode` itself. */
export function canRun(file: string): boolean {
	const code = readFileSync(file, 'utf8');
	return hasWaitNode || code.includes('hasWaitNode') || !usesWaitNode(code);
}
