import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../tools/install';

const page = readFileSync(join(projectRoot, 'docs', 'service.md'), 'utf8');
const [, table = ''] = page.split('\n## Errors');

/**
 * Every error code of the table in docs/service.md, Errors, with its status; undefined if the page is
 * not sure. Includes the codes that `graph_invalid` lists in `errors`, which is no code itself.
 */
export const errorCodes = [...table.matchAll(/^\| (\d{3}|unsure) +\| (.*?) +\|$/gm)].flatMap(
	([, status, cell = '']) =>
		[...cell.matchAll(/`(?!errors`)(\w+)`/g)].map(([, code = '']) => ({
			code,
			status: Number(status) || undefined,
		})),
);
