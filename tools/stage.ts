import { startSimulator } from '../simulator';
import {
	freePort,
	type RealN8n,
	type Reference,
	type StartOptions,
	startN8n,
	type WorkflowDraft,
} from '../test/e2e/n8n';

/** Public URL of n8n: the service requires https, so the simulator maps this to localhost. */
export const publicOrigin = 'https://flows.example';

export const packageName = 'n8n-nodes-videogen';
export const credentialType = 'videoGenApi';

const credentialName = 'VideoGen (simulator)';

export type Simulator = Awaited<ReturnType<typeof startSimulator>>;
type SimulatorOptions = NonNullable<Parameters<typeof startSimulator>[0]>;

export interface Stage {
	n8n: RealN8n;
	simulator: Simulator;
	/** Credential of type `videoGenApi`, for the simulator. */
	credential: Reference;
	close(): Promise<void>;
}

export interface StageOptions extends StartOptions {
	simulator?: SimulatorOptions;
	/** Installs the package in n8n, unless the tarball or the folder of the package is given. */
	install?: (n8n: RealN8n) => Promise<void>;
}

/** Starts a simulator and a real n8n that can reach each other, and saves a credential in n8n. */
export async function startStage({
	simulator: options,
	install,
	...n8nOptions
}: StageOptions): Promise<Stage> {
	const port = n8nOptions.port ?? (await freePort());
	const simulator = await startSimulator({
		tunnels: { [publicOrigin]: `http://127.0.0.1:${port}` },
		...options,
	});
	try {
		const n8n = await startN8n({ webhookUrl: `${publicOrigin}/`, ...n8nOptions, port });
		try {
			await install?.(n8n);
			const credential = await saveCredential(n8n, {
				apiKey: simulator.apiKey,
				baseUrl: simulator.baseUrl,
			});
			return {
				n8n,
				simulator,
				credential,
				close: async () => {
					await n8n.stop();
					await simulator.close();
				},
			};
		} catch (error) {
			await n8n.stop();
			throw error;
		}
	} catch (error) {
		await simulator.close();
		throw error;
	}
}

/** Creates or updates the credential, because n8n's folder may be older than the simulator. */
export async function saveCredential(
	n8n: RealN8n,
	data: Record<string, unknown>,
	{ name, type } = { name: credentialName, type: credentialType },
): Promise<Reference> {
	const saved = await n8n.api<Array<Reference & { type: string }>>('GET', '/credentials');
	const known = saved.find((one) => one.name === name && one.type === type);
	if (!known) return await n8n.createCredential(type, name, data);
	const body = { name, type, data };
	await n8n.api('PATCH', `/credentials/${known.id}`, body);
	return { id: known.id, name: known.name };
}

/** Returns a workflow in which the nodes of this package use the credential. */
export function withCredential<T extends WorkflowDraft>(workflow: T, credential: Reference): T {
	return {
		...workflow,
		nodes: workflow.nodes.map((node) => {
			const ours = node.type.startsWith(`${packageName}.`);
			const wanted = node.credentials ? credentialType in node.credentials : ours;
			if (!wanted) return node;
			return { ...node, credentials: { ...node.credentials, [credentialType]: credential } };
		}),
	};
}
