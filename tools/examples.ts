/** Loads the example workflows, and renders docs/examples.md, which shows them with their notes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { projectRoot } from './install';
import { docsFolder } from './nodeFolders';
import { generatedNote } from './pages';

export const examplesFolder = join(projectRoot, 'examples');
export const picturesFolder = join(docsFolder, 'pictures');

export interface Example {
	/** Name of the example's file, without the extension. */
	file: string;
	name: string;
	nodes: INode[];
}

/** Returns the example workflows, sorted by file name. */
export const loadExamples = (): Example[] =>
	readdirSync(examplesFolder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => ({
			...(JSON.parse(readFileSync(join(examplesFolder, name), 'utf8')) as Omit<Example, 'file'>),
			file: basename(name, '.json'),
		}));

export const findNote = ({ nodes }: Example) =>
	nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');

/** Returns the text of the main note, without its heading. */
export function readNote(example: Example): string {
	return String(findNote(example)?.parameters.content ?? '').replace(/^## .*\n+/, '');
}

/** Returns the first paragraph of the main note, which says what the workflow does. */
export const readSummary = (example: Example) => readNote(example).split('\n\n')[0] ?? '';

function renderExample(example: Example): string[] {
	const { file, name } = example;
	const picture = `pictures/${file}.webp`;
	const hasPicture = existsSync(join(docsFolder, picture));
	return [
		`## ${name}`,
		...(hasPicture ? [`![The “${name}” workflow in the n8n editor](${picture})`] : []),
		readNote(example),
		`File: [${file}.json](../examples/${file}.json)`,
	];
}

export const renderExamplesPage = (): string =>
	[
		'# Examples',
		'To use an example, import it into a new n8n workflow with **… → Import → From file**, and choose your credential in its VideoGen nodes. Nodes for other services have pinned sample data or are deactivated, so you can run each example before you connect your accounts. The note on each canvas explains who the example is for and how to set it up:',
		...loadExamples().flatMap(renderExample),
		generatedNote,
		'',
	].join('\n\n');
