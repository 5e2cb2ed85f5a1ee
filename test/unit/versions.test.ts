/** Guides name no version of n8n, and the page on evidence has the version of each measured table. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../tools/install';
import { readTableCells } from '../../tools/pages';
import { documentsWithVersion } from '../../tools/setN8n';

const listPages = (folder: string) =>
	readdirSync(join(projectRoot, folder))
		.filter((name) => name.endsWith('.md'))
		.map((name) => `${folder}/${name}`);
const read = (name: string) => readFileSync(join(projectRoot, name), 'utf8');
const readVersions = (text: string) => [
	...new Set([...text.matchAll(/n8n(?:-core)? (\d+\.\d+\.\d+)/g)].map(([, version]) => version)),
];

test.each(listPages('docs').filter((name) => !documentsWithVersion.includes(name)))(
	'%s names no version of n8n, which would become outdated',
	(name) => {
		expect(readVersions(read(name))).toEqual([]);
	},
);

const tables = listPages('docs/evidence').filter((name) => !name.endsWith('/README.md'));

test.each(tables)(
	'the page on evidence has the versions of n8n that %s was measured on',
	(name) => {
		const [file = ''] = name.split('/').slice(-1);
		const rows = readTableCells(read('docs/evidence/README.md'));
		const row = rows.find(([, table]) => table?.includes(`(${file})`));
		const versions = readVersions(read(name)).sort().join(', ');
		expect(row?.[2]).toBe(versions || 'none');
	},
);
