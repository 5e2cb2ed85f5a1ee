/**
 * Registers the trigger's URL as a webhook endpoint in the service when the workflow is activated,
 * and unregisters it when the workflow is deactivated. Also checks and updates the endpoint.
 */
import { randomUUID } from 'crypto';
import type { IDataObject, IHookFunctions } from 'n8n-workflow';
import { apiLimits } from '../apiLimits';
import { getErrorDetails, isNotFoundError } from '../core/errors/errorDetails';
import { createOperationError } from '../core/errors/nodeErrors';
import { type Client, createClient } from '../core/http/client';
import { readAccount } from '../core/http/credentials';
import { parseEventTypes } from '../shared/eventItems';
import { readTriggerState, updateTriggerState, type TriggerContext } from '../shared/triggerState';
import { toText } from '../core/json';

/**
 * Webhook endpoint that the trigger has registered, as stored in the workflow's static data. n8n
 * saves the static data of all nodes together, so an outdated copy can overwrite newer changes.
 * selfCheck.ts detects and repairs this.
 */
export interface StoredEndpoint {
	endpointId?: string;
	url?: string;
	secret?: string;
	entityId?: string;
}

type EndpointState = { endpoint: StoredEndpoint };

/**
 * Returns the registered endpoint from the workflow's static data. When the user tests the trigger
 * in the editor, n8n uses separate static data, which is empty at first.
 */
export const readStoredEndpoint = (n8n: TriggerContext): StoredEndpoint =>
	readTriggerState<EndpointState>(n8n).endpoint ?? {};

/** Reads the event types and the entity ID that determine which events the service delivers. */
export function readSubscription(n8n: TriggerContext) {
	const get = (name: string, fallback: unknown) =>
		(n8n as IHookFunctions).getNodeParameter(name, fallback as object) as unknown;
	// Read separately: n8n cannot evaluate other options, such as File Name, before there is an event.
	const entityId = get('options.entity_id', '');
	const entity = typeof entityId === 'string' ? entityId.trim() : '';
	return {
		events: parseEventTypes(get('events', [])),
		entityId: entity === '' ? undefined : entity,
	};
}

const isOnThisMachine = (url: string) =>
	/^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/i.test(url);

/**
 * Matches https:// URLs whose host can be reached only from the same machine or its local network.
 */
const privateHost =
	/^https:\/\/(localhost|[^/:]+\.(local|localhost)|(10|127)(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|\[::1\])(:|\/|$)/i;

/**
 * Whether the service can send requests to a URL. The URL must normally be public and use https://,
 * but a simulated service on this machine can also reach local URLs.
 */
const isReachable = async (n8n: TriggerContext, url: string) =>
	(url.startsWith('https://') && !privateHost.test(url)) ||
	(isOnThisMachine(url) && isOnThisMachine((await readAccount(n8n)).baseUrl));

async function findEndpoints(
	client: Client,
	matches: (endpoint: IDataObject) => boolean,
): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	const line = 'GET /v3/webhooks/endpoints';
	for await (const { rows } of client.fetchPages({ line }, apiLimits[line].limit.max)) {
		found.push(...rows.filter(matches));
	}
	return found;
}

const hasSameEvents = (a: unknown, b: readonly string[]) => {
	const left = Array.isArray(a) ? [...(a as string[])].sort() : [];
	return JSON.stringify(left) === JSON.stringify([...b].sort());
};

/**
 * Sets the event types that the service delivers to an endpoint. An empty list means all event
 * types.
 */
const updateEvents = async (client: Client, endpointId: string, events: readonly string[]) =>
	await client.fetchData({
		line: 'PATCH /v3/webhooks/endpoints/{endpoint_id}',
		path: { endpoint_id: endpointId },
		body: { events: events.length > 0 ? [...events] : null },
	});

/**
 * Checks whether the trigger's stored endpoint is still registered for the URL and enabled. If only
 * its event types differ from those in the form, updates them and returns `updated`.
 *
 * @param logs whether to log a warning if the endpoint was changed in the service. False if the
 * user may have caused the difference by changing the form
 */
export async function checkEndpoint(
	n8n: TriggerContext,
	client: Client,
	url: string,
	logs = true,
): Promise<'registered' | 'updated' | 'missing'> {
	const { events, entityId } = readSubscription(n8n);
	const stored = readStoredEndpoint(n8n);
	if (!stored.endpointId || !stored.secret || stored.url !== url || stored.entityId !== entityId)
		return 'missing';
	const [registered] = await findEndpoints(
		client,
		(row) => row.url === url && row.endpoint_id === stored.endpointId,
	);
	const warn = (problem: string) => {
		if (logs) client.warn(`its webhook endpoint ${problem} in the service, and will be repaired`);
	};
	if (!registered || (registered.status !== undefined && registered.status !== 'enabled')) {
		warn(registered ? 'is disabled' : 'is missing');
		return 'missing';
	}
	if (hasSameEvents(registered.events, events)) return 'registered';
	warn('has other events');
	await updateEvents(client, stored.endpointId, events);
	return 'updated';
}

/**
 * Registers a webhook endpoint for the trigger's URL. If the URL is already registered, the
 * existing endpoint is reused or replaced.
 */
export async function registerEndpoint(
	n8n: TriggerContext,
	client: Client,
	url: string,
): Promise<void> {
	const { events, entityId } = readSubscription(n8n);
	const node = n8n.getNode();
	if (!(await isReachable(n8n, url))) {
		throw createOperationError(
			node,
			'The service delivers events only to public https:// URLs, and this n8n instance does not have one. Use the VideoGen Polling Trigger instead. Or set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions) to a public URL, such as the URL of a tunnel, and restart n8n',
			`The URL of this trigger would be ${url}. N8N_WEBHOOK_URL is an environment variable of the n8n process.`,
		);
	}
	const create = async (): Promise<IDataObject> => {
		const { data } = await client.fetchReply({
			line: 'POST /v3/webhooks/endpoints',
			body: { url, events: events.length > 0 ? [...events] : undefined, entity_id: entityId },
			// Random, because a replayed response would contain an endpoint that has since been
			// deleted.
			idempotencyKey: `n8n-${randomUUID()}`,
		});
		return (data ?? {}) as IDataObject;
	};
	const rotate = async (endpointId: string) =>
		await client.fetchData({
			line: 'POST /v3/webhooks/endpoints/{endpoint_id}/rotate-secret',
			path: { endpoint_id: endpointId },
			idempotencyKey: `n8n-${randomUUID()}`,
		});

	const stored = readStoredEndpoint(n8n);
	const endpoint = await create().catch(async (error: Error): Promise<IDataObject> => {
		if (getErrorDetails(error).code !== 'conflict') throw error;
		const [registered] = await findEndpoints(client, (row) => row.url === url);
		if (!registered) throw error;
		const registeredId = toText(registered.endpoint_id);
		const isDisabled = registered.status !== undefined && registered.status !== 'enabled';
		// The list does not contain the entity, so it is known only for the stored endpoint.
		const storedEntityId =
			registered.endpoint_id === stored.endpointId ? stored.entityId : undefined;
		if (isDisabled || (registered.entity_id ?? storedEntityId) !== entityId) {
			// An update can neither enable an endpoint nor change its entity.
			await removeEndpoint(client, registeredId);
			return await create();
		}
		await updateEvents(client, registeredId, events);
		return { ...(await rotate(registeredId)), endpoint_id: registeredId };
	});
	const { endpoint_id: endpointId } = endpoint;
	if (typeof endpointId !== 'string') {
		throw createOperationError(
			node,
			'The service registered the webhook but returned no endpoint ID',
		);
	}
	// A replayed response may lack the secret.
	const secret = endpoint.secret ?? (await rotate(endpointId)).secret;
	if (typeof secret !== 'string' || secret === '') {
		throw createOperationError(node, 'The service returned no signing secret for the webhook');
	}
	updateTriggerState<EndpointState>(n8n, { endpoint: { endpointId, secret, url, entityId } });
	if (stored.endpointId && stored.url !== url) {
		// Not deleted: this n8n instance may be a copy of another one that still uses the endpoint.
		n8n.logger.warn(
			`${node.name} now receives events at ${url}. The webhook endpoint ${stored.endpointId} for ${stored.url} still exists: delete it with the VideoGen Webhook node if no other n8n instance uses it`,
		);
	}
}

async function removeEndpoint(client: Client, endpointId: string): Promise<void> {
	const outcome = await client.tryRequest({
		line: 'DELETE /v3/webhooks/endpoints/{endpoint_id}',
		path: { endpoint_id: endpointId },
	});
	if (!outcome.ok && !isNotFoundError(outcome.error)) throw outcome.error;
}

/**
 * Unregisters the trigger's webhook endpoint and every other endpoint with the same URL. The other
 * endpoints are included because the stored endpoint may be outdated or lost: an execution may have
 * overwritten the static data. Succeeds even if the endpoints were already deleted.
 */
export async function unregisterEndpoint(n8n: IHookFunctions): Promise<void> {
	const { endpointId } = readStoredEndpoint(n8n);
	const client = await createClient(n8n);
	const url = n8n.getNodeWebhookUrl('default');
	const own = await findEndpoints(
		client,
		(row) => row.url === url || (endpointId !== undefined && row.endpoint_id === endpointId),
	);
	for (const { endpoint_id: id } of own) await removeEndpoint(client, toText(id));
	updateTriggerState<EndpointState>(n8n, { endpoint: undefined });
}
