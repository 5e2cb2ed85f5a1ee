import assert from 'node:assert/strict';
import { credentialType, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { chain, errorText, start, type Link } from '../workflows';

export const flow: Flow = {
	name: 'the credential test accepts a valid key, rejects an invalid one, and says what is wrong; HTTP Request uses the credential, too',
	older: 'main',
	run: async ({ n8n, simulator, credential }) => {
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
			[await test(simulator.apiKey, n8n.baseUrl), 'not found at this Base URL'],
			[await test(simulator.apiKey, 'api.example.com'), 'is not valid'],
		] as const;
		for (const [{ status, message }, words] of problems) {
			assert.equal(status, 'Error', words);
			assert.ok(message.includes(words), message);
		}
		const request: Link = {
			name: 'Request',
			type: 'n8n-nodes-base.httpRequest',
			parameters: {
				url: `${simulator.baseUrl}/v3/users/me`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: credentialType,
				options: {},
			},
			more: { typeVersion: 4.2, credentials: { [credentialType]: { id: null, name: '' } } },
		};
		const draft = withCredential(chain('Request', [start, request]), credential);
		const execution = await n8n.run((await n8n.createWorkflow(draft)).id);
		assert.equal(execution.status, 'success', errorText(execution));
		const [account] = itemsOf(execution, 'Request');
		assert.ok(account?.json.data, JSON.stringify(account));
	},
};
