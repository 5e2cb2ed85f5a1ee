import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { getFailedJobAdvice } from '../../../nodes/core/errors/advice';
import {
	getRequestSendState,
	getErrorDetails,
	isNotFoundError,
	isTransientError,
} from '../../../nodes/core/errors/errorDetails';
import {
	createCredentialNotConnectedError,
	createCapacityTimeoutError,
	createConnectionError,
	createOperationError,
	createServiceError,
	createInvalidValuesError,
	createTokenRenewalError,
	getErrorTextParts,
	joinErrorTextParts,
	toNodeError,
} from '../../../nodes/core/errors/nodeErrors';
import { errorCodes } from '../../errorCodes';

const node = { name: 'Node', parameters: {} } as unknown as INode;

/** Every code that the specification names, with its status. */
const all = errorCodes.flatMap(({ status, code }) => (status ? [[status, code] as const] : []));

test('the codes are found', () => expect(all.length).toBeGreaterThan(60));

test.each(all)('%d %s says what happened and what to do', (status, code) => {
	const request_id = 'a'.repeat(32);
	const given = { serviceMessage: 'Said by it' };
	const error = createServiceError(node, { status, code, request_id }, given);
	expect(error.message).toMatch(/^[A-Z].{10,}: Said by it$/);
	expect(error.message).not.toMatch(/The request failed|does not accept the request/);
	const [advice, ...facts] = (error.description ?? '').split('\n');
	expect(advice).toMatch(/^[A-Z].*\.$/);
	expect(facts).toEqual([`Code: ${code}`, `HTTP status: ${status}`, `Request ID: ${request_id}`]);
	expect(error.httpCode).toBe(String(status));
});

test('an unknown code is explained by its status', () => {
	const details = { status: 409, code: 'brand_new' };
	const error = createServiceError(node, details, { serviceMessage: 'Something' });
	expect(error.message).toContain(
		"The resource's current state does not allow this operation: Something",
	);
	expect(error.description).toContain('Code: brand_new');
});

test('every problem of a workflow graph is listed', () => {
	const place = { node_id: 'a', port: 'out', path: 'nodes[0]' };
	const errors = [
		{ code: 'unknown_node_type', message: 'No such type', ...place },
		{ code: 'cycle_detected', message: 'A circle' },
		{ code: 'bad_port', message: 'No such port', node_id: 'b' },
	];
	const { description } = createServiceError(node, { status: 422, code: 'graph_invalid', errors });
	expect(description?.split('\n').slice(1, 4)).toEqual([
		'• unknown_node_type: No such type (a / out / nodes[0])',
		'• cycle_detected: A circle',
		'• bad_port: No such port (b)',
	]);
});

test('an item that got no free job slot says how long it waited, and nothing of codes', () => {
	const createError = (waited: number) => createCapacityTimeoutError(node, waited, false);
	const error = createError(600);
	expect(error.description).toMatch(
		/^This item waited 10 minutes\. Run it again .* the node waits\.$/,
	);
	expect(createError(0).description).toContain('This item did not wait.');
	expect(createError(1).description).toContain('This item waited 1 second.');
	expect(getErrorDetails(error)).toEqual({
		...{ code: 'not_started', status: 429, outcome: 'not_started' },
	});
});

test('an item whose free job slots went to another client says so first', () => {
	const { description } = createCapacityTimeoutError(node, 600, true);
	expect(description).toMatch(/^Something else seems to be using the account\. /);
});

test('the field of the form is named, with its label if it has one', () => {
	const doc_url = 'https://docs.example/p';
	const create = (param: string, serviceMessage?: string) =>
		createServiceError(
			node,
			{ status: 400, code: 'invalid_parameter', param, doc_url },
			{ serviceMessage, labels: { voice_id: 'Voice' } },
		);
	const labeled = create('scenes[0].voice_id', 'Unknown');
	expect(labeled.description?.split('\n').slice(1)).toEqual([
		'Field: Voice (scenes[0].voice_id)',
		'Code: invalid_parameter',
		'HTTP status: 400',
		`More: ${doc_url}`,
	]);
	expect(getErrorTextParts(labeled).correction).toBe(
		'Call again with another value for Voice (scenes[0].voice_id): Unknown',
	);
	expect(getErrorTextParts(create('speed')).correction).toBe(
		'Call again with another value for speed',
	);
});

test.each([
	[undefined, 'The service rejected the request'],
	['Not a number', 'The service rejected the request: Not a number'],
	[' Not a number', 'The service rejected the request:  Not a number'],
	['This is no number', 'This is no number'],
])('a generic message is replaced by a sentence of the service: %j', (serviceMessage, message) => {
	expect(createServiceError(node, { status: 400 }, { serviceMessage }).message).toBe(message);
});

test('a specific message stays in front of a sentence of the service', () => {
	const serviceMessage = 'You cannot do this';
	expect(createServiceError(node, { status: 403 }, { serviceMessage }).message).toBe(
		'The account is not allowed to perform this operation: You cannot do this',
	);
});

test('advice is to wait only if the service asks for more time than the node waits', () => {
	const advise = (retry_after: number) =>
		createServiceError(node, { status: 429, retry_after }).description?.split('\n')[0];
	expect(advise(300)).toBe(
		'Lower the value of the "Max Concurrent Requests" option, or try again later.',
	);
	expect(advise(301)).toBe(
		'The service asks you to wait 6 minutes. Run the workflow again after that time.',
	);
});

test.each([
	[299, 'The request failed'],
	[300, 'The service responded with a redirect'],
	[399, 'The service responded with a redirect'],
	[400, 'The service rejected the request'],
	[499, 'The request failed'],
	[500, 'The service encountered an error'],
])('a status %d without a code says: %s', (status, message) => {
	expect(createServiceError(node, { status }).message).toBe(message);
});

test('explanations of one operation come first: that of the code, then that of the status', () => {
	const explain = (message: string) => ({ message, advice: 'Do it.' });
	const explanations = { forbidden: explain('By code'), status_403: explain('By status') };
	const messageOf = (code?: string) =>
		createServiceError(node, { status: 403, code }, { explanations }).message;
	expect(messageOf('forbidden')).toBe('By code');
	expect(messageOf('role_not_allowed')).toBe('By status');
	expect(messageOf()).toBe('By status');
	const general = createServiceError(node, { status: 403, code: 'role_not_allowed' });
	expect(general.message).toBe('Your role in the workspace does not allow this operation');
	const quota = createServiceError(node, { status: 429, code: 'free_tier_quota_exceeded' });
	expect(quota.message).toBe("The account's quota is used up");
});

test.each([
	['VOICE_EXPIRED', 'Choose another voice.'],
	['quota_exceeded', 'Wait until the quota resets, or upgrade the plan.'],
	['invalid_parameter', undefined],
	['brand_new', undefined],
])('the advice for a job that failed with %s is %s', (code, advice) => {
	expect(getFailedJobAdvice(code)).toBe(advice);
});

test.each([
	['ECONNREFUSED', 'The service cannot be reached', 'Check the Base URL', false],
	['ECONNRESET', 'The connection to the service was lost before', 'Try again later.', true],
	['CERT_HAS_EXPIRED', 'The request could not be sent', 'Check whether the Base URL', false],
	['ERR_INVALID_URL', 'The request could not be sent', 'See the reason below.', false],
	['BLOCKED_BY_N8N', 'n8n itself blocked the request', "n8n's protection", false],
	['ERR_FR_TOO_MANY_REDIRECTS', 'The URL redirects', 'Use a URL that begins with', false],
])('a connection error %s says: %s', (code, message, advice, uncertain) => {
	const error = createConnectionError(node, code, 'why');
	expect(error.message.slice(0, message.length)).toBe(message);
	expect(error.description?.slice(0, advice.length)).toBe(advice);
	expect(error.description?.split('\n').slice(1)).toEqual(['Reason: why']);
	expect(error.httpCode).toBeNull();
	expect(getErrorDetails(error)).toEqual({ code: code.toLowerCase(), uncertain });
});

test('advice of the caller replaces the usual one', () => {
	const adviceFor = (code: string) =>
		createConnectionError(node, code, '', { hint: 'Hint.' }).description?.split('\n')[0];
	expect(adviceFor('ECONNRESET')).toBe('Hint.');
	expect(adviceFor('ERR_INVALID_URL')).toBe('Hint.');
});

test('access that cannot be renewed now says so, with the status or the code', () => {
	const create = (temporary: { code?: string; status?: number }) =>
		createTokenRenewalError(node, 'videoGenOAuth2Api', { reason: 'why', temporary }, {});
	expect(create({ status: 503 }).description).toBe(
		'Try again later. If the problem persists, check the Access Token URL in the credential.\nReason: why',
	);
	expect(getErrorDetails(create({ status: 503 }))).toStrictEqual({ status: 503 });
	expect(getErrorDetails(create({ code: 'ECONNRESET' }))).toStrictEqual({
		code: 'econnreset',
		uncertain: false,
	});
});

test('access that was revoked is an error of the credential, which is named', () => {
	const type = 'videoGenOAuth2Api';
	const named: INode = { ...node, credentials: { [type]: { id: '1', name: 'My key' } } };
	const create = (one: INode, hint?: string) =>
		createTokenRenewalError(one, type, { reason: 'why' }, { hint, details: { uncertain: true } });
	expect(create(named, 'Hint.').description).toBe(
		'Open the credential "My key", reconnect the account and run the workflow again. Access expired or was revoked, and could not be renewed.\nReason: why\nHint.',
	);
	const unnamed = create({ ...node, credentials: {} });
	expect(getErrorTextParts(unnamed)).toStrictEqual({
		message: 'The account must be reconnected',
		advice: [expect.stringMatching(/^Open the credential, reconnect/), 'Reason: why'],
	});
	const rejected = { code: 'unauthorized', status: 401 };
	expect(getErrorDetails(unnamed)).toEqual({ ...rejected, uncertain: true });
	const never = createCredentialNotConnectedError(named, type);
	expect(never.description).toBe(
		'Open the credential "My key", connect the account and run the workflow again.',
	);
	expect(getErrorDetails(never)).toEqual(rejected);
});

test.each([
	[undefined, 'B\nC\nNothing was sent to the service.'],
	['', 'B\nC'],
])('an item with several invalid values has one error, which ends with %j', (end, description) => {
	const error = createInvalidValuesError(node, ['A', 'B', 'C'], end);
	expect([error.message, error.description]).toStrictEqual(['A', description]);
	expect(getErrorDetails(error)).toStrictEqual({
		code: 'invalid_value',
		complaints: ['A', 'B', 'C'],
	});
});

test('every thrown value becomes an error of n8n', () => {
	const errors = [createServiceError(node, {}), new NodeOperationError(node, 'x')];
	for (const error of errors) expect(toNodeError(node, error)).toBe(error);
	expect(errors[0]).toBeInstanceOf(NodeApiError);
	for (const thrown of [new Error('Broken'), 'Broken']) {
		const error = toNodeError(node, thrown);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('Broken');
	}
});

test('n8n does not replace the message', () => {
	const message = 'approvePermissions was rejected';
	expect(createOperationError(node, message).message).toBe(message);
	const rejected = createServiceError(node, { status: 400 }, { serviceMessage: message });
	expect(rejected.message).toContain(message);
	expect(createConnectionError(node, 'ECONNRESET', 'read ECONNRESET').message).toBe(
		'The connection to the service was lost before a response arrived',
	);
});

test('temporary failures are transient, others are not', () => {
	const ofStatus = (status: number) => isTransientError(createServiceError(node, { status }));
	expect([429, 500, 503, 504].filter(ofStatus)).toEqual([429, 500, 503, 504]);
	expect([400, 401, 402, 404, 409].filter(ofStatus)).toEqual([]);
	const codes = ['ECONNRESET', 'ECONNREFUSED', 'CERT_HAS_EXPIRED'];
	const ofCode = (code: string) => isTransientError(createConnectionError(node, code, ''));
	expect(codes.map(ofCode)).toEqual([true, true, false]);
	const stopped = createOperationError(node, 'Stopped', undefined, { code: 'stopped' });
	expect(isTransientError(stopped)).toBe(false);
	expect(isNotFoundError(createServiceError(node, { status: 404 }))).toBe(true);
	expect(isNotFoundError(createServiceError(node, { status: 403 }))).toBe(false);
	expect(isTransientError(createServiceError(node, { status: 200, code: 'cut_answer' }))).toBe(
		true,
	);
	expect(getErrorDetails(new Error('of another kind'))).toEqual({});
});

test.each([
	['ECONNREFUSED', 'unsent'],
	['EMFILE', 'unsent'],
	['ECONNRESET', 'broken'],
	['HPE_INVALID_HEADER_TOKEN', 'broken'],
	['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'broken'],
	['Z_DATA_ERROR', 'broken'],
	['EPROTO', 'impossible'],
	['ERR_SSL_WRONG_VERSION_NUMBER', 'impossible'],
	['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'impossible'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'impossible'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'impossible'],
	['ERR_INVALID_URL', 'impossible'],
	['unknown', 'impossible'],
	[undefined, 'impossible'],
])('a connection error %s is %s', (code, kind) => {
	expect(getRequestSendState(code)).toBe(kind);
});

describe('an error that a run adds to', () => {
	const texts = { hint: 'Check it.', serviceMessage: 'No' };
	const create = () => createServiceError(node, { status: 404, code: 'x' }, texts);

	const additions = { suffix: ' [row 3]', before: ['Above'], after: ['Below'] };

	test('has its additions around its own texts, which stay as they were', () => {
		const error = create();
		expect(joinErrorTextParts(getErrorTextParts(error), additions)).toEqual({
			message: 'Not found in the service: No [row 3]',
			description: 'Above\nCheck it.\nCode: x\nHTTP status: 404\nBelow',
		});
		expect(error.message).toBe('Not found in the service: No');
		expect(error.description).toBe('Check it.\nCode: x\nHTTP status: 404');
	});

	test('keeps its own texts apart: what happened, advice, and codes', () => {
		expect(getErrorTextParts(create())).toEqual({
			message: 'Not found in the service: No',
			advice: ['Check it.'],
			details: ['Code: x', 'HTTP status: 404'],
		});
	});

	test('has no empty lines', () => {
		const additions = { before: ['', 'Above'], after: [''] };
		const { description } = joinErrorTextParts(getErrorTextParts(create()), additions);
		expect(description).toBe('Above\nCheck it.\nCode: x\nHTTP status: 404');
		const bare = createOperationError(node, 'Broken');
		expect(bare.description).toBeUndefined();
		const parts = { message: 'Broken', advice: [] };
		expect(getErrorTextParts(bare)).toStrictEqual(parts);
		const foreign = new NodeOperationError(node, 'Broken');
		expect(getErrorTextParts(foreign)).toStrictEqual(parts);
		foreign.message = 'Broken [row 3]';
		expect(getErrorTextParts(foreign)).toStrictEqual(parts);
	});

	test('may come from n8n itself', () => {
		const error = new NodeOperationError(node, 'Broken', { description: 'Repair it.' });
		expect(joinErrorTextParts(getErrorTextParts(error), additions)).toEqual({
			message: 'Broken [row 3]',
			description: 'Above\nRepair it.\nBelow',
		});
	});
});
