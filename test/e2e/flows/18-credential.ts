import assert from 'node:assert/strict';
import type { Flow } from '../flow';

export const flow: Flow = {
	name: 'the credential test tells a right key from a wrong one',
	run: async ({ n8n, simulator }) => {
		const test = async (apiKey: string, baseUrl = simulator.baseUrl) =>
			await n8n.testCredential({
				name: 'Test',
				type: 'videoGenApi',
				data: { baseUrl, apiKey },
			});
		assert.equal((await test(simulator.apiKey)).status, 'OK');
		assert.equal((await test(simulator.apiKey, `${simulator.baseUrl}/`)).status, 'OK');
		assert.equal((await test('wrong')).status, 'Error');
	},
};
