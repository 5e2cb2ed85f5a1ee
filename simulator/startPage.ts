import type { FastifyInstance } from 'fastify';
import { controlPrefix } from './controlApi';
import { listOperations } from './api';
import { describeSimulator } from './openApi';
import type { Service } from './service';
import { version } from './package.json';

const openApiPath = '/openapi.json';

/** Whether a request is for the simulator itself and not for the simulated service. */
export const isOwnRequest = (url: string) => {
	const [path = ''] = url.split('?');
	return path === '/' || path === openApiPath || path.startsWith(controlPrefix);
};

const renderPage = (lines: string[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Simulated Video Generation Service</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; color-scheme: light dark }</style>
<h1>Simulated Video Generation Service</h1>
<p>It runs on this machine, costs nothing, and forgets everything when it stops.
The schemas of all requests are in <a href="${openApiPath}">${openApiPath}</a>.</p>
<pre>${lines.join('\n')}</pre>
</html>`;

/** Registers `GET /`, which lists the endpoints, and `GET /openapi.json`. */
export function registerStartPage(app: FastifyInstance, service: Service) {
	const build = () => describeSimulator(service.baseUrl);
	app.get(openApiPath, async () => build());
	app.get('/', async (request, reply) => {
		const endpoints = listOperations(build()).map(({ line }) => line);
		if (request.headers.accept?.includes('text/html')) {
			return reply.type('text/html; charset=utf-8').send(renderPage(endpoints));
		}
		return {
			service: 'Simulated Video Generation Service',
			version,
			base_url: service.baseUrl,
			openapi: `${service.baseUrl}${openApiPath}`,
			endpoints,
		};
	});
}
