/** The URL at which the service resumes an execution. */
import { buildCallbackUrl } from '../../../nodes/core/plan/resumeCallback';

test.each([
	[
		'https://flows.example/webhook-waiting/17?signature=abc',
		'https://flows.example/webhook-waiting/17/videogen?signature=abc',
	],
	[
		'https://flows.example/n8n/webhook-waiting/17/?a=1&signature=a%2Fb',
		'https://flows.example/n8n/webhook-waiting/17/videogen?a=1&signature=a%2Fb',
	],
	// The URLs of older n8n versions have no token.
	['http://localhost:5678/webhook-waiting/17', 'http://localhost:5678/webhook-waiting/17/videogen'],
])('adds the path of the node before the query: %s', (resumeUrl, callbackUrl) => {
	expect(buildCallbackUrl(resumeUrl)).toBe(callbackUrl);
});
