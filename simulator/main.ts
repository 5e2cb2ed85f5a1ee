import { parseArgs } from 'node:util';
import { localAddress } from './deliver';
import { startSimulator } from './index';

const example =
	'npm run simulator -- --port 4010 --seconds 20 --tunnel https://flows.example=http://127.0.0.1:5678 --prefix Service';

function readOptions() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string', default: process.env.SIMULATOR_PORT ?? '4010' },
				seconds: { type: 'string', default: process.env.SIMULATOR_SECONDS ?? '20' },
				// As often as needed.
				tunnel: { type: 'string', multiple: true, default: [] },
				prefix: { type: 'string', default: process.env.SIMULATOR_PREFIX ?? 'Service' },
			},
		}).values;
	} catch (error) {
		// Node's first sentence says what is wrong; the rest is about its own parser.
		const [wrong] = (error as Error).message.split(/\.\s|\n/);
		throw new Error(`${wrong}: give options as in ${example}`);
	}
}

function readPort(text: string): number {
	if (!/^\d+$/.test(text) || Number(text) > 65_535) {
		throw new Error(
			`The port is "${text}": give --port (or SIMULATOR_PORT) a whole number from 1 to 65535, or 0 for any free port.`,
		);
	}
	return Number(text);
}

function readSeconds(text: string): number {
	if (!/^\d+(\.\d+)?$/.test(text)) {
		throw new Error(
			`The time of a job is "${text}": give --seconds (or SIMULATOR_SECONDS) a number from 0 up, such as 20 or 0.5.`,
		);
	}
	return Number(text);
}

function readPrefix(text: string): string {
	if (!/^[A-Za-z0-9-]+$/.test(text)) {
		throw new Error(
			`The beginning of the webhook headers is "${text}": give --prefix (or SIMULATOR_PREFIX) letters, digits and hyphens, such as Service.`,
		);
	}
	return text;
}

/** A public https origin, `=`, and where it is answered on this machine. */
function readTunnel(text: string): [string, string] {
	const cut = text.indexOf('=');
	const [from, to] = [text.slice(0, cut), text.slice(cut + 1)];
	const isPublic = URL.canParse(from) && new URL(from).protocol === 'https:';
	if (!isPublic || !URL.canParse(to) || !localAddress(from, { [from]: to })) {
		throw new Error(
			`The tunnel is "${text}": give --tunnel a public https address and one of this machine, such as https://flows.example=http://127.0.0.1:5678.`,
		);
	}
	return [from, to];
}

/** Why the port cannot be had, as a sentence. */
function portProblem(error: unknown, port: number): unknown {
	const { code } = error as NodeJS.ErrnoException;
	const other = 'give another one, such as --port 4011, or --port 0 for any free port.';
	if (code === 'EADDRINUSE') return new Error(`Port ${port} is in use already: ${other}`);
	if (code === 'EACCES') return new Error(`Port ${port} is not open to your user: ${other}`);
	return error;
}

async function main() {
	const values = readOptions();
	const port = readPort(values.port);
	const jobSeconds = readSeconds(values.seconds);
	const simulator = await startSimulator({
		port,
		jobSeconds,
		headerPrefix: readPrefix(values.prefix),
		tunnels: Object.fromEntries(values.tunnel.map(readTunnel)),
	}).catch((error: unknown) => {
		throw portProblem(error, port);
	});
	console.log(`Base URL  ${simulator.baseUrl}`);
	console.log(`API key   ${simulator.apiKey}`);
	console.log(`Token     ${simulator.accessToken}`);
	console.log(`Control   ${simulator.baseUrl}/_control/`);
	console.log(`A job takes ${jobSeconds} seconds. Stop with Ctrl-C.`);
	// Not `once`: Ctrl-C reaches us twice, from the terminal and passed on by who started us.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => void simulator.close().finally(() => process.exit(0)));
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
