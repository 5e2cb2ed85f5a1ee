import { NodeOperationError, type INode } from 'n8n-workflow';
import { classifyConnectionError } from '../../../nodes/core/errors/connection';
import { getErrorDetails, isNotFound, isTransient } from '../../../nodes/core/errors/errorDetails';
import {
	createConnectionError,
	createOperationError,
	createServiceError,
	getErrorParts,
	renderError,
} from '../../../nodes/core/errors/nodeErrors';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'n8n-nodes-videogen.videoGenVideo',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Every code that the specification names, with its status. */
const codes: Record<number, string[]> = {
	400: `invalid_parameter content_policy_violation unlimited_mode_disabled avatar_consent_required
		avatar_not_usable avatar_expired voice_expired voice_unavailable voice_not_cloneable
		voice_settings_not_supported resource_limit_reached template_limit_reached role_not_allowed
		script_too_short tts_text_invalid download_failed ephemeral_upload_disabled scenes_unavailable
		template_source_unsupported variable_match_not_found variable_match_spans_styles
		invalid_encryption_key hyperframes_project_invalid`.split(/\s+/),
	401: ['unauthorized'],
	402: [
		'insufficient_credit',
		'trial_limit_exceeded',
		'subscription_required',
		'plan_upgrade_required',
	],
	403: `forbidden insufficient_api_key_scope resource_access_denied ai_vendor_access_restricted
		brand_kit_locked voice_not_usable phone_verification_required encryption_disabled`.split(/\s+/),
	404: `video_not_found avatar_not_found voice_not_found template_not_found asset_not_found
		webhook_not_found batch_not_found resource_not_found hyperframes_render_not_found
		not_found`.split(/\s+/),
	409: `conflict resource_not_ready request_in_progress brand_kit_not_ready voice_not_ready
		voice_training_failed stale_workflow_draft workflow_archived template_update_in_progress
		workflow_run_admission_refused artifact_unavailable stale_edit_version encryption_setup_pending
		encryption_cross_tree_transfer encryption_setup_failed`.split(/\s+/),
	413: ['hyperframes_project_too_large'],
	422: ['graph_invalid', 'image_processing_failed'],
	429: ['rate_limit_exceeded', 'quota_exceeded'],
	500: ['internal_error', 'video_delete_failed'],
	503: ['service_unavailable', 'encryption_temporarily_unavailable'],
	504: ['gateway_timeout'],
};

const all = Object.entries(codes).flatMap(([status, list]) =>
	list.map((code) => [Number(status), code] as const),
);

test.each(all)('%d %s says what happened and what to do', (status, code) => {
	const error = createServiceError(
		node,
		{ status, code, request_id: 'a'.repeat(32) },
		{ serviceMessage: 'Said by it' },
	);
	expect(error.message).toMatch(/^[A-Z].{10,}: Said by it$/);
	expect(error.message).not.toMatch(/The request failed|does not accept the request/);
	const [advice, facts] = (error.description ?? '').split('\n');
	expect(advice).toMatch(/^[A-Z].*\.$/);
	expect(facts).toBe(`Code: ${code} · HTTP status: ${status} · Request ID: ${'a'.repeat(32)}`);
	expect(error.httpCode).toBe(String(status));
});

test('an unknown code is explained by its status', () => {
	const error = createServiceError(
		node,
		{ status: 409, code: 'brand_new' },
		{ serviceMessage: 'Something' },
	);
	expect(error.message).toContain('in the current state: Something');
	expect(error.description).toContain('Code: brand_new');
});

test('every problem of a workflow graph is listed', () => {
	const errors = [
		{
			code: 'unknown_node_type',
			message: 'No such type',
			node_id: 'a',
			port: 'out',
			path: 'nodes[0]',
		},
		{ code: 'cycle_detected', message: 'A circle' },
	];
	const { description } = createServiceError(node, { status: 422, code: 'graph_invalid', errors });
	expect(description).toContain('• unknown_node_type: No such type (a / out / nodes[0])');
	expect(description).toContain('• cycle_detected: A circle');
});

test('n8n does not replace the message', () => {
	const message = 'approvePermissions was refused';
	expect(createOperationError(node, message).message).toBe(message);
	expect(
		createServiceError(
			node,
			{ status: 400, code: 'invalid_parameter' },
			{ serviceMessage: message },
		).message,
	).toContain(message);
	expect(createConnectionError(node, 'ECONNRESET', 'read ECONNRESET').message).toBe(
		'The connection to the service broke before a response came',
	);
});

test('temporary failures are transient, others are not', () => {
	for (const status of [429, 500, 503, 504])
		expect(isTransient(createServiceError(node, { status }))).toBe(true);
	for (const status of [400, 401, 402, 404, 409]) {
		expect(isTransient(createServiceError(node, { status }))).toBe(false);
	}
	expect(isTransient(createConnectionError(node, 'ECONNRESET', ''))).toBe(true);
	expect(isTransient(createConnectionError(node, 'ECONNREFUSED', ''))).toBe(true);
	expect(isTransient(createConnectionError(node, 'CERT_HAS_EXPIRED', ''))).toBe(false);
	expect(isNotFound(createServiceError(node, { status: 404 }))).toBe(true);
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
	expect(classifyConnectionError(code)).toBe(kind);
});

describe('an error that a run adds to', () => {
	const create = () =>
		createServiceError(
			node,
			{ status: 404, code: 'x' },
			{ hint: 'Check it.', serviceMessage: 'No' },
		);

	test('has its additions around its own texts, once', () => {
		const error = create();
		renderError(error, { suffix: ' [item 1]', before: ['Above'], after: ['Below'] });
		renderError(error, { suffix: ' [item 2]', after: ['At the end'] });
		expect(error.message).toBe('The service cannot find this: No [item 2]');
		expect(error.description).toBe('Check it.\nCode: x · HTTP status: 404\nAt the end');
		expect(renderError(error).description).toBe(create().description);
	});

	test('keeps its own texts apart: what happened, advice, and codes', () => {
		expect(getErrorParts(renderError(create(), { after: ['Below'] }))).toEqual({
			message: 'The service cannot find this: No',
			advice: ['Check it.'],
			details: ['Code: x · HTTP status: 404'],
		});
	});

	test('may come from n8n itself', () => {
		const error = new NodeOperationError(node, 'Broken', { description: 'Repair it.' });
		for (const item of [1, 2]) renderError(error, { suffix: ` [item ${item}]`, after: ['Below'] });
		expect(error.message).toBe('Broken [item 2]');
		expect(error.description).toBe('Repair it.\nBelow');
	});
});
