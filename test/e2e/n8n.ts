import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type {
	ExecutionError,
	ExecutionStatus,
	IBinaryData,
	IConnections,
	INode,
	INodeCredentials,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	IPinData,
	IRunExecutionData,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Agent, type Dispatcher, request } from 'undici';
import { type Log, onShutdown, createTemporaryFolder } from '../../tools/child';
import { hashLockFile } from '../../tools/install';
import { ensureN8n } from '../../tools/installN8n';
import { type N8nVersion, newestVersion } from '../../tools/n8nVersions';
import { n8nProcess } from './process';
import { until } from './until';

export interface StartOptions {
	/** Of n8n; the newest by default. */
	line?: N8nVersion;
	/** Becomes N8N_USER_FOLDER: database, settings, installed packages, log. */
	userFolder: string;
	/** The package under test, installed as n8n installs a community package. */
	tarball?: string;
	/** Or: a folder that holds the built package, linked so that a restart sees every rebuild. */
	packageDir?: string;
	/** A free port by default. */
	port?: number;
	/** The public origin that n8n puts into webhook and resume URLs. */
	webhookUrl?: string;
	env?: Record<string, string>;
	log: Log;
}

export interface Reference {
	id: string;
	name: string;
}

export interface WorkflowDraft {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IPinData;
}

export interface SavedWorkflow extends WorkflowDraft {
	id: string;
	versionId: string;
	active: boolean;
}

export interface Execution {
	id: string;
	status: ExecutionStatus;
	mode: WorkflowExecuteMode;
	workflowId: string;
	startedAt?: string;
	stoppedAt?: string;
	waitTill?: string | null;
	data: IRunExecutionData;
}

export interface ExecutionSummary {
	id: string;
	status: ExecutionStatus;
	mode: WorkflowExecuteMode;
	workflowId: string;
}

export interface RunOptions {
	/** Name of the trigger node to start from; by default the only (or the manual) one. */
	trigger?: string;
	/** Stop after this node, as "Execute step" does. */
	destination?: string;
	/** Return when one of these is reached; by default when the execution has ended. */
	until?: ExecutionStatus[];
	timeoutMs?: number;
}

export interface DynamicParameters {
	/** Full type name, `n8n-nodes-videogen.…` */
	type: string;
	version?: number;
	/** The parameter's path in the node; only needed where the method reads it. */
	path?: string;
	method: string;
	parameters?: INodeParameters;
	credentials?: INodeCredentials;
	filter?: string;
	paginationToken?: string;
}

export interface RealN8n {
	readonly line: N8nVersion;
	readonly baseUrl: string;
	readonly editorUrl: string;
	readonly email: string;
	readonly password: string;
	readonly userFolder: string;
	/** Calls `/rest` + path as the signed-in owner and unwraps n8n's `data`. */
	api<T>(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<T>;
	/**
	 * Opens a page of n8n as the owner's browser does when it is sent there, by an address on the
	 * editor's origin. Redirects are not followed.
	 */
	fetchAs(path: string): Promise<{ status: number; text: string }>;
	/** The node types that the editor lists. */
	nodeTypes(): Promise<Array<{ name: string; version: number | number[] }>>;
	createCredential(type: string, name: string, data: object): Promise<Reference>;
	/** What the editor does when a credential is saved. Without data: the stored ones. */
	testCredential(credential: {
		id?: string;
		name: string;
		type: string;
		data?: object;
	}): Promise<{ status: 'OK' | 'Error'; message: string }>;
	createWorkflow(workflow: WorkflowDraft): Promise<SavedWorkflow>;
	updateWorkflow(id: string, workflow: WorkflowDraft): Promise<SavedWorkflow>;
	/** Publishes the saved version and waits until its webhooks answer. */
	activate(id: string): Promise<void>;
	deactivate(id: string): Promise<void>;
	/** Deactivates, archives and deletes. */
	deleteWorkflow(id: string): Promise<void>;
	/** Starts a manual execution, as the editor does, and returns its id. */
	start(workflowId: string, options?: Omit<RunOptions, 'until' | 'timeoutMs'>): Promise<string>;
	/** Starts a manual execution and waits for its end (2 minutes by default). */
	run(workflowId: string, options?: RunOptions): Promise<Execution>;
	execution(id: string): Promise<Execution>;
	executions(filter: {
		workflowId?: string;
		status?: ExecutionStatus[];
	}): Promise<ExecutionSummary[]>;
	/** The first execution (by id) that fits, once it has ended or reached one of `until`. */
	waitForExecution(
		filter: { id?: string; workflowId?: string; afterId?: string },
		options?: { until?: ExecutionStatus[]; timeoutMs?: number },
	): Promise<Execution>;
	stopExecution(id: string): Promise<void>;
	listSearch(request: DynamicParameters): Promise<INodeListSearchResult>;
	loadOptions(request: DynamicParameters): Promise<INodePropertyOptions[]>;
	/** The bytes of an item's binary property. */
	binary(data: IBinaryData): Promise<Buffer>;
	/** Everything that n8n wrote since the last start. */
	logs(): string;
	/** Undefined while n8n's main process does not run. */
	pid(): number | undefined;
	/** Resident memory of n8n's main process. */
	rssBytes(): number;
	/** Processor time that n8n's main process has used since it started; NaN where none is told. */
	cpuSeconds(): number;
	/** Kills n8n without a goodbye. */
	kill(signal?: NodeJS.Signals): Promise<void>;
	/** Starts again on the same folder and port; stops first if it still runs. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

const email = 'owner@example.com';
const password = 'Videogen-2026';
/** n8n lists no more executions than this at once, the newest first. */
const maxListedExecutions = 100;
const endStatuses: ExecutionStatus[] = ['success', 'error', 'canceled', 'crashed'];

/**
 * Starts a real n8n on this machine, installed on first use, with an owner signed in.
 * It ends with `stop()`, and at the latest with this process.
 */
export async function startN8n(options: StartOptions): Promise<RealN8n> {
	const { line = newestVersion, log, userFolder, env } = options;
	const startScript = await ensureN8n(log, line);
	// Another database than SQLite is the caller's.
	if (env?.DB_TYPE === undefined) await copyMigratedDatabase(line, userFolder, log);
	if (options.tarball) installPackage(userFolder, options.tarball);
	if (options.packageDir) linkPackage(userFolder, options.packageDir);
	return await boot(startScript, options);
}

/**
 * A port that nobody listens on right now; the preferred one if it is free. n8n listens on it seconds
 * later, so it is none of those that Linux gives away meanwhile (32768 and above).
 */
export async function freePort(preferred = randomInt(10_000, 32_768)): Promise<number> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.on('error', () => resolve(freePort()));
		server.listen(preferred, '127.0.0.1', () => server.close(() => resolve(preferred)));
	});
}

/** Presses Retry on an execution that n8n lists as interrupted, unless it has succeeded in the meantime. */
export async function retryInterrupted(n8n: RealN8n, execution: string): Promise<void> {
	await n8n
		.api('POST', `/executions/${execution}/retry`, { loadWorkflow: false })
		.catch((error: Error) => {
			if (!error.message.includes('The execution succeeded')) throw error;
		});
}

/** The items that a node put out in its last run. */
export function itemsOf(execution: Execution, node: string, output = 0): INodeExecutionData[] {
	return execution.data.resultData.runData[node]?.at(-1)?.data?.main?.[output] ?? [];
}

/** The error that ended an execution. */
export function errorOf(execution: Execution): ExecutionError | undefined {
	return execution.data.resultData.error;
}

async function boot(
	startScript: string,
	{ line = newestVersion, userFolder, port: wantedPort, webhookUrl, env, log }: StartOptions,
): Promise<RealN8n> {
	const port = wantedPort ?? (await freePort());
	const brokerPort = await freePort();
	const baseUrl = `http://127.0.0.1:${port}`;
	const editorUrl = `http://localhost:${port}`;
	// No keep-alive: n8n gets killed and restarted under this client.
	const dispatcher = new Agent({ pipelining: 0, headersTimeout: 120_000 });
	const browserId = randomUUID();
	const process_ = n8nProcess({
		...{ line, startScript, role: 'start', userFolder, port, log },
		env: {
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			N8N_EDITOR_BASE_URL: editorUrl,
			// On a busy machine a ping takes longer than 5 s, after which n8n answers every request,
			// webhooks too, with 503. SQLite in the same process cannot lose its connection.
			DB_PING_INTERVAL_SECONDS: '3600',
			// The second is the older name; n8n 2 takes it for published webhooks only.
			...(webhookUrl ? { N8N_WEBHOOK_URL: webhookUrl, WEBHOOK_URL: webhookUrl } : {}),
			...env,
		},
	});

	let cookie = '';

	async function call(
		method: Dispatcher.HttpMethod,
		path: string,
		body?: unknown,
	): Promise<Dispatcher.ResponseData> {
		return await request(baseUrl + path, {
			method,
			dispatcher,
			headers: {
				'browser-id': browserId,
				...(cookie ? { cookie } : {}),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body === undefined ? null : JSON.stringify(body),
		});
	}

	async function api<T>(
		method: Dispatcher.HttpMethod,
		path: string,
		body?: unknown,
		tries = 60,
	): Promise<T> {
		const response = await call(method, `/rest${path}`, body);
		const text = await response.body.text();
		// On a busy machine, n8n answers so before it does anything, when its database is late.
		if (response.statusCode === 503 && text.includes('Database is not ready') && tries > 1) {
			await sleep(1000);
			return await api(method, path, body, tries - 1);
		}
		if (response.statusCode >= 400) {
			throw new Error(`${method} /rest${path}: HTTP ${response.statusCode} ${text}`);
		}
		const setCookie = response.headers['set-cookie'];
		for (const line of setCookie === undefined ? [] : [setCookie].flat()) {
			if (line.startsWith('n8n-auth=')) cookie = line.split(';')[0] ?? '';
		}
		const parsed = text === '' ? {} : (JSON.parse(text) as { data?: T });
		return ('data' in parsed ? parsed.data : parsed) as T;
	}

	async function launch(): Promise<void> {
		await process_.launch();
		// n8n 1 says that it is ready before its API is there.
		await until(
			'n8n answers',
			async () => {
				const response = await call('GET', '/rest/settings');
				await response.body.dump();
				return response.statusCode === 200;
			},
			60_000,
		);
		await signIn();
	}

	async function signIn(): Promise<void> {
		cookie = '';
		const settings = await api<{ userManagement?: { showSetupOnFirstLoad?: boolean } }>(
			'GET',
			'/settings',
		);
		if (settings.userManagement?.showSetupOnFirstLoad) {
			await api('POST', '/owner/setup', {
				email,
				password,
				firstName: 'Vera',
				lastName: 'Owner',
			});
		} else {
			await api('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	async function createCredential(type: string, name: string, data: object): Promise<Reference> {
		const created = await api<Reference>('POST', '/credentials', { type, name, data });
		return { id: created.id, name: created.name };
	}

	async function workflow(id: string): Promise<SavedWorkflow> {
		return await api('GET', `/workflows/${id}`);
	}

	async function waitForPublication(id: string, wanted: string): Promise<void> {
		await until(
			`workflow ${id} is ${wanted}`,
			async () => {
				const path = `/workflows/${id}/publication-status`;
				const publication = await api<PublicationStatus>('GET', path).catch((error: unknown) => {
					if (!String(error).includes('HTTP 404')) throw error;
				});
				// Before 2.40, n8n publishes before it responds.
				if (!publication) return true;
				const { status, triggers } = publication;
				const failed = triggers.find((one) => one.status === 'failed');
				if (failed && status !== 'in_progress') {
					throw new Error(`n8n could not publish workflow ${id}: ${failed.errorMessage}`);
				}
				return status === wanted;
			},
			60_000,
		);
	}

	async function deactivate(id: string): Promise<void> {
		await api('POST', `/workflows/${id}/deactivate`);
		await waitForPublication(id, 'not_published');
	}

	async function execution(id: string): Promise<Execution> {
		const raw = await api<Omit<Execution, 'data'> & { data: string }>('GET', `/executions/${id}`);
		return { ...raw, id: String(raw.id), data: parse(raw.data) as IRunExecutionData };
	}

	async function executions({
		workflowId,
		status,
	}: {
		workflowId?: string;
		status?: ExecutionStatus[];
	}): Promise<ExecutionSummary[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const found = await api<{ results: ExecutionSummary[] }>(
			'GET',
			`/executions?limit=${maxListedExecutions}&filter=${filter}`,
		);
		return found.results
			.map((summary) => ({ ...summary, id: String(summary.id) }))
			.sort((a, b) => Number(a.id) - Number(b.id));
	}

	async function waitForExecution(
		{ id, workflowId, afterId = '0' }: { id?: string; workflowId?: string; afterId?: string },
		{
			until: wanted = endStatuses,
			timeoutMs = 120_000,
		}: { until?: ExecutionStatus[]; timeoutMs?: number } = {},
	): Promise<Execution> {
		let seen = 'no execution yet';
		return await until(
			`execution ${id ?? `of workflow ${workflowId}`} is ${wanted.join(' or ')}`,
			async () => {
				const newest = await executions({ workflowId });
				const listed = newest.find((each) =>
					id ? each.id === id : Number(each.id) > Number(afterId),
				);
				const isOlder = id !== undefined && newest.length === maxListedExecutions;
				const found = listed ?? (isOlder ? await execution(id) : undefined);
				if (!found) return undefined;
				seen = `execution ${found.id} is ${found.status}`;
				if (wanted.includes(found.status)) return await execution(found.id);
				if (!endStatuses.includes(found.status)) return undefined;
				const { message } = errorOf(await execution(found.id)) ?? {};
				throw new Error(`${seen}, not ${wanted.join(' or ')}: ${message ?? 'no error'}`);
			},
			timeoutMs,
			() => seen,
		);
	}

	async function start(
		workflowId: string,
		{ trigger, destination }: { trigger?: string; destination?: string } = {},
	): Promise<string> {
		const saved = await workflow(workflowId);
		const started = await api<{ executionId?: string; waitingForWebhook?: boolean }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{
				triggerToStartFrom: { name: trigger ?? findTrigger(saved) },
				...(destination ? { destinationNode: { nodeName: destination, mode: 'inclusive' } } : {}),
				...(line.runsSavedWorkflow ? {} : { workflowData: saved }),
			},
		);
		if (started.executionId === undefined) {
			throw new Error('n8n waits for a test webhook: call it, then waitForExecution()');
		}
		return String(started.executionId);
	}

	async function dynamicParameters<T>(kind: string, wanted: DynamicParameters): Promise<T> {
		return await api('POST', `/dynamic-node-parameters/${kind}`, {
			path: wanted.path ?? '',
			nodeTypeAndVersion: { name: wanted.type, version: wanted.version ?? 1 },
			currentNodeParameters: wanted.parameters ?? {},
			credentials: wanted.credentials,
			methodName: wanted.method,
			filter: wanted.filter,
			paginationToken: wanted.paginationToken,
		});
	}

	const stop = async () => await process_.end('SIGTERM');
	onShutdown(stop);
	try {
		await launch();
	} catch (error) {
		await process_.end('SIGKILL');
		throw error;
	}

	return {
		line,
		baseUrl,
		editorUrl,
		email,
		password,
		userFolder,
		api,
		fetchAs: async (path) => {
			// A page that is opened has the cookie, and not the header that the editor's own calls have.
			const response = await request(baseUrl + path, { dispatcher, headers: { cookie } });
			return { status: response.statusCode, text: await response.body.text() };
		},
		nodeTypes: async () => {
			const response = await call('GET', '/types/nodes.json');
			return (await response.body.json()) as Array<{ name: string; version: number }>;
		},
		createCredential,
		testCredential: async ({ id, name, type, data }) => {
			const stored =
				data ?? (await api<{ data: object }>('GET', `/credentials/${id}?includeData=true`)).data;
			const saved =
				id ??
				(line.canTestUnsavedCredential ? '' : (await createCredential(type, name, stored)).id);
			return await api('POST', '/credentials/test', {
				// n8n fills the redacted secrets in by the id.
				credentials: { id: saved, name, type, data: stored },
			});
		},
		createWorkflow: async (draft) =>
			await api('POST', '/workflows', {
				...draft,
				settings: { executionOrder: 'v1', ...draft.settings },
				active: false,
			}),
		updateWorkflow: async (id, draft) =>
			await api('PATCH', `/workflows/${id}?forceSave=true`, {
				...draft,
				settings: { executionOrder: 'v1', ...draft.settings },
			}),
		activate: async (id) => {
			const { versionId } = await workflow(id);
			await api('POST', `/workflows/${id}/activate`, { versionId });
			await waitForPublication(id, 'published');
		},
		deactivate,
		deleteWorkflow: async (id) => {
			const { active } = await workflow(id);
			if (active) await deactivate(id);
			await api('POST', `/workflows/${id}/archive`);
			await api('DELETE', `/workflows/${id}`);
		},
		start,
		run: async (workflowId, { until: wanted, timeoutMs, ...options } = {}) =>
			await waitForExecution(
				{ workflowId, id: await start(workflowId, options) },
				{ until: wanted, timeoutMs },
			),
		execution,
		executions,
		waitForExecution,
		stopExecution: async (id) => {
			await api('POST', `/executions/${id}/stop`);
		},
		listSearch: async (wanted) => await dynamicParameters('resource-locator-results', wanted),
		loadOptions: async (wanted) => await dynamicParameters('options', wanted),
		binary: async ({ id, data }) => {
			if (!id) return Buffer.from(data, 'base64');
			const path = `/rest/binary-data?action=download&id=${encodeURIComponent(id)}`;
			const response = await call('GET', path);
			const bytes = Buffer.from(await response.body.arrayBuffer());
			if (response.statusCode !== 200) {
				throw new Error(`GET ${path}: HTTP ${response.statusCode} ${bytes.toString()}`);
			}
			return bytes;
		},
		logs: process_.logs,
		pid: process_.pid,
		rssBytes: () => {
			const pid = process_.pid();
			if (pid === undefined) throw new Error('n8n does not run');
			return residentBytes(pid);
		},
		cpuSeconds: () => processorSeconds(process_.pid() ?? 0),
		kill: async (signal = 'SIGKILL') => await process_.end(signal),
		restart: async () => {
			await stop();
			await launch();
		},
		stop,
	};
}

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

function findTrigger({ name, nodes, connections }: WorkflowDraft): string {
	const targets = new Set(
		Object.values(connections).flatMap((outputs) =>
			Object.values(outputs)
				.flat(2)
				.flatMap((target) => (target ? [target.node] : [])),
		),
	);
	const triggers = nodes.filter(
		(node) => !targets.has(node.name) && !node.disabled && /trigger|webhook/i.test(node.type),
	);
	const chosen =
		triggers.find(({ type }) => type === 'n8n-nodes-base.manualTrigger') ?? triggers[0];
	if (!chosen) throw new Error(`Workflow "${name}" has no trigger node to start from`);
	return chosen.name;
}

function residentBytes(pid: number): number {
	if (existsSync(`/proc/${pid}/status`)) {
		const status = readFileSync(`/proc/${pid}/status`, 'utf8');
		return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
	}
	const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
	return Number(stdout) * 1024;
}

function processorSeconds(pid: number): number {
	if (!existsSync(`/proc/${pid}/stat`)) return NaN;
	// The name of the process may hold anything, and stands in brackets.
	const [, rest = ''] = /^.*\)\s(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
	const fields = rest.split(' ');
	// Ticks in user and in system mode; Linux counts 100 a second for every program.
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * n8n's migrations take up to 40 s on an empty folder. They run once per n8n version; every new user
 * folder starts as a copy of their result.
 */
async function copyMigratedDatabase(line: N8nVersion, userFolder: string, log: Log): Promise<void> {
	const target = join(userFolder, '.n8n');
	if (existsSync(join(target, 'database.sqlite'))) return;
	const cache = join(line.folder, 'node_modules', '.cache', `n8n-${hashLockFile(line.folder)}`);
	const migration = migrations.get(cache) ?? migrateDatabase(line, cache, log);
	migrations.set(cache, migration);
	await migration;
	placeDatabase(cache, target);
}

/** Migrations by their cache folder, so that several n8n that start at the same time share one. */
const migrations = new Map<string, Promise<void>>();

async function migrateDatabase(line: N8nVersion, cache: string, log: Log): Promise<void> {
	if (existsSync(cache)) return;
	log(`Preparing the database of n8n ${line.version} (once, up to 40 s) …`);
	const { folder, remove: removeFolder } = createTemporaryFolder('videogen-migrate-');
	try {
		const n8n = await boot(await ensureN8n(log, line), { line, userFolder: folder, log });
		await n8n.stop();
		mkdirSync(dirname(cache), { recursive: true });
		// Another process may have prepared it meanwhile.
		if (!existsSync(cache)) {
			const incomplete = `${cache}.${process.pid}`;
			cpSync(join(folder, '.n8n'), incomplete, { recursive: true });
			renameSync(incomplete, cache);
		}
	} finally {
		removeFolder();
	}
}

/**
 * Copies n8n's folder, and its database last and at once: where one is, all is whole, also after a
 * kill in the middle.
 */
export function placeDatabase(source: string, target: string): void {
	const database = 'database.sqlite';
	mkdirSync(target, { recursive: true });
	cpSync(source, target, { recursive: true, filter: (path) => basename(path) !== database });
	const half = join(target, `${database}.half`);
	copyFileSync(join(source, database), half);
	renameSync(half, join(target, database));
}

interface PackageJson {
	name: string;
	version: string;
	dependencies?: Record<string, string>;
}

/**
 * Does what n8n 2.40 does with a tarball from the registry: unpack it, and drop what is not for
 * run time. The package under test has no dependencies, so nothing is left to install.
 */
export function installPackage(userFolder: string, tarball: string): void {
	const { folder: unpacked, remove } = createTemporaryFolder('videogen-package-');
	try {
		const untar = spawnSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
		if (untar.status !== 0) throw new Error(`tar -xzf ${tarball}: ${String(untar.stderr)}`);
		const { devDependencies, peerDependencies, optionalDependencies, ...packageJson } = JSON.parse(
			readFileSync(join(unpacked, 'package.json'), 'utf8'),
		) as PackageJson & Record<string, unknown>;
		if (Object.keys(packageJson.dependencies ?? {}).length > 0) {
			throw new Error(`${packageJson.name} has dependencies, which n8n does not verify`);
		}
		const target = declarePackage(userFolder, packageJson);
		cpSync(unpacked, target, { recursive: true });
		writeFileSync(join(target, 'package.json'), JSON.stringify(packageJson, null, 2));
	} finally {
		remove();
	}
}

function linkPackage(userFolder: string, packageDir: string): void {
	const packageJson = JSON.parse(
		readFileSync(join(packageDir, 'package.json'), 'utf8'),
	) as PackageJson;
	symlinkSync(packageDir, declarePackage(userFolder, packageJson), 'junction');
}

/** Lists the package where n8n looks for it and returns the place for its files, emptied. */
function declarePackage(userFolder: string, { name, version }: PackageJson): string {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const target = join(nodesFolder, 'node_modules', name);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(dirname(target), { recursive: true });
	const listFile = join(nodesFolder, 'package.json');
	const listed = existsSync(listFile)
		? (JSON.parse(readFileSync(listFile, 'utf8')) as PackageJson)
		: { name: 'installed-nodes', private: true };
	const dependencies = {
		...('dependencies' in listed ? listed.dependencies : {}),
		[name]: version,
	};
	writeFileSync(listFile, JSON.stringify({ ...listed, dependencies }, null, 2));
	return target;
}
