import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkBody, checkQuery, checkResponse, getOperation, type Problem } from '../api';
import { changeResponseData } from '../faults';
import { checkCapacity, type CapacityPool } from '../capacity';
import { createError, createProblemError, type ServiceError } from '../errors';
import type { Requests } from '../requestTypes';
import type { Service } from '../service';
import { authorize } from './authorization';
import { checkWorkspace, type WorkspaceNeed } from './workspaceChecks';
import { sendResponse, type ServiceResponse } from './responses';
import { runOncePerKey } from './idempotency';
import { delayByFault } from './faultInjection';

interface RouteCall<Line extends keyof Requests> {
	params: Record<string, string>;
	query: Requests[Line]['query'];
	body: Requests[Line]['body'];
	/** For handlers that read headers or a multipart form. */
	request: FastifyRequest;
	/** Unix seconds at the start of the handler. */
	now: number;
}

interface RouteOptions {
	needs?: WorkspaceNeed;
	/** The request starts a job, which the account may not run while it runs as many as it may. */
	occupies?: CapacityPool;
	/** The error for an invalid body, if it is not the usual one. */
	rejectBody?: (body: unknown, problem: Problem) => ServiceError | undefined;
}

type Handler<Line extends keyof Requests> = (
	call: RouteCall<Line>,
) => ServiceResponse | Promise<ServiceResponse>;

export interface Route {
	<Line extends keyof Requests>(line: Line, handle: Handler<Line>): void;
	<Line extends keyof Requests>(line: Line, options: RouteOptions, handle: Handler<Line>): void;
}

/**
 * Creates `route`, which registers an operation of the description. Every request passes the same steps in
 * order: key and rate limits, replay, faults, validation, workspace checks.
 */
export function createRoute(app: FastifyInstance, service: Service): Route {
	const register = <Line extends keyof Requests>(
		line: Line,
		options: RouteOptions,
		handle: Handler<Line>,
	) => {
		const [method = '', pattern = ''] = line.split(' ');
		const { requestBody, parameters = [], 'x-scope': scope = null } = getOperation(line);
		const isForm = requestBody?.content['multipart/form-data'] !== undefined;
		const isIdempotent = parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key'));
		app.route({
			method,
			url: pattern.replace(/\{(\w+)\}/g, ':$1'),
			handler: async (request, reply) => {
				const { fault } = request;
				service.clock.runDueActions();
				if (/^\/v[12]\//.test(pattern) && !service.state.workspace.hasLegacyRoutes) {
					throw createError(410, 'endpoint_sunset', 'This endpoint was retired');
				}
				authorize(service, request, line, scope);
				const handleRequest = async (): Promise<ServiceResponse> => {
					if (fault) await delayByFault(service, fault, fault.delayMs);
					const { query, problem } = checkQuery(line, { ...(request.query as object) });
					if (problem) throw createProblemError(problem);
					const body = isForm ? undefined : (request.body ?? {});
					const bodyProblem = isForm ? undefined : checkBody(line, body);
					if (bodyProblem) {
						throw options.rejectBody?.(body, bodyProblem) ?? createProblemError(bodyProblem);
					}
					if (options.needs) checkWorkspace(service, options.needs);
					if (options.occupies) checkCapacity(service, options.occupies);
					const params = request.params as Record<string, string>;
					const now = service.clock.now();
					const input = { query, body } as Pick<RouteCall<Line>, 'query' | 'body'>;
					const response = await handle({ params, ...input, request, now });
					if (service.settings.checkResponses) expectDescribed(line, response);
					return response;
				};
				const response = isIdempotent
					? await runOncePerKey(service, request, line, handleRequest)
					: await handleRequest();
				if (!fault) return sendResponse(request, reply, response);
				await delayByFault(service, fault, fault.lateMs);
				return sendResponse(request, reply, {
					...response,
					body: changeResponseData(fault, response.body),
				});
			},
		});
	};
	return <Line extends keyof Requests>(
		line: Line,
		...rest: [Handler<Line>] | [RouteOptions, Handler<Line>]
	) => (rest.length === 1 ? register(line, {}, rest[0]) : register(line, ...rest));
}

function expectDescribed(line: string, { status, body }: ServiceResponse) {
	if (body instanceof Readable) return;
	const problem = checkResponse(line, status, body);
	if (!problem) return;
	const field = problem.path.join('.');
	throw new Error(`The response to ${line} is not as described: ${field} ${problem.message}`);
}
