/** What the user is told where the service sets the pace. Pure. */
import type { PlannedRequest } from '../plan/groupRequests';

const formatCount = (n: number) =>
	n.toLocaleString('en-US', { maximumFractionDigits: n < 10 ? 1 : 0 });

/**
 * The hint of a run that was held back; nothing where it went as fast as it could.
 *
 * @param perSecond requests that the service takes of the account, as it has shown by refusals
 */
export function createRateHint(
	tasks: readonly PlannedRequest[],
	perSecond?: number,
): string | undefined {
	const rates = tasks.flatMap(({ operation }) => operation.perMinuteLimit ?? []);
	const [rate] = rates;
	if (rate && rates.length > rate.perMinute) {
		return `The service takes ${rate.perMinute} of these requests a minute, so that ${formatCount(rates.length)} items need at least ${formatCount(Math.floor((rates.length - 1) / rate.perMinute))} minutes. Nothing is lost: the node keeps to that pace.`;
	}
	if (perSecond === undefined) return undefined;
	const pace =
		perSecond < 1
			? `${formatCount(perSecond * 60)} requests a minute`
			: `${formatCount(perSecond)} requests a second`;
	return `The service said that it gets too many requests, and takes about ${pace} of this account now. Nothing is lost: the node keeps to that pace, and tries again and again whether it may go faster.`;
}
