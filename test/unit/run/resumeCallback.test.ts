/** The URL with which the service resumes an execution. */
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
	// Older versions of n8n have no token in it.
	['http://localhost:5678/webhook-waiting/17', 'http://localhost:5678/webhook-waiting/17/videogen'],
])('the path of the node goes before the query: %s', (resumeUrl, callbackUrl) => {
	expect(buildCallbackUrl(resumeUrl)).toBe(callbackUrl);
});
