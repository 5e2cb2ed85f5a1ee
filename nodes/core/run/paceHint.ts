/** What the user is told where the service sets the pace. Pure. */
import type { Task } from './plan';

const count = (n: number) => n.toLocaleString('en-US', { maximumFractionDigits: n < 10 ? 1 : 0 });

/**
 * The hint of a run that was held back; nothing where it went as fast as it could.
 *
 * @param perSecond requests that the service takes of the account, as it has shown by refusals
 */
export function paceHint(tasks: readonly Task[], perSecond?: number): string | undefined {
	const rates = tasks.flatMap(({ operation }) => operation.rate ?? []);
	const [rate] = rates;
	if (rate && rates.length > rate.perMinute) {
		return `The service takes ${rate.perMinute} of these requests a minute, so that ${count(rates.length)} items need at least ${count(Math.floor((rates.length - 1) / rate.perMinute))} minutes. Nothing is lost: the node keeps to that pace.`;
	}
	if (perSecond === undefined) return undefined;
	const pace =
		perSecond < 1
			? `${count(perSecond * 60)} requests a minute`
			: `${count(perSecond)} requests a second`;
	return `The service said that it gets too many requests, and takes about ${pace} of this account now. Nothing is lost: the node keeps to that pace, and tries again and again whether it may go faster.`;
}
