/** What is left on the account (docs/service.md, Resources). */
import type { IDataObject } from 'n8n-workflow';
import { operationError } from '../core/errors/words';
import type { Client } from '../core/http/client';
import { isObject, objectOf, textOf } from '../core/json';
import type { Ports } from '../core/operation';

const numberOf = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Credits that are told as a number, or as an object around it. */
const creditsOf = (value: unknown) => numberOf(isObject(value) ? value.remaining : value);

/** The sum of what is known; nothing where nothing is. */
function sum(values: ReadonlyArray<number | undefined>): number | undefined {
	const known = values.filter((value) => value !== undefined);
	return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

/** What is left: money of a wallet, credits, or what may still be spent; nothing where it is not told. */
function leftOf(user: IDataObject): { left: number; unit: string } | undefined {
	const wallet = objectOf(user.wallet);
	const usage = objectOf(user.usage_based);
	const { premium_credits: premium, add_on_credits: more } = objectOf(
		objectOf(user.subscription).credits,
	);
	const money = numberOf(wallet.remaining_balance);
	if (money !== undefined) {
		const currency = textOf(wallet.currency) ?? '';
		return { left: money, unit: currency === 'credits' ? currency : currency.toUpperCase() };
	}
	const credits =
		numberOf(user.remaining_credits) ??
		numberOf(usage.remaining_credits) ??
		sum([creditsOf(premium), creditsOf(more)]);
	if (credits !== undefined) return { left: credits, unit: 'credits' };
	const cap = numberOf(usage.spending_cap_usd);
	const spent = numberOf(usage.spending_current_usd);
	return cap === undefined || spent === undefined ? undefined : { left: cap - spent, unit: 'USD' };
}

/** What is left on the account. Throws where it does not tell. */
export const balance: Ports['balance'] = async (client: Client) => {
	const found = leftOf(await client.data({ line: 'GET /v3/users/me' }));
	if (found) return found;
	throw operationError(
		client.node,
		'The account does not tell what is left on it',
		'Remove Stop Below Balance from the options. Nothing was made.',
		{ code: 'balance_unknown' },
	);
};
