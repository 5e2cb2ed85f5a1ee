import {
	sendCustomDelivery,
	waitForDeliveries,
	emitEvent,
	cancelDeliveries,
	type CustomDelivery,
} from './deliveries';
import { createNotFoundError } from './errors';
import { matchesPath, type Fault } from './faults';
import { endGrant } from './resources/oauth';
import type { Failure, Row, Table, WaitingStatus } from './rows';
import { createState } from './seed';
import type { Service } from './service';
import { createId, type Delivery, type ReceivedRequest, type RowOf, type TableName } from './store';
import type { Workspace } from './workspace';

export interface Control {
	/** Restores the initial state and clears all faults. Keys and tokens stay valid. */
	reset(): void;
	requests(filter?: { method?: string; path?: string | RegExp }): ReceivedRequest[];
	fail(fault: Fault): void;
	/** Removes all faults. Requests that a fault delays continue. */
	clearFaults(): void;
	/**
	 * Simulated time in Unix seconds. `advance` also runs everything that falls due: jobs change
	 * status and end, deliveries are sent (await `idle` for their responses).
	 */
	clock: { now(): number; advance(seconds: number): void };
	/** Creates an API key. `forbidden` holds request lines such as `DELETE /v3/videos/{video_id}`. */
	addKey(options?: {
		key?: string;
		scopes?: string[];
		expired?: boolean;
		forbidden?: string[];
	}): string;
	/** Restricts what the workspace may do, until the next reset. */
	setWorkspace(change: Partial<Workspace>): void;
	/** Sets fields of a row that no request can set: `change('looks', 'look_001_1', { expired: true })`. */
	change<Name extends TableName>(table: Name, id: string, fields: Partial<RowOf<Name>>): void;
	addToken(): string;
	revokeToken(token: string): void;
	/** Expires all issued access tokens. They can still be refreshed. */
	expireTokens(): void;
	/** Revokes all OAuth grants: their tokens are rejected and cannot be refreshed. */
	revokeGrants(): void;
	/** Returns all issued OAuth tokens, oldest first, valid or not. */
	oauth(): { accessTokens: string[]; refreshTokens: string[] };
	jobs(kind: string): object[];
	/** Makes a running job fail at the time it would have completed. */
	failJob(id: string, code?: string, message?: string): void;
	/** Ends a running job now, even while jobs are held. */
	endJob(id: string): void;
	failNext(kind: string, failure: Failure): void;
	/** Makes the next chat turn wait for its user in this status, whatever its message says. */
	restNext(status: WaitingStatus): void;
	holdJobs(hold: boolean): void;
	/** Serves rendered videos as this number of synthetic bytes; null restores the real video file. */
	setMediaBytes(bytes: number | null): void;
	truncateMedia(on: boolean): void;
	endpoints(): object[];
	secretOf(endpointId: string): string;
	/** Returns everything secret that the service has issued so far: keys, tokens and endpoint secrets. */
	secrets(): string[];
	deliveries(): Delivery[];
	/** Delivers an event like a job does: to the subscribed endpoints and to a callback URL. */
	emit(type: string, data: Record<string, unknown>, callbackUrl?: string): void;
	deliver(options: CustomDelivery): Promise<{ status: number; body: string }>;
	/** Resolves when no delivery is in flight. Scheduled retries do not count. */
	idle(): Promise<void>;
}

const defaultFailure: Failure = {
	code: 'generation_failed',
	message: 'The control API made the job fail',
};

export function createControl(service: Service): Control {
	const listTokens = () => ({
		accessTokens: service.oauth.grants.flatMap((grant) => [...grant.accessTokens.keys()]),
		refreshTokens: service.oauth.grants.flatMap((grant) => [
			...grant.usedRefreshTokens,
			grant.refreshToken,
		]),
	});
	const findRunningJob = (id: string) => {
		service.clock.runDueActions();
		const job = service.state.jobs.get(id);
		if (!job || job.ended) throw new Error(`No running job ${id}`);
		return job;
	};
	return {
		reset() {
			cancelDeliveries(service);
			service.clock.clear();
			service.media = { bytes: null, truncate: false };
			service.state = createState(service.clock.now(), service.baseUrl);
		},
		requests: (filter = {}) =>
			service.state.requests.filter(
				({ method, path }) =>
					(!filter.method || filter.method.toUpperCase() === method) &&
					matchesPath(filter.path, path),
			),
		fail(fault) {
			const cleared = new AbortController();
			service.state.faults.push({ ...fault, timesLeft: fault.times ?? Infinity, cleared });
		},
		clearFaults() {
			for (const { cleared } of service.state.faults.splice(0)) cleared.abort();
		},
		clock: { now: service.clock.now, advance: service.clock.advance },
		addKey({ key = createId('sim_key_'), scopes = ['*:*'], expired = false, forbidden = [] } = {}) {
			service.keys.set(key, {
				id: createId('key_'),
				name: 'Added key',
				scopes,
				isExpired: expired,
				forbidden,
				created: service.clock.now(),
			});
			return key;
		},
		setWorkspace: (change) => void Object.assign(service.state.workspace, change),
		change(name, id, fields) {
			const row = (service.state[name] as Table<Row>).get(id);
			if (!row) throw new Error(`No row ${id} in ${name}`);
			Object.assign(row, fields);
		},
		addToken() {
			const token = createId('sim_token_');
			service.tokens.add(token);
			return token;
		},
		revokeToken(token) {
			service.tokens.delete(token);
		},
		expireTokens() {
			service.tokens.clear();
		},
		revokeGrants() {
			for (const grant of service.oauth.grants) endGrant(service, grant);
		},
		oauth: listTokens,
		jobs: (kind) => {
			service.clock.runDueActions();
			const { state } = service;
			if (kind === 'batch') return [...state.batches.values()];
			return [...state.jobs.values()]
				.filter((job) => job.kind === kind)
				.map(({ record, failure, ended }) => ({ ...record, willFail: failure !== null, ended }));
		},
		failJob(id, code = defaultFailure.code, message = defaultFailure.message) {
			findRunningJob(id).failure = { code, message };
		},
		endJob: (id) => findRunningJob(id).end(service.clock.now()),
		failNext(kind, failure) {
			const { failNext } = service.state;
			failNext.set(kind, [...(failNext.get(kind) ?? []), { ...defaultFailure, ...failure }]);
		},
		restNext: (status) => void service.state.restNext.push(status),
		holdJobs: (hold) => service.clock.holdWork(hold),
		setMediaBytes(bytes) {
			service.media.bytes = bytes;
		},
		truncateMedia(on) {
			service.media.truncate = on;
		},
		endpoints: () => [...service.state.endpoints.values()],
		secretOf(endpointId) {
			const endpoint = service.state.endpoints.get(endpointId);
			if (!endpoint) throw createNotFoundError('not_found', `Webhook endpoint ${endpointId}`);
			return endpoint.secret;
		},
		secrets: () => {
			const { accessTokens, refreshTokens } = listTokens();
			return [
				...service.keys.keys(),
				...accessTokens,
				...refreshTokens,
				...service.endpointSecrets,
			];
		},
		deliveries: () => [...service.state.deliveries],
		emit: (type, data, callbackUrl) => emitEvent(service, type, data, callbackUrl),
		deliver: (options) => sendCustomDelivery(service, options),
		idle: () => waitForDeliveries(service),
	};
}
