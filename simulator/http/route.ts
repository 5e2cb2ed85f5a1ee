import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod/v4';
import { changeResponseData } from '../faults';
import { checkCapacity, type CapacityPool } from '../capacity';
import { createError } from '../errors';
import type { Service } from '../service';
import { authorize } from './authorization';
import { checkWorkspace, type WorkspaceNeed } from './workspaceChecks';
import { sendResponse, type ServiceResponse } from './responses';
import { validate } from './validation';
import { runOncePerKey } from './idempotency';
import { delayByFault } from './faultInjection';

interface RouteCall<Query, Body> {
	params: Record<string, string>;
	query: Query;
	body: Body;
	/** For handlers that read headers or a multipart form. */
	request: FastifyRequest;
	/** Unix seconds at the start of the handler. */
	now: number;
}

interface RouteOptions<Query extends z.ZodType, Body extends z.ZodType> {
	/** Scope that a restricted key needs; null if any valid key may call it. */
	scope: string | null;
	query?: Query;
	body?: Body;
	/** Honors the `Idempotency-Key` header. */
	idempotent?: boolean;
	needs?: WorkspaceNeed;
	/** The request starts a job, which the account may not run while it runs as many as it may. */
	occupies?: CapacityPool;
	/** The handler reads the multipart body itself. */
	form?: boolean;
}

const emptyObject = z.object({}).strict();

/** What the OpenAPI document shows of an endpoint. */
export interface RouteDescription {
	line: string;
	scope: string | null;
	query?: z.ZodType | undefined;
	body?: z.ZodType | undefined;
	isIdempotent: boolean;
	isForm: boolean;
}

/**
 * Creates `route`, which registers and describes an endpoint: request line, options, handler. Every request passes
 * the same steps in order: key and rate limits, replay, faults, validation, workspace checks.
 */
export const createRoute =
	(app: FastifyInstance, service: Service, descriptions: RouteDescription[]) =>
	<Query extends z.ZodType, Body extends z.ZodType>(
		line: string,
		options: RouteOptions<Query, Body>,
		handleCall: (
			call: RouteCall<z.infer<Query>, z.infer<Body>>,
		) => ServiceResponse | Promise<ServiceResponse>,
	) => {
		const [method = '', pattern = ''] = line.split(' ');
		descriptions.push({
			line,
			scope: options.scope,
			query: options.query,
			body: options.body,
			isIdempotent: options.idempotent ?? false,
			isForm: options.form ?? false,
		});
		app.route({
			method,
			url: pattern.replace(/\{(\w+)\}/g, ':$1'),
			handler: async (request, reply) => {
				const { fault } = request;
				service.clock.runDueActions();
				if (/^\/v[12]\//.test(pattern) && !service.state.workspace.hasLegacyRoutes) {
					throw createError(410, 'endpoint_sunset', 'This endpoint was retired');
				}
				authorize(service, request, line, options.scope);
				const handleRequest = async (): Promise<ServiceResponse> => {
					if (fault) await delayByFault(service, fault, fault.delayMs);
					const query = validate(options.query ?? emptyObject, request.query ?? {});
					const body = options.form
						? undefined
						: validate(options.body ?? emptyObject, request.body ?? {});
					if (options.needs) checkWorkspace(service, options.needs);
					if (options.occupies) checkCapacity(service, options.occupies);
					const params = request.params as Record<string, string>;
					const now = service.clock.now();
					// Without schemas, handlers read neither of them.
					const input = { query, body } as { query: z.infer<Query>; body: z.infer<Body> };
					return handleCall({ params, ...input, request, now });
				};
				const response = options.idempotent
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

export type Route = ReturnType<typeof createRoute>;
