import { parseArgs } from 'node:util';
import { resolveLocalUrl } from './deliveries';
import { startSimulator } from './index';
import { publicClient, defaultScope } from './resources/oauth/requests';

const exampleCommand =
	'npm run simulator -- --port 4010 --seconds 20 --tunnel https://flows.example=http://127.0.0.1:5678 --prefix Service';

const defaultTunnel = 'https://flows.example=http://127.0.0.1:5678';

const helpText = `The service on this machine, for an n8n of your own. It needs no account, costs nothing, and forgets
everything when it ends.

  npm run simulator

  --port 4010       where it is reached (or SIMULATOR_PORT); 0 takes any free port
  --seconds 20      how long a job takes (or SIMULATOR_SECONDS)
  --tunnel ${defaultTunnel}
                    delivers what is for the public address to this machine instead. Give n8n the
                    setting N8N_WEBHOOK_URL=https://flows.example/ then. May be given several times
  --prefix Service  the beginning of the names of the headers of its events (or SIMULATOR_PREFIX)

The defaults are shown.`;

/** A value may begin with a hyphen: it is wrong, and is to be told in words. */
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
				seconds: { type: 'string', default: process.env.SIMULATOR_SECONDS ?? '20' },
				// As often as needed.
				tunnel: { type: 'string', multiple: true, default: [defaultTunnel] },
				prefix: { type: 'string', default: process.env.SIMULATOR_PREFIX ?? 'Service' },
			},
		}).values;
	} catch (error) {
		// Node's first sentence says what is wrong; the rest is about its own parser.
		const [wrong] = (error as Error).message.split(/\.\s|\n/);
		throw new Error(`${wrong}: give options as in ${exampleCommand}`);
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
	const separator = text.indexOf('=');
	const [publicOrigin, localOrigin] = [text.slice(0, separator), text.slice(separator + 1)];
	const isPublic = URL.canParse(publicOrigin) && new URL(publicOrigin).protocol === 'https:';
	if (
		!isPublic ||
		!URL.canParse(localOrigin) ||
		!resolveLocalUrl(publicOrigin, { [publicOrigin]: localOrigin })
	) {
		throw new Error(
			`The tunnel is "${text}": give --tunnel a public https address and one of this machine, such as https://flows.example=http://127.0.0.1:5678.`,
		);
	}
	return [publicOrigin, localOrigin];
}

/** Why the port cannot be had, as a sentence. */
function explainPortError(error: unknown, port: number): unknown {
	const { code } = error as NodeJS.ErrnoException;
	const advice = 'give another one, such as --port 4011, or --port 0 for any free port.';
	if (code === 'EADDRINUSE') return new Error(`Port ${port} is in use already: ${advice}`);
	if (code === 'EACCES') return new Error(`Port ${port} is not open to your user: ${advice}`);
	return error;
}

async function main() {
	const values = readOptions();
	const port = readPort(values.port);
	const jobSeconds = readSeconds(values.seconds);
	const tunnels = values.tunnel.map(readTunnel);
	const simulator = await startSimulator({
		port,
		jobSeconds,
		headerPrefix: readPrefix(values.prefix),
		tunnels: Object.fromEntries(tunnels),
	}).catch((error: unknown) => {
		throw explainPortError(error, port);
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
	console.log(`Control   ${baseUrl}/_control/`);
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
