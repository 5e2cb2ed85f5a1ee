/** Responses are checked with the description, whether it names them or contains them in an operation. */
import { dirname, join } from 'node:path';
import * as yaml from 'yaml';
import type * as Api from '../../simulator/api';
import { checkResponse, resolve, type ApiDescription } from '../../simulator/api';
import { projectRoot } from '../../tools/install';
import { loadFreshModules } from '../freshModules';

/** Loads the check with a description whose response to POST /v3/folders is in the operation itself. */
function loadWithInlineResponse(): typeof checkResponse {
	const parse = (text: string) => {
		const api = yaml.parse(text) as ApiDescription;
		const responses = api.paths['/v3/folders']?.post?.responses ?? {};
		responses[200] = resolve(responses[200] ?? {}, api);
		return api;
	};
	const file = require.resolve('yaml');
	const load = () => {
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- a copy of the module
		return (require('../../simulator/api') as typeof Api).checkResponse;
	};
	return loadFreshModules([join(projectRoot, 'simulator'), dirname(file)], load, {
		[file]: { ...yaml, parse },
	});
}

test.each([
	['named', checkResponse],
	['inline', loadWithInlineResponse()],
])('a response that is %s', (_, check) => {
	expect(check('POST /v3/folders', 200, { data: {} })).toEqual({
		path: ['data', 'folder_id'],
		message: expect.stringContaining('required'),
	});
	expect(check('POST /v3/folders', 418, {})?.message).toContain('undocumented status 418');
});
