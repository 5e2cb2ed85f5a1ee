/** What is left on the account (docs/service.md, Resources). */
import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import type { Client } from '../core/http/client';
import { isObject, readObject, readText } from '../core/json';
import type { Ports } from '../core/operation';

const readNumber = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Credits that are told as a number, or as an object around it. */
const readCredits = (value: unknown) => readNumber(isObject(value) ? value.remaining : value);

/** The sum of what is known; nothing where nothing is. */
function sumKnown(values: ReadonlyArray<number | undefined>): number | undefined {
	const known = values.filter((value) => value !== undefined);
	return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

/** What is left: money of a wallet, credits, or what may still be spent; nothing where it is not told. */
function findRemaining(user: IDataObject): { left: number; unit: string } | undefined {
	const wallet = readObject(user.wallet);
	const usage = readObject(user.usage_based);
	const { premium_credits: premium, add_on_credits: more } = readObject(
		readObject(user.subscription).credits,
	);
	const money = readNumber(wallet.remaining_balance);
	if (money !== undefined) {
		const currency = readText(wallet.currency) ?? '';
		return { left: money, unit: currency === 'credits' ? currency : currency.toUpperCase() };
	}
	const credits =
		readNumber(user.remaining_credits) ??
		readNumber(usage.remaining_credits) ??
		sumKnown([readCredits(premium), readCredits(more)]);
	if (credits !== undefined) return { left: credits, unit: 'credits' };
	const cap = readNumber(usage.spending_cap_usd);
	const spent = readNumber(usage.spending_current_usd);
	return cap === undefined || spent === undefined ? undefined : { left: cap - spent, unit: 'USD' };
}

/** What is left on the account. Throws where it does not tell. */
export const readBalance: Ports['balance'] = async (client: Client) => {
	const found = findRemaining(await client.fetchData({ line: 'GET /v3/users/me' }));
	if (found) return found;
	throw createOperationError(
		client.node,
		'The account does not tell what is left on it',
		'Remove Stop Below Balance from the options. Nothing was made.',
		{ code: 'balance_unknown' },
	);
};
