import { parseArgs } from 'node:util';
import { startSimulator } from './index';

async function main() {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: process.env.SIMULATOR_PORT ?? '4010' },
			seconds: { type: 'string', default: process.env.SIMULATOR_SECONDS ?? '20' },
			// `--tunnel https://flows.example=http://127.0.0.1:5678`, as often as needed.
			tunnel: { type: 'string', multiple: true, default: [] },
			prefix: { type: 'string', default: process.env.SIMULATOR_PREFIX ?? 'Service' },
		},
	});
	const simulator = await startSimulator({
		port: Number(values.port),
		jobSeconds: Number(values.seconds),
		headerPrefix: values.prefix,
		tunnels: Object.fromEntries(values.tunnel.map((pair) => pair.split('=') as [string, string])),
	});
	console.log(`Base URL  ${simulator.baseUrl}`);
	console.log(`API key   ${simulator.apiKey}`);
	console.log(`Token     ${simulator.accessToken}`);
	console.log(`Control   ${simulator.baseUrl}/_control/`);
	console.log(`A job takes ${values.seconds} seconds. Stop with Ctrl-C.`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.close().then(() => process.exit(0)));
	}
}

void main();
