#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { resolveLocalUrl } from './deliveries';
import { startSimulator } from './index';
import { publicClient, defaultScope } from './resources/oauth/requests';

const exampleOptions =
	'--port 4010 --seconds 20 --tunnel https://flows.example=http://127.0.0.1:5678 --prefix Service';

const defaultTunnel = 'https://flows.example=http://127.0.0.1:5678';

const helpText = `A simulated Video Generation Service on this machine. It needs no account, costs nothing, and starts
empty every time.

  npx videogen-simulator          as an installed package
  npm run simulator               in a clone of the repository

  --port 4010       port of the service (or SIMULATOR_PORT); 0 uses any free port
  --host 127.0.0.1  address to listen on (or SIMULATOR_HOST); 0.0.0.0 is every network of this machine
  --url             URL in links to files, if clients need another one (or SIMULATOR_URL)
  --key             API key (or SIMULATOR_KEY); by default, each start creates one
  --seconds 20      duration of a job (or SIMULATOR_SECONDS)
  --tunnel ${defaultTunnel}
                    delivers to this machine what is addressed to the public URL. Start n8n with
                    N8N_WEBHOOK_URL=https://flows.example/. May be repeated
  --prefix Service  prefix of the webhook headers (or SIMULATOR_PREFIX)

The values shown are the defaults.`;

/** Joins an option and its negative number with `=`, so that our own error explains the value. */
const joinNegativeValues = (args: readonly string[]) =>
	args.flatMap((arg, i) => {
		if (/^-\d/.test(arg) && args[i - 1]?.startsWith('--')) return [];
		const next = args[i + 1] ?? '';
		return arg.startsWith('--') && /^-\d/.test(next) ? [`${arg}=${next}`] : [arg];
	});

function readOptions() {
	const args = process.argv.slice(2);
	if (args.includes('--help') || args.includes('-h')) {
		console.log(helpText);
		process.exit(0);
	}
	try {
		return parseArgs({
			args: joinNegativeValues(args),
			options: {
				port: { type: 'string', default: process.env.SIMULATOR_PORT ?? '4010' },
				host: { type: 'string', default: process.env.SIMULATOR_HOST ?? '127.0.0.1' },
				url: { type: 'string', default: process.env.SIMULATOR_URL ?? '' },
				key: { type: 'string', default: process.env.SIMULATOR_KEY ?? '' },
				seconds: { type: 'string', default: process.env.SIMULATOR_SECONDS ?? '20' },
				tunnel: { type: 'string', multiple: true, default: [defaultTunnel] },
				prefix: { type: 'string', default: process.env.SIMULATOR_PREFIX ?? 'Service' },
			},
		}).values;
	} catch (error) {
		// Only the first sentence of Node's message is about the option.
		const [wrong] = (error as Error).message.split(/\.\s|\n/);
		throw new Error(`${wrong}: give options as in ${exampleOptions}`);
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
			`The time of a job is "${text}": give --seconds (or SIMULATOR_SECONDS) a number of at least 0, such as 20 or 0.5.`,
		);
	}
	return Number(text);
}

function readPrefix(text: string): string {
	if (!/^[A-Za-z0-9-]+$/.test(text)) {
		throw new Error(
			`The prefix of the webhook headers is "${text}": give --prefix (or SIMULATOR_PREFIX) letters, digits and hyphens, such as Service.`,
		);
	}
	return text;
}

/** An empty key creates one. */
function readKey(text: string): string | undefined {
	if (text !== '' && !/^[\x21-\x7E]+$/.test(text)) {
		throw new Error(
			'The API key has spaces or special characters: give --key (or SIMULATOR_KEY) letters, digits and punctuation, such as my-key.',
		);
	}
	return text || undefined;
}

function readUrl(text: string): string | undefined {
	if (text !== '' && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) {
		throw new Error(
			`The URL is "${text}": give --url (or SIMULATOR_URL) an http or https URL, such as http://simulator:4010.`,
		);
	}
	return text.replace(/\/+$/, '') || undefined;
}

const isLoopback = (host: string) => ['localhost', '::1'].includes(host) || host.startsWith('127.');

/** Parses `<public https origin>=<local origin>`. */
function readTunnel(text: string): [string, string] {
	const separator = text.indexOf('=');
	const [publicOrigin, localOrigin] = [text.slice(0, separator), text.slice(separator + 1)];
	const isPublic = URL.canParse(publicOrigin) && new URL(publicOrigin).protocol === 'https:';
	if (
		!isPublic ||
		!URL.canParse(localOrigin) ||
		!resolveLocalUrl(publicOrigin, { [publicOrigin]: localOrigin })
	) {
		throw new Error(
			`The tunnel is "${text}": give --tunnel a public https URL and a local one, such as https://flows.example=http://127.0.0.1:5678.`,
		);
	}
	return [publicOrigin, localOrigin];
}

/** Returns a readable error for a port or address that cannot be opened. */
function explainListenError(error: unknown, port: number, host: string): unknown {
	const { code } = error as NodeJS.ErrnoException;
	const advice = 'give another one, such as --port 4011, or --port 0 for any free port.';
	if (code === 'EADDRINUSE') return new Error(`Port ${port} is already in use: ${advice}`);
	if (code === 'EACCES') return new Error(`Port ${port} is not allowed for your user: ${advice}`);
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
		return new Error(
			`"${host}" is no address of this machine: give --host (or SIMULATOR_HOST) another one, such as 127.0.0.1 or 0.0.0.0.`,
		);
	}
	return error;
}

async function main() {
	const values = readOptions();
	const port = readPort(values.port);
	const jobSeconds = readSeconds(values.seconds);
	const tunnels = values.tunnel.map(readTunnel);
	const simulator = await startSimulator({
		port,
		host: values.host,
		publicUrl: readUrl(values.url),
		apiKey: readKey(values.key),
		jobSeconds,
		headerPrefix: readPrefix(values.prefix),
		renderVideos: true,
		localEndpoints: true,
		tunnels: Object.fromEntries(tunnels),
	}).catch((error: unknown) => {
		throw explainListenError(error, port, values.host);
	});
	const { baseUrl } = simulator;
	console.log(`Base URL  ${baseUrl}`);
	console.log(`API key   ${simulator.apiKey}`);
	console.log(`Token     ${simulator.accessToken}`);
	console.log(`OAuth     authorization URL ${baseUrl}/oauth/authorize`);
	console.log(`          access token URL  ${baseUrl}/oauth/token`);
	console.log(`          client ID ${publicClient}, no secret, scopes ${defaultScope}`);
	for (const [publicOrigin, localOrigin] of tunnels)
		console.log(`Tunnel    ${publicOrigin} is ${localOrigin}`);
	console.log(`Endpoints ${baseUrl}/ lists them, ${baseUrl}/openapi.json has their schemas`);
	console.log(`Control   ${baseUrl}/_control/`);
	if (!isLoopback(values.host)) {
		console.log('Whoever reaches this machine can use the control API, which needs no key.');
	}
	console.log(`A job takes ${jobSeconds} seconds. Stop with Ctrl-C.`);
	// Not `once`: Ctrl-C arrives twice, from the terminal and from the parent process.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => void simulator.close().finally(() => process.exit(0)));
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exit(1);
});
