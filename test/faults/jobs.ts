/** What became of jobs: how many were made, and which of them somebody can find. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../../tools/stage';
import type { Row } from './scenario';

export const jobColumns = ['Requested', 'Created', 'Named', 'Lost', 'Duplicate'] as const;

interface MadeJob {
	id: string;
	/** Names it too: the batch that made it. */
	batch?: string;
}

interface BatchRecord {
	id: string;
	items: Array<{ childId: string | null }>;
}

/** The jobs of a kind that the service has made since it was emptied. */
function madeJobs({ simulator }: Pick<Stage, 'simulator'>, kind: string): MadeJob[] {
	const batches = simulator.control.jobs('batch') as BatchRecord[];
	const batchOf = (id: string) =>
		batches.find(({ items }) => items.some(({ childId }) => childId === id))?.id;
	const jobs = simulator.control.jobs(kind) as Array<{ id: string }>;
	return jobs.map(({ id }) => ({ id, batch: batchOf(id) }));
}

/** All that n8n has written since the folder was made, restarts included. */
export function logText({ n8n }: { n8n: { userFolder: string } }): string {
	const file = join(n8n.userFolder, 'n8n.log');
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** All that n8n shows of these executions; of the newest hundred where none is said. */
async function executionText({ n8n }: Pick<Stage, 'n8n'>, ids?: readonly string[]) {
	const texts: string[] = [];
	for (const id of ids ?? (await n8n.executions({})).map((one) => one.id)) {
		const { data } = await n8n.api<{ data?: unknown }>('GET', `/executions/${id}`);
		texts.push(typeof data === 'string' ? data : JSON.stringify(data ?? ''));
	}
	return texts.join('\n');
}

export interface JobCount {
	made: number;
	named: number;
	/** Ids that neither an execution nor the log names. */
	lost: string[];
}

/**
 * Counts the jobs of a kind, and who names them: executions, or the log.
 *
 * @param executions where only these may name them, and the log does not count
 * @param alsoNamed a text that names them too
 */
export async function countJobs(
	stage: Stage,
	kind: string,
	executions?: readonly string[],
	alsoNamed = '',
): Promise<JobCount> {
	const jobs = madeJobs(stage, kind);
	const log = executions ? '' : logText(stage);
	const text = `${await executionText(stage, executions)}\n${log}\n${alsoNamed}`;
	const lost = jobs.filter(
		({ id, batch }) => !text.includes(id) && (batch === undefined || !text.includes(batch)),
	);
	return {
		made: jobs.length,
		named: jobs.length - lost.length,
		lost: lost.map(({ id }) => id),
	};
}

/** The create requests that the service received. */
export const creates = ({ simulator }: Stage, path: string) =>
	simulator.control.requests({ method: 'POST', path });

/**
 * Counts the agent sessions that the log says were requested, and of which it names no ID: the
 * response was on its way when n8n was killed. The line tells item and time.
 */
export function countDoubts(stage: Stage): number {
	const lines = logText(stage).split('\n');
	const place = (line: string) => /\((?:key [^,]+, )?(execution .*)\)/.exec(line)?.[1];
	const started = new Set(lines.filter((line) => /started session/.test(line)).map(place));
	const asked = lines.filter((line) => line.includes('sends POST /v3/video-agents '));
	return asked.filter((line) => !started.has(place(line))).length;
}

/** Repeats a create with the key in the log (or its digest), as a user would if the log has no ID. */
export async function foundByKeys(
	stage: Stage,
	path: string,
	log = logText(stage),
): Promise<string> {
	const { simulator } = stage;
	const sent = new Map(
		creates(stage, path).map(({ headers, body }) => {
			const key = String(headers['idempotency-key']);
			const digest = createHash('sha256').update(key).digest('hex');
			const name = key.startsWith('n8n-') ? key : `sha256:${digest} of your own key`;
			return [name, { key, body }];
		}),
	);
	const found: string[] = [];
	for (const [, name = ''] of log.matchAll(/VideoGen sends POST \S+ \(key ([^,]+),/g)) {
		// A key that the service has not seen would make a job here.
		const create = sent.get(name);
		if (!create) continue;
		const response = await fetch(`${simulator.baseUrl}${path}`, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'x-api-key': simulator.apiKey,
				'idempotency-key': create.key,
			},
			body: JSON.stringify(create.body),
		});
		found.push(await response.text());
	}
	return found.join('\n');
}

/**
 * The row about requested jobs.
 *
 * @param asked expected number of jobs, including those that replace failed ones
 * @param wrong what else is wrong
 */
export function jobRow(
	id: string,
	what: string,
	asked: number,
	{ made, named, lost }: JobCount,
	wrong: Array<string | false> = [],
): Row {
	const twice = Math.max(made - asked, 0);
	return {
		id,
		what,
		cells: [asked, made, named, lost.length, twice],
		wrong: [
			made < asked && `${asked - made} were not made`,
			twice > 0 && `${twice} more were made than asked for`,
			lost.length > 0 && `nobody names ${lost.slice(0, 5).join(', ')}`,
			...wrong,
		].filter((one) => one !== false),
	};
}
