import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './install';

/**
 * Every error code of the table in service.md, Errors, with its status; undefined if the page is
 * not sure. Includes the codes that `graph_invalid` lists in `errors`, which is no code itself.
 */
export function readErrorCodes(): Array<{ code: string; status: number | undefined }> {
	const page = readFileSync(join(projectRoot, 'docs', 'contributing', 'service.md'), 'utf8');
	const [, table = ''] = page.split('\n## Errors');
	return [...table.matchAll(/^\| (\d{3}|unsure) +\| (.*?) +\|$/gm)].flatMap(
		([, status, cell = '']) =>
			[...cell.matchAll(/`(?!errors`)(\w+)`/g)].map(([, code = '']) => ({
				code,
				status: Number(status) || undefined,
			})),
	);
}
