/** Fetches the account's remaining money or credits (service.md, Resources). */
import type { IDataObject } from 'n8n-workflow';
import { createOperationError } from '../core/errors/nodeErrors';
import { isObject, readObject, readText } from '../core/json';
import type { Balance, InjectedFunctions } from '../core/operation';

const readNumber = (value: unknown) =>
	typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/**
 * Returns the number of credits in a response. The service sends it either as a number or as the
 * `remaining` property of an object.
 */
const readCredits = (value: unknown) => readNumber(isObject(value) ? value.remaining : value);

/** Adds numbers, ignoring `undefined` values. Returns `undefined` if there are no numbers. */
function sumKnown(values: ReadonlyArray<number | undefined>): number | undefined {
	const known = values.filter((value) => value !== undefined);
	return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

/**
 * Finds the balance in the service's response about the user: the money in the wallet, the credits,
 * or the amount left until the spending cap is reached.
 */
function findBalance(user: IDataObject): Balance | undefined {
	const wallet = readObject(user.wallet);
	const usage = readObject(user.usage_based);
	const subscription = readObject(readObject(user.subscription).credits);
	const money = readNumber(wallet.remaining_balance);
	if (money !== undefined) {
		const currency = readText(wallet.currency) ?? '';
		const unit = currency === 'credits' ? currency : currency.toUpperCase();
		return { left: money, unit, source: 'wallet' };
	}
	const ofSubscription = sumKnown([
		readCredits(subscription.premium_credits),
		readCredits(subscription.add_on_credits),
	]);
	const credits =
		ofSubscription ?? readNumber(user.remaining_credits) ?? readNumber(usage.remaining_credits);
	const cap = readNumber(usage.spending_cap_usd);
	const spent = readNumber(usage.spending_current_usd);
	// An account that is billed by use pays with money once its included credits are used up.
	if (cap !== undefined && spent !== undefined && (credits ?? 0) <= 0) {
		return { left: cap - spent, unit: 'USD', source: 'spending cap' };
	}
	if (credits === undefined) return undefined;
	const source = ofSubscription === undefined ? 'remaining credits' : 'subscription';
	return { left: credits, unit: 'credits', source };
}

/** Fetches the balance of the account. Throws an error if the service does not return it. */
export const fetchBalance: InjectedFunctions['balance'] = async (client, isOptional) => {
	const user = await client.fetchData({ line: 'GET /v3/users/me', isPoll: isOptional });
	const balance = findBalance(user);
	if (balance) return balance;
	throw createOperationError(
		client.node,
		"The service does not return this account's balance",
		'Nothing was created. To run without this limit, remove Min Account Balance from the options.',
		{ code: 'balance_unknown' },
	);
};
