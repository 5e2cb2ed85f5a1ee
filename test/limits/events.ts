/** Many deliveries from several senders, some repeated and some forged, while n8n is killed. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Stage } from '../../tools/stage';
import { recommendedSettings } from '../bench/deliveries';
import { retryInterrupted } from '../e2e/n8n';
import {
	database,
	eventOf,
	inParallel,
	isTaken,
	publishTrigger,
	quiet,
	sender,
	signed,
	times,
} from '../faults/deliveries';
import type { LimitContext, LimitFile } from './section';

const size = { events: 20_000, kills: 20 };

/** Senders, each with so many deliveries in flight. */
const senders = 4;
const inFlight = 5;

interface Sent {
	event: IDataObject;
	isForged: boolean;
	isRepeated: boolean;
}

/** Events, a tenth of them forged, and another tenth delivered twice. */
const planDeliveries = (count: number): Sent[] =>
	times(count, (i) => ({
		event: eventOf(),
		isForged: i % 10 === 3,
		isRepeated: i % 10 === 7,
	}));

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What the deliveries and n8n's executions came to. */
async function deliver(stage: Stage, { events, kills }: typeof size) {
	const { n8n } = stage;
	const { id, path, secret } = await publishTrigger(stage, 'Events');
	const plan = planDeliveries(events);
	const { lastId, runs } = database(stage);
	const seen = { answered: 0, acceptedForged: 0, sent: 0 };
	let cutAt = 0;
	let restarting: Promise<void> | undefined;
	/** IDs of interrupted executions on which Retry was pressed. */
	const retried = new Set<string>();
	const retryAll = async () => {
		const interrupted = runs(id).filter(
			(one) => Number(one.id) <= cutAt && one.status !== 'success' && !retried.has(one.id),
		);
		for (const { id: execution } of interrupted) {
			retried.add(execution);
			await retryInterrupted(n8n, execution);
		}
	};
	const kill = async () => {
		await n8n.kill();
		cutAt = lastId();
		await n8n.restart();
		await retryAll();
		restarting = undefined;
	};
	/** Sends one delivery, again and again until n8n answers, as the service does. */
	const sendUntilAnswered = async (send: ReturnType<typeof sender>['send'], one: Sent) => {
		for (;;) {
			const answer = await send(signed(one.isForged ? `${secret}x` : secret, one.event));
			seen.sent++;
			if (one.isForged && answer.status === 401) return;
			if (isTaken(answer)) {
				if (one.isForged) seen.acceptedForged++;
				return;
			}
			await pause(300);
			await restarting;
		}
	};
	const started = Date.now();
	let killed = 0;
	await Promise.all(
		times(senders, async (own) => {
			const { send, close } = sender(n8n.baseUrl, path, inFlight);
			const part = plan.filter((_, i) => i % senders === own);
			await inParallel(
				part.map((one) => async () => {
					await sendUntilAnswered(send, one);
					if (one.isRepeated) await sendUntilAnswered(send, one);
					seen.answered++;
					if (seen.answered >= ((killed + 1) * events) / (kills + 1) && killed < kills) {
						killed++;
						restarting ??= kill();
						await restarting;
					}
				}),
				inFlight,
			);
			await close();
		}),
	);
	const seconds = (Date.now() - started) / 1000;
	await restarting;
	// n8n may list executions as running that had just begun at a kill.
	await quiet(stage, id, 0, cutAt, 300_000);

	cutAt = lastId();
	await retryAll();
	await quiet(stage, id, 0, cutAt, 300_000);
	const outputs = new Map<string, number>();
	for (const { event, done } of runs(id)) {
		outputs.set(event, (outputs.get(event) ?? 0) + Number(done));
	}
	const outputsOf = ({ event }: Sent) => outputs.get(String(event.event_id)) ?? 0;
	const good = plan.filter(({ isForged }) => !isForged);
	return {
		...seen,
		killed,
		seconds,
		interrupted: retried.size,
		lost: good.filter((one) => outputsOf(one) === 0).length,
		twice: good.filter((one) => outputsOf(one) > 1).length,
		forged: plan.filter((one) => one.isForged && outputs.has(String(one.event.event_id))).length,
		executions: runs(id).length,
	};
}

async function run({ startOwn, report }: LimitContext): Promise<void> {
	const stage = await startOwn({
		env: { ...recommendedSettings, EXECUTIONS_DATA_PRUNE_MAX_COUNT: String(2 * size.events) },
	});
	const { n8n } = stage;
	const seen = await deliver(stage, size);
	const forged = seen.forged + seen.acceptedForged;
	report({
		what: `${size.events.toLocaleString('en')} events from ${senders} senders, a tenth delivered twice, a tenth forged, with ${seen.killed} SIGKILLs of n8n`,
		figure: `${seen.lost} answered but lost, ${forged} forged but accepted, ${seen.twice} processed twice; ${seen.interrupted} executions were interrupted by the kills, and continued with Retry after each restart`,
		beyond:
			'The service repeats unanswered deliveries for 24 hours. n8n’s store contains the last 1,000 events for each trigger. An older event is processed twice if the service delivers it again after a restart, or if its interrupted execution is retried only after 1,000 more events.',
		wrong: [
			...(seen.lost > 0 ? [`${seen.lost} events are lost`] : []),
			...(forged > 0 ? [`${forged} forged events were accepted`] : []),
			...(seen.twice > 0 ? [`${seen.twice} events ran twice`] : []),
		],
	});
	report({
		what: 'The same: deliveries per second, including restarts',
		figure: (seen.sent / seen.seconds).toFixed(0),
		beyond: 'The service waits for the response, and repeats late deliveries.',
	});
	const databaseFile = join(n8n.userFolder, '.n8n', 'database.sqlite');
	report({
		what: 'The same: n8n’s memory and database at the end',
		figure: `${(n8n.rssBytes() / 1e6).toFixed(0)} MB resident, ${(statSync(databaseFile).size / 1e6).toFixed(0)} MB on disk for ${seen.executions.toLocaleString('en')} executions`,
		beyond:
			'n8n deletes old executions if there are more than EXECUTIONS_DATA_PRUNE_MAX_COUNT (10,000 by default).',
	});
}

export const limits: LimitFile = {
	title: 'Events',
	how: 'The trigger runs with the [recommended setting](../queue-mode.md#many-events). An event counts as lost if n8n returned a 2xx response, but no execution processed the event, even after a retry.',
	run,
};
