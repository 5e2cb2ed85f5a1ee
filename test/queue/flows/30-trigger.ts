import assert from 'node:assert/strict';
import {
	eventOf,
	inParallel,
	isTaken,
	publishTrigger,
	sender,
	signed,
	times,
} from '../../faults/deliveries';
import { until } from '../../e2e/workflows';
import type { Cluster } from '../cluster';
import type { QueueFlow } from '../flow';

interface Counts {
	/** Executions of the workflow. */
	all: number;
	ended: number;
	/** Those that ended well. */
	good: number;
	/** Those that went on behind the trigger. */
	wentOn: number;
}

/** The states of the executions of a workflow. The node after the trigger shows its output. */
const counted = ({ postgres }: Cluster, workflowId: string): Counts => {
	const [counts] = postgres.query<Counts>(`
		SELECT count(*) AS all,
			count(*) FILTER (WHERE e.status NOT IN ('new', 'running', 'waiting')) AS ended,
			count(*) FILTER (WHERE e.status = 'success') AS good,
			count(*) FILTER (WHERE d.data LIKE '%"Done"%') AS "wentOn"
		FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}'`);
	if (!counts) throw new Error('The database returned no counts');
	return counts;
};

export const flow: QueueFlow = {
	name: 'events under load run once each, including those delivered again to another process',
	short: true,
	run: async (cluster) => {
		const { n8n, webhook, short, measured } = cluster;
		const count = short ? 60 : 150;
		const { id, path, secret } = await publishTrigger(cluster, 'Load');
		const events = times(count, () => eventOf());
		// Each delivery is signed at its time: an older one than 5 minutes is rejected.
		const send = (to: ReturnType<typeof sender>) =>
			events.map((one) => async () => await to.send(signed(secret, one)));
		const first = sender(webhook.baseUrl, path);
		const other = sender(n8n.baseUrl, path);
		const ended = async (least: number) =>
			await until(
				`the end of ${least} executions`,
				() => {
					const now = counted(cluster, id);
					return now.all >= least && now.ended === now.all && now;
				},
				180_000,
			);

		const started = Date.now();
		const answers = await inParallel(send(first));
		const answered = (Date.now() - started) / 1000;
		assert.deepEqual(
			answers.filter((one) => !isTaken(one)),
			[],
			'all are taken',
		);
		const once = await ended(count);
		const run = (Date.now() - started) / 1000;
		assert.deepEqual(once, { all: count, ended: count, good: count, wentOn: count });
		measured(
			`${count} events to the webhook process, 20 at once: answered, and carried out by two workers`,
			`${(count / answered).toFixed(0)} and ${(count / run).toFixed(0)} a second`,
		);

		const again = await inParallel(send(other));
		assert.deepEqual(
			again.filter((one) => !isTaken(one)),
			[],
			'the main process takes them too',
		);
		const twice = await ended(2 * count);
		assert.deepEqual({ ...twice, wentOn: twice.wentOn - count }, { ...twice, wentOn: 0 });
		assert.equal(twice.good, 2 * count);

		// The same moment, in two processes: for that there is no promise.
		await inParallel(
			times(count, () => async () => {
				const fresh = signed(secret, eventOf());
				return await Promise.all([first.send(fresh), other.send(fresh)]);
			}),
		);
		const third = await ended(4 * count);
		assert.ok(third.wentOn >= 2 * count, 'each has run');
		measured(
			`${count} events to the webhook process and the main process at the same moment: run twice`,
			String(third.wentOn - 2 * count),
		);
		await Promise.all([first.close(), other.close()]);
		await n8n.deactivate(id);
	},
};
