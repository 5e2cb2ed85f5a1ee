/**
 * Stores what a trigger must remember between executions, and identifies the account to which the
 * stored state belongs.
 */
import type {
	IExecuteFunctions,
	IHookFunctions,
	IPollFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { createDigest } from '../core/digest';
import type { Client } from '../core/http/client';
import { readObject, readText } from '../core/json';

export type TriggerContext =
	IHookFunctions | IPollFunctions | ITriggerFunctions | IWebhookFunctions;

/**
 * Returns an ID that is unique among the triggers of all workflows. The ID stays the same when the
 * trigger is renamed.
 */
export const getTriggerId = (
	n8n: Pick<TriggerContext | IExecuteFunctions, 'getNode' | 'getWorkflow'>,
) => `${n8n.getWorkflow().id} ${n8n.getNode().id}`;

/**
 * Whether n8n is activating the workflow automatically, rather than because a user has just
 * published it. This happens when n8n starts, or when this n8n process takes over from another one.
 */
export const isStartOfN8n = (n8n: IHookFunctions | IPollFunctions) =>
	['init', 'leadershipChange'].includes(n8n.getActivationMode());

/**
 * Returns the key of a trigger's state in the static data of the whole workflow. The trigger does
 * not use n8n's static data for a single node, because that data is lost when the node is renamed.
 */
const getKey = (n8n: TriggerContext) => `VideoGen ${n8n.getNode().id}`;

/**
 * Returns the stored state of a trigger. n8n saves the static data of a workflow as a whole, so an
 * execution that began earlier may have restored an older state.
 */
export const readTriggerState = <T extends object>(n8n: TriggerContext): Partial<T> =>
	(n8n.getWorkflowStaticData('global')[getKey(n8n)] as Partial<T> | undefined) ?? {};

/** Changes the given keys of a trigger's state. Keys whose new value is undefined are removed. */
export function updateTriggerState<T extends object>(
	n8n: TriggerContext,
	changes: Partial<T>,
): void {
	const state = { ...readTriggerState<T>(n8n), ...changes };
	// The copy contains neither undefined values nor n8n's proxies.
	n8n.getWorkflowStaticData('global')[getKey(n8n)] = JSON.parse(JSON.stringify(state)) as object;
}

/** Identifies the account to which a trigger's state belongs. Contains only hashes, no secrets. */
export interface AccountIdentity {
	/** Hash of the credential and its API key. */
	signIn: string;
	/** Hash of the OAuth access token with which the user's name was read. */
	token?: string;
	/** Hash of the user's name. Missing if the credential is not allowed to read it. */
	user?: string;
}

async function readIdentity(
	{ signIn, tokenDigest: token, tryRequest }: Client,
	known: AccountIdentity | undefined,
): Promise<AccountIdentity> {
	const outcome = await tryRequest({ line: 'GET /v3/users/me' });
	if (!outcome.ok) {
		const { httpCode } = outcome.error as { httpCode?: string | null };
		// Without the user's name, the known account and a new one could be confused.
		if (known?.user !== undefined && httpCode !== '403') throw outcome.error;
		return { signIn, token };
	}
	const { username, email } = readObject(outcome.reply.data);
	const name = readText(username) ?? readText(email);
	return { signIn, token, ...(name === undefined ? {} : { user: createDigest(name) }) };
}

/**
 * Identifies the account that a client uses, and returns whether it is the same as the known
 * account. Sends no request if the credential, API key and access token are unchanged. Otherwise,
 * requests the user's name from the service, because all three can change while the account stays
 * the same. If an OAuth credential is not allowed to read the user's name, a new access token
 * counts as belonging to the same account.
 */
export async function identifyAccount(
	client: Client,
	known?: AccountIdentity,
): Promise<{ account: AccountIdentity; isKnown: boolean }> {
	const isSameSignIn = known?.signIn === client.signIn;
	if (isSameSignIn && known.token === client.tokenDigest) return { account: known, isKnown: true };
	const account = await readIdentity(client, known);
	const isSameUser = known?.user !== undefined && known.user === account.user;
	const isUnreadable = known?.user === undefined || account.user === undefined;
	return { account, isKnown: isSameUser || (isSameSignIn && isUnreadable) };
}
