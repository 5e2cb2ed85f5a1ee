/** How requests are prepared for n8n's HTTP helper, and the error of the last attempt. */
import type { INode } from 'n8n-workflow';
import { getErrorDetails } from '../../../nodes/core/errors/errorDetails';
import type { Account } from '../../../nodes/core/http/credentials';
import type { FailedAttempt } from '../../../nodes/core/http/reply';
import {
	createRequestError,
	fillRequestLine,
	prepareRequest,
	type ServiceRequest,
} from '../../../nodes/core/http/sendWithRetries';

const node = { name: 'Node', parameters: {} } as unknown as INode;
const account: Account = {
	name: 'account',
	credentialType: 'videoGenOAuth2Api',
	signIn: 'hash',
	isOAuth: false,
	baseUrl: 'https://api.example',
	removeSecrets: (text) => text.replace('secret', '***'),
	removeEchoedSecrets: (text) => text,
};

const fill = (video_id: string) => fillRequestLine(node, 'GET /v3/videos/{video_id}', { video_id });

test('a value of the path is one segment of it', () => {
	expect(fill(' a/b c ')).toEqual({ method: 'GET', path: '/v3/videos/a%2Fb%20c' });
	expect(fill('x'.repeat(2000)).path).toHaveLength(2011);
});

test.each([
	['', '"" is not a valid video id'],
	[' ', '"" is not a valid video id'],
	['.', '"." is not a valid video id'],
	['..', '".." is not a valid video id'],
	['x'.repeat(2001), 'The video id has more than 2,000 characters'],
	['\ud800', 'The video id contains an incomplete character'],
])('%j is no value of a path', (value, message) => {
	expect(() => fill(value)).toThrow(message);
});

test('a value that is missing is an error', () => {
	expect(() => fillRequestLine(node, 'GET /v3/videos/{video_id}')).toThrow(
		'"" is not a valid video id',
	);
});

const prepare = (request: ServiceRequest, isOAuth = false, streamed = false) =>
	prepareRequest({ ...account, isOAuth }, node, request, streamed);

test('a read has no body, and 30 seconds for its response', () => {
	expect(prepare({ line: 'GET /v3/videos', query: { limit: 1 } })).toStrictEqual({
		request: {
			method: 'GET',
			url: 'https://api.example/v3/videos',
			headers: {},
			qs: { limit: 1 },
			json: true,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 30_000,
		},
		legacy: false,
		streamed: false,
		survivesStop: false,
	});
});

test('a create has its body and key, two minutes, and may continue after a stop', () => {
	const request = { line: 'POST /v1/videos', body: { a: 1 }, headers: { x: 'y' } };
	const prepared = prepare({ ...request, idempotencyKey: 'key', survivesStop: true }, true, true);
	expect(prepared).toMatchObject({ legacy: true, streamed: true, survivesStop: true });
	expect(prepared.request).toMatchObject({
		body: { a: 1 },
		headers: { x: 'y', 'Idempotency-Key': 'key' },
		ignoreHttpStatusErrors: { ignore: true, except: [401] },
		timeout: 120_000,
	});
	expect(prepare({ ...request, timeout: 5 }).request.timeout).toBe(5);
});

describe('the error of the last attempt', () => {
	const lost: FailedAttempt = { kind: 'unconnected', code: 'ECONNRESET', detail: 'why' };
	const noToken: FailedAttempt = { kind: 'accessLost', reason: 'why' };
	const cut: FailedAttempt = { kind: 'unreadable', status: 200, code: 'cut_answer' };
	const rejection: FailedAttempt = {
		kind: 'rejection',
		status: 500,
		details: { status: 500, param: 'voice_id', code: 'x secret' },
		isFromService: true,
	};
	const create = (reply: FailedAttempt, uncertain: boolean, more: Partial<ServiceRequest> = {}) =>
		createRequestError(node, account, { line: 'POST /v3/videos', ...more }, reply, {
			creates: true,
			uncertain,
		});

	test.each<[FailedAttempt, object]>([
		[lost, { code: 'econnreset', uncertain: true }],
		[noToken, { code: 'unauthorized', status: 401 }],
		[cut, { code: 'cut_answer', status: 200 }],
		[
			{ ...cut, code: 'response_too_large', limit: 'it had more than 16 MB' },
			{ code: 'response_too_large', status: 200 },
		],
		[
			{ ...cut, code: 'not_json' },
			{ code: 'not_json', status: 200 },
		],
		[rejection, { status: 500, param: 'voice_id', code: 'x ***' }],
	])('has its details: %j', (reply, details) => {
		expect(getErrorDetails(create(reply, false))).toEqual(details);
		const uncertain = { ...details, uncertain: true };
		expect(getErrorDetails(create(reply, true))).toStrictEqual(uncertain);
		const key = { idempotency_key: 'key' };
		const keyed = create(reply, true, { idempotencyKey: 'key' });
		expect(getErrorDetails(keyed)).toStrictEqual({ ...uncertain, ...key });
	});

	test.each([lost, noToken, cut, rejection])(
		'has a hint if the outcome is uncertain: %j',
		(reply) => {
			const more = { uncertainOutcomeHint: 'Look.', idempotencyKey: 'key' };
			expect(create(reply, true, more).description).toMatch(
				/^(.*\n)*Look\. The result may have been created anyway\..* this key: key$/m,
			);
			expect(create(reply, true, { uncertainOutcomeHint: 'Look.' }).description).toMatch(
				/^Look\.$/m,
			);
			expect(create(reply, false, more).description).not.toContain('Look.');
			expect(create(reply, true).description).toContain(
				'Something may have been created and charged for anyway. Look for it in the service',
			);
			expect(create(reply, true).description).not.toContain('created nothing');
			expect(create(reply, false).description).toContain(
				'This request created nothing, and you were not charged.',
			);
			const read = { creates: false, uncertain: false };
			const line = { line: 'GET /v3/videos' };
			expect(createRequestError(node, account, line, reply, read).description).not.toContain(
				'created',
			);
		},
	);

	test('has the reason why a token could not be renewed', () => {
		expect(create(noToken, false).description).toContain('Reason: why');
	});

	test('explains the code with values of the path and labels of the form, without secrets', () => {
		const explain = { message: 'No {video_id} of {x}', advice: 'Look for {video_id}.' };
		const reply = { ...rejection, serviceMessage: 'the secret' };
		const error = create(reply, false, {
			path: { video_id: 'v1' },
			explanations: { 'x ***': explain },
			labels: () => ({ voice_id: 'Voice' }),
		});
		expect(error.message).toBe('No v1 of {x}: the ***');
		expect(error.description?.split('\n').slice(0, 3)).toEqual([
			'Look for v1.',
			'This request created nothing, and you were not charged.',
			'Field: Voice (voice_id)',
		]);
		const plain = create(rejection, false, { explanations: { 'x ***': explain } });
		expect(plain.message).toBe('No {video_id} of {x}');
	});
});
