/** Errors link to the documentation of their code, which exists for every code. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explanationsByCode } from '../../../nodes/core/errors/advice';
import { createErrorLink } from '../../../nodes/core/errors/nodeErrors';
import { renderErrorsPage } from '../../../tools/errorsPage';
import { projectRoot } from '../../../tools/install';
import { errorCodes } from '../../errorCodes';

const site = 'https://docs.example/name';
const page = renderErrorsPage();
const headings = [...page.matchAll(/^### `(.*)`$/gm)].map(([, code]) => code);

test.each([
	[{ code: 'not_found', status: 404 }, `${site}/errors#not_found`],
	[{ code: 'AVATAR_NOT_FOUND' }, `${site}/errors#avatar_not_found`],
	[{ code: 'odd code' }, `${site}/errors#odd%20code`],
	[{ status: 404 }, `${site}/errors#errors-without-a-code`],
	[{}, undefined],
])('the link of %j is %s', (details, link) => {
	expect(createErrorLink(details, site)).toBe(link);
});

test('without a site, there is no link', () => {
	expect(createErrorLink({ code: 'not_found' })).toBeUndefined();
});

test('the page has the chapter that errors without a code link to', () => {
	expect(page).toContain('\n## Errors without a code\n');
});

test('each code of the service has one heading', () => {
	const codes = [...errorCodes.map(({ code }) => code), ...Object.keys(explanationsByCode)];
	expect(codes).toContain('not_found');
	expect(codes.filter((code) => !headings.includes(code))).toEqual([]);
	expect(headings).toEqual([...new Set(headings)]);
});

test('each code that the nodes set has a heading', () => {
	// Codes of zod, which only describe invalid fields.
	const internal = ['too_small', 'too_big', 'custom'];
	const files = globSync(join(projectRoot, 'nodes', '**', '*.ts'));
	const codes = files.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/\bcode: '([a-z_]+)'/g)].map(([, code]) => code),
	);
	expect(codes).toContain('wait_timeout');
	expect(codes.filter((code = '') => ![...headings, ...internal].includes(code))).toEqual([]);
});
