import { NodeOperationError, type INode } from 'n8n-workflow';
import { getRequestSendState } from '../../../nodes/core/errors/connection';
import {
	getErrorDetails,
	isNotFoundError,
	isTransientError,
} from '../../../nodes/core/errors/errorDetails';
import {
	createCapacityTimeoutError,
	createConnectionError,
	createOperationError,
	createServiceError,
	getErrorTextParts,
	joinErrorTextParts,
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
	expect(error.message).toContain('current state does not allow this: Something');
	expect(error.description).toContain('Code: brand_new');
});

test('every problem of a workflow graph is listed', () => {
	const place = { node_id: 'a', port: 'out', path: 'nodes[0]' };
	const errors = [
		{ code: 'unknown_node_type', message: 'No such type', ...place },
		{ code: 'cycle_detected', message: 'A circle' },
	];
	const { description } = createServiceError(node, { status: 422, code: 'graph_invalid', errors });
	expect(description).toContain('• unknown_node_type: No such type (a / out / nodes[0])');
	expect(description).toContain('• cycle_detected: A circle');
});

test('an item that got no free job slot says how long it waited, and nothing of codes', () => {
	const error = createCapacityTimeoutError(node, 600);
	expect(error.description).toMatch(/^This item waited 10 minutes\. Run it again .* to wait\.$/);
	expect(createCapacityTimeoutError(node, 0).description).toContain('This item did not wait.');
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
	expect(isNotFoundError(createServiceError(node, { status: 404 }))).toBe(true);
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

	const additions = { suffix: ' [item 2]', before: ['Above'], after: ['Below'] };

	test('has its additions around its own texts, which stay as they were', () => {
		const error = create();
		expect(joinErrorTextParts(getErrorTextParts(error), additions)).toEqual({
			message: 'Not found in the service: No [item 2]',
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

	test('may come from n8n itself', () => {
		const error = new NodeOperationError(node, 'Broken', { description: 'Repair it.' });
		expect(joinErrorTextParts(getErrorTextParts(error), additions)).toEqual({
			message: 'Broken [item 2]',
			description: 'Above\nRepair it.\nBelow',
		});
	});
});
