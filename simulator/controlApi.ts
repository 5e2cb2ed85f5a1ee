import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import type { Control } from './control';
import type { CustomDelivery } from './deliveries';
import { isServiceError, joinPath } from './errors';
import type { Fault } from './faults';
import type { Failure } from './rows';
import { createEmptyState, type TableName } from './store';
import { plans, type Workspace } from './workspace';

/** Prefix of the control API, which needs no API key. */
export const controlPrefix = '/_control/';

const count = z.int().min(0);

const failure = z.strictObject({
	code: z.string().optional().describe('Error code of the job, `generation_failed` by default'),
	message: z.string().optional(),
});

const fault = z
	.strictObject({
		method: z.string().optional().describe('All methods by default'),
		path: z.string().optional().describe('Exact path without the query, such as `/v3/videos`'),
		pathPattern: z.string().optional().describe('Regular expression, instead of `path`'),
		status: z
			.int()
			.min(200)
			.max(599)
			.optional()
			.describe('Status of the response. The endpoint does not process the request'),
		code: z.string().optional().describe('Error code in the body'),
		message: z.string().optional(),
		param: z.string().nullable().optional(),
		retryAfter: z.number().min(0).optional().describe('Seconds, sent as `Retry-After`'),
		body: z.unknown().optional().describe('Sent instead of the error body'),
		headers: z.record(z.string(), z.string()).optional(),
		proxy: z.boolean().optional().describe('Whether to respond with an HTML page of a proxy'),
		data: z
			.record(z.string(), z.unknown())
			.optional()
			.describe('Fields to set in `data` of the response, after the endpoint has run'),
		without: z.array(z.string()).optional().describe('Fields to remove from `data`'),
		cut: z
			.enum(['before', 'after', 'head', 'midway', 'tail'])
			.optional()
			.describe('Where the connection breaks'),
		delayMs: count.optional().describe('Milliseconds before the endpoint runs'),
		lateMs: count.optional().describe('Milliseconds between the endpoint and its response'),
		times: z.int().min(1).optional().describe('Number of requests. Unlimited by default'),
		probability: z.number().min(0).max(1).optional(),
	})
	.refine(({ path, pathPattern }) => path === undefined || pathPattern === undefined, {
		message: 'give either path or pathPattern',
	});

const workspaceFields = {
	plan: z.enum(plans),
	credit: z.number().describe('US dollars. At 0, paid requests return 402'),
	trialJobs: count.nullable(),
	quotaJobs: count.nullable(),
	phoneVerified: z.boolean(),
	otherVendors: z.boolean(),
	inlineFiles: z.boolean(),
	lockedBrandKit: z.string().nullable(),
	encryption: z.enum(['ready', 'pending', 'failed', 'disabled', 'unavailable']),
	templateLimit: count,
	runsAtOnce: count,
	jobsAtOnce: count,
	streamsAtOnce: count,
	hasLegacyRoutes: z.boolean(),
	capacityRetryAfter: z.number().min(0).nullable(),
	keepsRejections: z
		.boolean()
		.describe('Whether a rejected create uses up its key. A repeat then gets the same rejection'),
} satisfies { [Name in keyof Workspace]: z.ZodType<Workspace[Name]> };

const customDelivery = z.strictObject({
	url: z.string(),
	secret: z.string().describe('Signs the body'),
	event: z.record(z.string(), z.unknown()).describe('The whole body'),
	prefix: z.string().optional(),
	timestampOffset: z.number().optional().describe('Seconds to add to the timestamp'),
	tamper: z.boolean().optional().describe('Whether to change the body after signing it'),
	omit: z.array(z.enum(['signature', 'timestamp', 'event-id'])).optional(),
	eventId: z.string().optional(),
	signature: z.string().optional(),
});

interface ControlCall<Query, Body> {
	params: Record<string, string>;
	query: Query;
	body: Body;
}

export interface ControlEndpoint {
	line: string;
	summary: string;
	query?: z.ZodType | undefined;
	body?: z.ZodType | undefined;
	run(control: Control, call: ControlCall<unknown, unknown>): unknown;
}

const emptyObject = z.strictObject({});

/** Checks the types of a handler against its schemas. */
function endpoint<
	Query extends z.ZodType = typeof emptyObject,
	Body extends z.ZodType = typeof emptyObject,
>(
	line: string,
	summary: string,
	run: (control: Control, call: ControlCall<z.infer<Query>, z.infer<Body>>) => unknown,
	schemas: { query?: Query; body?: Body } = {},
): ControlEndpoint {
	return { line, summary, run: run as ControlEndpoint['run'], ...schemas };
}

const state = createEmptyState();
const tableNames = Object.entries(state).flatMap(([name, table]) =>
	table instanceof Map && !['failNext', 'replays', 'windows'].includes(name) ? [name] : [],
);

/** Paths are relative to `/_control/`. */
export const controlEndpoints: ControlEndpoint[] = [
	endpoint(
		'POST reset',
		'Restores the initial state and clears all faults. Keys and tokens stay valid',
		(control) => control.reset(),
	),
	endpoint(
		'POST faults',
		'Injects an error into matching requests',
		(control, { body: { pathPattern, ...rest } }) =>
			control.fail({
				...(rest as Fault),
				...(pathPattern === undefined ? {} : { path: new RegExp(pathPattern) }),
			}),
		{ body: fault },
	),
	endpoint('DELETE faults', 'Removes all faults', (control) => control.clearFaults()),
	endpoint('GET clock', 'Returns the simulated time in Unix seconds', (control) => ({
		now: control.clock.now(),
	})),
	endpoint(
		'POST clock',
		'Moves the simulated time forward: jobs end, events are delivered',
		(control, { body }) => {
			control.clock.advance(body.advance);
			return { now: control.clock.now() };
		},
		{ body: z.strictObject({ advance: z.number().min(0).describe('Seconds') }) },
	),
	endpoint(
		'POST hold',
		'Stops all jobs where they are, or continues them',
		(control, { body }) => control.holdJobs(body.hold),
		{ body: z.strictObject({ hold: z.boolean().default(true) }) },
	),
	endpoint(
		'GET jobs/{kind}',
		'Lists the jobs of a kind, such as `video` or `batch`',
		(control, call) => control.jobs(call.params.kind ?? ''),
	),
	endpoint(
		'POST jobs/{id}/fail',
		'Makes a running job fail at the time it would have completed',
		(control, { params, body }) => control.failJob(params.id ?? '', body.code, body.message),
		{ body: failure },
	),
	endpoint(
		'POST jobs/{id}/end',
		'Ends a running job now, even while jobs are held',
		(control, call) => control.endJob(call.params.id ?? ''),
	),
	endpoint(
		'POST fail-next',
		'Makes the next job of a kind fail',
		(control, { body: { kind, ...reason } }) => control.failNext(kind, reason as Failure),
		{
			body: failure.extend({
				kind: z.string().describe('Such as `video`, `session`, `gif` or `caption`'),
			}),
		},
	),
	endpoint(
		'POST rest-next',
		'Makes the next chat turn of the agent wait for its user',
		(control, { body }) => control.restNext(body.status),
		{ body: z.strictObject({ status: z.enum(['waiting_for_input', 'reviewing']) }) },
	),
	endpoint(
		'POST workspace',
		'Restricts what the workspace may do, until the next reset',
		(control, { body }) => control.setWorkspace(body as Partial<Workspace>),
		{ body: z.strictObject(workspaceFields).partial() },
	),
	endpoint(
		'POST rows/{table}/{id}',
		`Sets fields that no request can set. Tables: ${tableNames.join(', ')}`,
		(control, { params: { table = '', id = '' }, body }) => {
			if (!tableNames.includes(table)) throw new Error(`There is no table ${table}`);
			control.change(table as TableName, id, body);
		},
		{ body: z.record(z.string(), z.unknown()) },
	),
	endpoint(
		'POST keys',
		'Creates an API key',
		(control, { body }) => ({ key: control.addKey(body as Parameters<Control['addKey']>[0]) }),
		{
			body: z.strictObject({
				scopes: z.array(z.string()).optional().describe('Such as `videos:read`. All by default'),
				expired: z.boolean().optional(),
				forbidden: z
					.array(z.string())
					.optional()
					.describe('Request lines that return 403, such as `DELETE /v3/videos/{video_id}`'),
			}),
		},
	),
	endpoint('POST tokens', 'Creates an access token', (control) => ({ token: control.addToken() })),
	endpoint('DELETE tokens/{token}', 'Revokes an access token', (control, { params }) =>
		control.revokeToken(params.token ?? ''),
	),
	endpoint(
		'POST expire-tokens',
		'Expires all access tokens. They can still be refreshed',
		(control) => control.expireTokens(),
	),
	endpoint('POST revoke-grants', 'Revokes all OAuth grants with their tokens', (control) =>
		control.revokeGrants(),
	),
	endpoint('GET oauth', 'Lists the issued OAuth tokens, oldest first', (control) =>
		control.oauth(),
	),
	endpoint(
		'POST media',
		'Changes the video files',
		(control, { body: { bytes, truncate } }) => {
			if (bytes !== undefined) control.setMediaBytes(bytes);
			if (truncate !== undefined) control.truncateMedia(truncate);
		},
		{
			body: z.strictObject({
				bytes: count
					.nullable()
					.optional()
					.describe('Size of synthetic files. Null restores the real files'),
				truncate: z.boolean().optional().describe('Whether every download breaks off midway'),
			}),
		},
	),
	endpoint(
		'GET requests',
		'Lists the received requests, oldest first',
		(control, { query: { method, path, pathPattern } }) => {
			const pathFilter = pathPattern === undefined ? path : new RegExp(pathPattern);
			return control.requests({
				...(method ? { method } : {}),
				...(pathFilter ? { path: pathFilter } : {}),
			});
		},
		{
			query: z.strictObject({
				method: z.string().optional(),
				path: z.string().optional(),
				pathPattern: z.string().optional().describe('Regular expression'),
			}),
		},
	),
	endpoint('GET endpoints', 'Lists the webhook endpoints', (control) => control.endpoints()),
	endpoint(
		'GET endpoints/{id}/secret',
		'Returns the secret of a webhook endpoint',
		(control, call) => ({
			secret: control.secretOf(call.params.id ?? ''),
		}),
	),
	endpoint('GET deliveries', 'Lists all attempts to deliver an event', (control) =>
		control.deliveries(),
	),
	endpoint(
		'POST emit',
		'Delivers an event to all subscribed endpoints and to a callback URL',
		(control, { body }) => control.emit(body.event_type, body.event_data, body.callback_url),
		{
			body: z.strictObject({
				event_type: z.string(),
				event_data: z.record(z.string(), z.unknown()).default({}),
				callback_url: z.string().optional(),
			}),
		},
	),
	endpoint(
		'POST deliver',
		'Sends one delivery, any part of which may be falsified, and returns the response',
		(control, { body }) => control.deliver(body as CustomDelivery),
		{ body: customDelivery },
	),
	endpoint('POST idle', 'Responds when no delivery is in flight', (control) => control.idle()),
];

/** Returns the parsed value, or throws an error with all problems: a misspelled field is two of them. */
function parse(schema: z.ZodType, value: unknown): unknown {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const problems = result.error.issues.map(({ path, message }) =>
		[joinPath(path), message].filter(Boolean).join(': '),
	);
	throw new Error(problems.join('; '));
}

const done = { ok: true };

/** Registers the control API, as JSON under `/_control/`. An unknown field of a body is an error. */
export function registerControl(app: FastifyInstance, control: Control) {
	for (const { line, query, body, run } of controlEndpoints) {
		const [method = '', path = ''] = line.split(' ');
		app.route({
			method,
			url: controlPrefix + path.replace(/\{(\w+)\}/g, ':$1'),
			handler: async (request: FastifyRequest, reply) => {
				try {
					const call = {
						params: request.params as Record<string, string>,
						query: parse(query ?? emptyObject, request.query ?? {}),
						body: parse(body ?? emptyObject, request.body ?? {}),
					};
					return (await run(control, call)) ?? done;
				} catch (error) {
					const status = isServiceError(error) ? error.status : 400;
					return reply.status(status).send({ error: (error as Error).message });
				}
			},
		});
	}
}
