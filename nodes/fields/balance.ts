/** What is left on the account (docs/service.md, Resources). */
import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../core/errors/words';
import type { Client } from '../core/http/client';
import { objectOf, textOf } from '../core/json';
import type { Ports } from '../core/operation';

/** The number under the first of these paths that has one. */
function numberAt(user: IDataObject, paths: readonly string[]): number | undefined {
	for (const path of paths) {
		const keys = path.split('.');
		const last = keys.pop() ?? '';
		const holder = keys.reduce((inner, key) => objectOf(inner[key]), user);
		if (typeof holder[last] === 'number') return holder[last];
	}
	return undefined;
}

/** What is left: money of a wallet, or credits. Throws where the account does not tell. */
export const balance: Ports['balance'] = async (client: Client) => {
	const user = await client.data({ line: 'GET /v3/users/me' });
	const money = numberAt(user, ['wallet.remaining_balance']);
	if (money !== undefined) {
		return { left: money, unit: (textOf(objectOf(user.wallet).currency) ?? '').toUpperCase() };
	}
	const credits = numberAt(user, [
		'remaining_credits',
		'usage_based.remaining_credits',
		'subscription.credits.premium_credits.remaining',
	]);
	if (credits !== undefined) return { left: credits, unit: 'credits' };
	throw operationError(
		client.node,
		'The account does not tell what is left on it',
		'Remove Stop Below Balance from the options. Nothing was made.',
	);
};
