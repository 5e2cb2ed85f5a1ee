import { resources } from '../../../nodes/VideoGenAccount/operations';
import { runNode } from '../support/engine';
import { describeOperations, first, type Cases } from '../support/cases';
import { useService } from '../support/service';

const cases: Cases = {
	get: 'GET /v3/users/me',
	getLegacy: 'GET /v1/user/me',
	getKey: 'GET /v3/api_keys/self',
};

describeOperations('VideoGenAccount', resources, cases);

describe('keys', () => {
	const service = useService();

	const read = async (operation: string, apiKey: string) =>
		await runNode({ ...service, apiKey }, 'VideoGenAccount', { operation });

	test('a restricted key returns its scopes, and an error names a missing scope', async () => {
		const apiKey = service.control.addKey({ scopes: ['videos:read'] });
		const { items } = await read('getKey', apiKey);
		expect(first(items)).toMatchObject({ scope_mode: 'custom', scopes: ['videos:read'] });
		const { error } = await read('get', apiKey);
		expect(error?.message).toContain('The API key does not have the required scope');
		expect(error?.message).toContain('account:read');
	});

	test('an expired key is rejected with status 401', async () => {
		const { error } = await read('getKey', service.control.addKey({ expired: true }));
		expect(error?.message).toContain('rejected the credential');
		expect(error?.httpCode).toBe('401');
	});

	test('a legacy response whose code is not 100 is an error, whatever its status', async () => {
		service.control.fail({
			path: '/v1/user/me',
			status: 200,
			body: { code: 400112, data: null, message: 'No such user' },
			times: 1,
		});
		const { items, error } = await read('getLegacy', service.apiKey);
		expect(items).toEqual([]);
		expect(error?.message).toContain('No such user');
		expect(error?.description).toContain('Code: 400112');
	});
});
