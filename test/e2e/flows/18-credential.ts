import assert from 'node:assert/strict';
import type { Flow } from '../flow';

export const flow: Flow = {
	name: 'the credential test accepts a valid key, rejects an invalid one, and says what is wrong',
	older: 'main',
	run: async ({ n8n, simulator }) => {
		const test = async (apiKey: string, baseUrl = simulator.baseUrl) =>
			await n8n.testCredential({
				name: 'Test',
				type: 'videoGenApi',
				data: { baseUrl, apiKey },
			});
		for (const end of ['', '/', '/v3', '/v3/']) {
			const { status, message } = await test(simulator.apiKey, simulator.baseUrl + end);
			assert.equal(status, 'OK', `${end}: ${message}`);
		}
		const problems = [
			[await test('wrong'), 'The service does not accept this API key'],
			[await test(simulator.apiKey, 'http://127.0.0.1:1'), 'cannot be reached'],
			[await test(simulator.apiKey, n8n.baseUrl), 'not at this Base URL'],
			[await test(simulator.apiKey, 'api.example.com'), 'is not valid'],
		] as const;
		for (const [{ status, message }, words] of problems) {
			assert.equal(status, 'Error', words);
			assert.ok(message.includes(words), message);
		}
	},
};
