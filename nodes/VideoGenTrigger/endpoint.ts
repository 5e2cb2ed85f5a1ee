/** The endpoint that the node registers at the service, and what it remembers of it. */
import { createHash, randomUUID } from 'crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { factsOf, isGone } from '../core/errors/facts';
import { operationError } from '../core/errors/words';
import { type Client, createClient } from '../core/http/client';

/** Kept in the static data of the workflow. */
export interface Endpoint {
	endpointId?: string;
	url?: string;
	secret?: string;
	entityId?: string;
	/** What has been seen: short hashes, the newest last, each with its time in seconds. */
	seen?: Array<[string, number]>;
}

/** The service repeats a delivery for up to 24 hours. */
const remembered = 24 * 3600;
/** More than this many are not remembered, to keep the static data small. */
const mostRemembered = 2000;

/** Seen in this process, by address: n8n stores the static data only after the answer. */
const seenHere = new Map<string, Map<string, number>>();

/** What the node remembers. For a test, n8n gives static data of its own, empty at first. */
export function memory(n8n: IHookFunctions | IWebhookFunctions): Endpoint {
	const data = n8n.getWorkflowStaticData('node') as { endpoint?: Endpoint };
	return (data.endpoint ??= {});
}

const short = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 16);

/**
 * Whether one of these marks of a delivery has been seen before; they are seen from now on.
 * Both the event id and the body count: the id is not signed, the body is.
 */
export function seenBefore(endpoint: Endpoint, marks: string[], now: number): boolean {
	const url = endpoint.url ?? '';
	const here = seenHere.get(url) ?? new Map<string, number>();
	seenHere.set(url, here);
	for (const [hash, time] of endpoint.seen ?? []) if (!here.has(hash)) here.set(hash, time);
	for (const [hash, time] of here) if (now - time > remembered) here.delete(hash);

	const hashes = marks.map(short);
	const known = hashes.some((hash) => here.has(hash));
	for (const hash of hashes) if (!here.has(hash)) here.set(hash, now);
	for (const hash of here.keys()) {
		if (here.size <= mostRemembered) break;
		here.delete(hash);
	}
	if (!known) endpoint.seen = [...here];
	return known;
}

async function find(client: Client, url: string): Promise<IDataObject | undefined> {
	for await (const { rows } of client.pages({ line: 'GET /v3/webhooks/endpoints' }, 100)) {
		const found = rows.find((row) => row.url === url);
		if (found) return found;
	}
	return undefined;
}

const sameEvents = (a: unknown, b: readonly string[]) => {
	const left = Array.isArray(a) ? [...(a as string[])].sort() : [];
	return JSON.stringify(left) === JSON.stringify([...b].sort());
};

/** No events chosen means all of them. */
const eventsBody = (events: readonly string[]) => (events.length > 0 ? [...events] : null);

/** Whether the endpoint is there and as it should be; chosen events that drifted are put right. */
export async function exists(
	n8n: IHookFunctions,
	url: string,
	events: readonly string[],
	entityId: string | undefined,
): Promise<boolean> {
	const kept = memory(n8n);
	if (!kept.endpointId || !kept.secret || kept.url !== url || kept.entityId !== entityId)
		return false;
	const client = await createClient(n8n);
	const found = await find(client, url);
	if (found?.endpoint_id !== kept.endpointId) return false;
	if (found.status !== undefined && found.status !== 'enabled') return false;
	if (!sameEvents(found.events, events)) {
		await client.data({
			line: 'PATCH /v3/webhooks/endpoints/{endpoint_id}',
			path: { endpoint_id: kept.endpointId },
			body: { events: eventsBody(events) },
			repeatable: true,
		});
	}
	return true;
}

/** Registers the endpoint, or adopts the one that is registered for this address already. */
export async function register(
	n8n: IHookFunctions,
	url: string,
	events: readonly string[],
	entityId: string | undefined,
): Promise<void> {
	const node = n8n.getNode();
	if (!url.startsWith('https://')) {
		throw operationError(
			node,
			'The service delivers only to public addresses that begin with https://',
			`This n8n would give it ${url}. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL in older versions) to its public https:// address, or to that of a tunnel.`,
		);
	}
	const client = await createClient(n8n);
	const create = async () =>
		await client.attempt({
			line: 'POST /v3/webhooks/endpoints',
			body: {
				url,
				...(events.length > 0 ? { events: [...events] } : {}),
				...(entityId === undefined ? {} : { entity_id: entityId }),
			},
			// New at every activation: a replay would bring back an endpoint that is deleted by now.
			idempotencyKey: `n8n-${randomUUID()}`,
		});
	const rotate = async (endpointId: string) =>
		await client.data({
			line: 'POST /v3/webhooks/endpoints/{endpoint_id}/rotate-secret',
			path: { endpoint_id: endpointId },
			idempotencyKey: `n8n-${randomUUID()}`,
		});

	let outcome = await create();
	let endpoint: IDataObject | undefined;
	if (!outcome.ok && factsOf(outcome.error).code === 'conflict') {
		const found = await find(client, url);
		const disabled = found?.status !== undefined && found.status !== 'enabled';
		// No list tells the entity: of its own endpoint, the node remembers it.
		const kept = memory(n8n);
		const own = found?.endpoint_id === kept.endpointId ? kept.entityId : undefined;
		if (found && (disabled || (found.entity_id ?? own) !== entityId)) {
			// Neither can be changed by an update.
			await removeEndpoint(client, String(found.endpoint_id));
			outcome = await create();
		} else if (found) {
			const endpointId = String(found.endpoint_id);
			await client.data({
				line: 'PATCH /v3/webhooks/endpoints/{endpoint_id}',
				path: { endpoint_id: endpointId },
				body: { events: eventsBody(events) },
				repeatable: true,
			});
			endpoint = { ...found, ...(await rotate(endpointId)), endpoint_id: endpointId };
		}
	}
	if (!endpoint) {
		if (!outcome.ok) throw outcome.error;
		endpoint = (outcome.reply.data ?? {}) as IDataObject;
	}
	const { endpoint_id: endpointId } = endpoint;
	if (typeof endpointId !== 'string') {
		throw operationError(node, 'The service registered the webhook but gave no endpoint ID');
	}
	// A replayed answer may come without the secret.
	const secret = endpoint.secret ?? (await rotate(endpointId)).secret;
	if (typeof secret !== 'string' || secret === '') {
		throw operationError(node, 'The service gave no signing secret for the webhook');
	}
	Object.assign(memory(n8n), { endpointId, secret, url, entityId });
}

async function removeEndpoint(client: Client, endpointId: string): Promise<void> {
	const outcome = await client.attempt({
		line: 'DELETE /v3/webhooks/endpoints/{endpoint_id}',
		path: { endpoint_id: endpointId },
	});
	if (!outcome.ok && !isGone(outcome.error)) throw outcome.error;
}

/** Deletes the endpoint; one that is gone already is as good. */
export async function unregister(n8n: IHookFunctions): Promise<void> {
	const kept = memory(n8n);
	if (!kept.endpointId) return;
	await removeEndpoint(await createClient(n8n), kept.endpointId);
	delete kept.endpointId;
	delete kept.secret;
	delete kept.url;
	delete kept.entityId;
}
