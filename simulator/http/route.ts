import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bend } from '../faults';
import type { Service } from '../service';
import { authorize } from './access';
import { admit, type Need } from './admit';
import { send, type Answer } from './answer';
import { check } from './check';
import { once } from './replay';
import { delay } from './sabotage';

interface Call<Query, Body> {
	params: Record<string, string>;
	query: Query;
	body: Body;
	/** For what is no JSON: multipart forms. */
	request: FastifyRequest;
	/** Unix seconds at the start of the request. */
	now: number;
}

interface RouteOptions<Query extends z.ZodTypeAny, Body extends z.ZodTypeAny> {
	/** Scope that a restricted key needs; null when any valid key will do. */
	scope: string | null;
	query?: Query;
	body?: Body;
	/** Takes the `Idempotency-Key` header. */
	idempotent?: boolean;
	/** What the workspace must be allowed for it. */
	needs?: Need;
	/** The handler reads the body itself. */
	form?: boolean;
}

const nothing = z.object({}).strict();

/** Makes `route`, by which a resource names its endpoints: request line, what it takes, handler. */
export const createRoute =
	(app: FastifyInstance, service: Service) =>
	<Query extends z.ZodTypeAny, Body extends z.ZodTypeAny>(
		line: string,
		options: RouteOptions<Query, Body>,
		handle: (call: Call<z.infer<Query>, z.infer<Body>>) => Answer | Promise<Answer>,
	) => {
		const [method = '', pattern = ''] = line.split(' ');
		app.route({
			method,
			url: pattern.replace(/\{(\w+)\}/g, ':$1'),
			handler: async (request, reply) => {
				const { fault } = request;
				service.clock.pump();
				authorize(service, request, line, options.scope);
				const work = async (): Promise<Answer> => {
					if (fault) await delay(service, fault, fault.delayMs);
					const query: z.infer<Query> = check(options.query ?? nothing, request.query ?? {});
					const body: z.infer<Body> = options.form
						? undefined
						: check(options.body ?? nothing, request.body ?? {});
					if (options.needs) admit(service, options.needs);
					const params = request.params as Record<string, string>;
					return handle({ params, query, body, request, now: service.clock.now() });
				};
				const answer = options.idempotent ? await once(service, request, line, work) : await work();
				if (!fault) return send(request, reply, answer);
				await delay(service, fault, fault.lateMs);
				return send(request, reply, { ...answer, body: bend(fault, answer.body) });
			},
		});
	};

export type Route = ReturnType<typeof createRoute>;
