/** docs/errors.md and docs/examples.md: made of the advice of the nodes, and of the notes of the examples. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { adviceByCode } from '../nodes/core/errors/advice';
import { projectRoot } from './install';
import { renderTable } from './pages';

const madeBy = 'Made by `npm run docs`; do not edit it by hand.';

/** What becomes of each code of the service, but for the widths of the columns. */
export const errorsPage = (): string =>
	[
		'# What the codes of the service mean',
		'An error of a node says what happened, then what the service itself said. Its details tell what to do, and name the code. With **On Error → Continue** the same stands in `details` of the item. Codes that are missing here are told in the words of the service.',
		renderTable(
			['Code', 'What happened', 'What to do'],
			Object.entries(adviceByCode)
				.sort(([a], [b]) => a.localeCompare(b))
				.map(([code, { message: what, advice: then }]) => [`\`${code}\``, what, then]),
		),
		madeBy,
		'',
	].join('\n\n');

export const examplesFolder = join(projectRoot, 'examples');
export const picturesFolder = join(projectRoot, 'docs', 'pictures');

export interface Example {
	/** Its file without the ending. */
	file: string;
	name: string;
	nodes: INode[];
}

export const loadExamples = (): Example[] =>
	readdirSync(examplesFolder)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((name) => ({
			...(JSON.parse(readFileSync(join(examplesFolder, name), 'utf8')) as Omit<Example, 'file'>),
			file: basename(name, '.json'),
		}));

/** The note on the canvas, without its heading. */
function noteOf({ nodes }: Example): string {
	const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote');
	return String(note?.parameters.content ?? '').replace(/^## .*\n+/, '');
}

function exampleText(example: Example): string[] {
	const { file, name } = example;
	const picture = `pictures/${file}.webp`;
	const shown = existsSync(join(projectRoot, 'docs', picture));
	return [
		`## ${name}`,
		...(shown ? [`![The canvas of ${name}](${picture})`] : []),
		noteOf(example),
		`File: [${file}.json](../examples/${file}.json)`,
	];
}

/** All examples with their notes and pictures. */
export const examplesPage = (): string =>
	[
		'# The examples',
		'Import one into a new workflow of n8n, with **… → Import → From file**, and choose your credential in its VideoGen nodes. `npm run demo` has them all in place. The note on each canvas says what it does and what to change:',
		...loadExamples().flatMap(exampleText),
		madeBy,
		'',
	].join('\n\n');
