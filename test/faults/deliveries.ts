/** Deliveries to a trigger, and what n8n has run of them. */
import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'flatted';
import type { IDataObject, INode, IRunExecutionData } from 'n8n-workflow';
import { Pool } from 'undici';
import type { Stage } from '../../tools/stage';
import { times } from '../bench/rounds';
import { chain, until } from '../e2e/workflows';
import { save } from './creates';
import type { Row } from './scenario';

/** Requests on their way at the same time. */
export const together = 20;

export interface Delivery {
	body: string;
	headers: Record<string, string>;
}

export const eventOf = (more: IDataObject = {}): IDataObject => ({
	event_id: randomUUID(),
	event_type: 'avatar_video.success',
	event_data: { video_id: 'video_001', url: 'https://files.example/v.mp4', callback_id: null },
	created_at: new Date().toISOString(),
	...more,
});

export const hmac = (secret: string, body: string) =>
	createHmac('sha256', secret).update(body).digest('hex');

/** A delivery as the service makes it. */
export function signed(secret: string, event: IDataObject | string, prefix = 'Service'): Delivery {
	const body = typeof event === 'string' ? event : JSON.stringify(event);
	return {
		body,
		headers: {
			'content-type': 'application/json',
			[`${prefix}-Signature`]: hmac(secret, body),
			[`${prefix}-Timestamp`]: String(Math.floor(Date.now() / 1000)),
			[`${prefix}-Event-Id`]: randomUUID(),
		},
	};
}

/** Carries out all tasks, so many at the same time. */
export async function inParallel<T>(
	tasks: ReadonlyArray<() => Promise<T>>,
	atOnce = together,
): Promise<T[]> {
	const results: T[] = [];
	let next = 0;
	const worker = async () => {
		for (let i = next++; i < tasks.length; i = next++) {
			const task = tasks[i];
			if (task) results[i] = await task();
		}
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
	return results;
}

export interface Answer {
	/** Undefined without a response. */
	status?: number;
	text?: string;
	milliseconds: number;
}

/** Sends requests to one URL of n8n. */
export function sender(baseUrl: string, path: string, connections = together) {
	const pool = new Pool(baseUrl, { connections });
	return {
		async send({ body, headers }: Delivery): Promise<Answer> {
			const started = performance.now();
			try {
				const reply = await pool.request({ method: 'POST', path, body, headers });
				const text = await reply.body.text();
				return { status: reply.statusCode, text, milliseconds: performance.now() - started };
			} catch {
				return { milliseconds: performance.now() - started };
			}
		},
		close: async () => await pool.destroy(),
	};
}

export const isTaken = ({ status = 0 }: Answer) => status >= 200 && status < 300;

export interface Ran {
	id: string;
	status: string;
	/** The event that came in. */
	event: string;
	/** Whether the workflow has gone on behind the trigger. */
	done: boolean;
	stopped: number;
}

export const last = 'Done';

/** n8n's own database: its API gives executions one by one. */
export function database({ n8n }: Stage) {
	const open = () =>
		new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'), { readOnly: true });
	const query = <T>(sql: string, ...values: Array<string | number>): T[] => {
		const db = open();
		try {
			return db.prepare(sql).all(...values) as T[];
		} finally {
			db.close();
		}
	};
	const time = (text: string | null) =>
		text === null ? 0 : Date.parse(`${text.replace(' ', 'T')}Z`);
	return {
		/** Executions after this one that have not ended. */
		open: (workflowId: string, afterId: number) =>
			query<{ count: number }>(
				`SELECT COUNT(*) AS count FROM execution_entity
				 WHERE workflowId = ? AND id > ? AND status IN ('new', 'running', 'waiting')`,
				workflowId,
				afterId,
			)[0]?.count ?? 0,
		lastId: () =>
			query<{ id: number | null }>('SELECT MAX(id) AS id FROM execution_entity')[0]?.id ?? 0,
		/** Bytes that the executions of a workflow keep. */
		bytes: (workflowId: string) =>
			query<{ bytes: number | null }>(
				`SELECT SUM(LENGTH(CAST(data AS BLOB)) + LENGTH(CAST(workflowData AS BLOB))) AS bytes
				 FROM execution_data JOIN execution_entity ON id = executionId WHERE workflowId = ?`,
				workflowId,
			)[0]?.bytes ?? 0,
		count: (workflowId: string) =>
			query<{ count: number }>(
				'SELECT COUNT(*) AS count FROM execution_entity WHERE workflowId = ?',
				workflowId,
			)[0]?.count ?? 0,
		lastStop: (workflowId: string) =>
			time(
				query<{ stopped: string | null }>(
					'SELECT MAX(stoppedAt) AS stopped FROM execution_entity WHERE workflowId = ?',
					workflowId,
				)[0]?.stopped ?? null,
			),
		/** The data of all executions that ended well. */
		texts: (workflowId: string) =>
			query<{ data: string }>(
				`SELECT d.data FROM execution_entity e JOIN execution_data d ON d.executionId = e.id
				 WHERE e.workflowId = ? AND e.status = 'success'`,
				workflowId,
			).map(({ data }) => data),
		runs: (workflowId: string): Ran[] =>
			query<{ id: number; status: string; stopped: string | null; data: string }>(
				`SELECT e.id, e.status, e.stoppedAt AS stopped, d.data FROM execution_entity e
				 JOIN execution_data d ON d.executionId = e.id WHERE e.workflowId = ?`,
				workflowId,
			).map(({ id, status, stopped, data }) => {
				const run = parse(data) as IRunExecutionData;
				return {
					id: String(id),
					status,
					event: eventIn(run),
					done: status === 'success' && run.resultData.runData[last] !== undefined,
					stopped: time(stopped),
				};
			}),
	};
}

/** The event of an execution, wherever it has got to. */
export function eventIn(run: IRunExecutionData): string {
	const waiting = run.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json;
	// After a crash, n8n adds a first task without data to the nodes that had run.
	const given = Object.values(run.resultData.runData)
		.flat()
		.flatMap((task) => task.data?.main?.[0]?.map(({ json }) => json) ?? []);
	for (const json of [...given, waiting]) {
		const event = (json?.event ?? json) as IDataObject | undefined;
		if (typeof event?.event_id === 'string') return event.event_id;
	}
	return '';
}

/** Waits until so many executions of a workflow are there, and those after `afterId` have ended. */
export async function quiet(
	stage: Stage,
	workflowId: string,
	least = 0,
	afterId = 0,
	timeoutMs = 120_000,
): Promise<void> {
	const { open, count } = database(stage);
	await until(
		`the end of ${least} executions`,
		() => count(workflowId) >= least && open(workflowId, afterId) === 0,
		timeoutMs,
	);
}

export interface Published {
	id: string;
	path: string;
	secret: string;
}

export const noOp = (name: string) => ({ name, type: 'n8n-nodes-base.noOp' });

/** Publishes a workflow with the trigger, and what follows it. */
export async function publishTrigger(
	stage: Stage,
	name: string,
	then: Array<{ name: string; type: string; parameters?: INode['parameters']; more?: object }> = [],
	typeVersion = 2,
): Promise<Published> {
	const { n8n, simulator } = stage;
	const parameters = { events: ['avatar_video.success'] };
	const trigger = { name: 'Event', type: 'trigger', parameters, more: { typeVersion } };
	const id = await save(stage, chain(name, [trigger, ...then, noOp(last)]));
	await n8n.activate(id);
	const { url, secret } = simulator.control.endpoints().at(-1) as { url: string; secret: string };
	return { id, path: new URL(url).pathname, secret };
}

export { times };

/** What was seen, as part of a table. */
export interface Finding {
	what: string;
	seen: string;
	/** The expected result; without it, the row only shows values. */
	wanted?: string;
	holds?: boolean;
}

/** The rows of a part, under a letter of its own. */
export const rowsOf = (letter: string, findings: readonly Finding[]): Row[] =>
	findings.map(({ what, seen, wanted = '', holds }, i) => ({
		id: `${letter}${i + 1}`,
		what,
		cells: [seen, wanted],
		wrong: holds === false ? [`wanted: ${wanted}`] : [],
	}));
