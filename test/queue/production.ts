/** Executions that begin by a call, as in earnest; those that are started by hand run otherwise. */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionStatus } from 'n8n-workflow';
import { withCredential } from '../../tools/stage';
import type { Execution, WorkflowDraft } from '../e2e/n8n';
import { until, type Link } from '../e2e/workflows';
import type { Cluster, Member } from './cluster';

/** Begins a workflow when it is called. */
export const calledLink = (): Link => ({
	name: 'Begin',
	type: 'n8n-nodes-base.webhook',
	parameters: { httpMethod: 'POST', path: randomUUID(), responseMode: 'onReceived', options: {} },
	more: { typeVersion: 2, webhookId: randomUUID() },
});

/** Publishes a workflow that begins with a `calledLink`; what begins it, its id and its path. */
export async function publish({ n8n, credential, webhook }: Cluster, draft: WorkflowDraft) {
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	await n8n.activate(id);
	const path = String(draft.nodes[0]?.parameters.path);
	let last = '0';
	return {
		id,
		path: `/webhook/${path}`,
		/** The execution that it begins, once it has reached one of the states. */
		begin: async (until?: ExecutionStatus[], timeoutMs?: number): Promise<Execution> => {
			const { status } = await fetch(`${webhook.baseUrl}/webhook/${path}`, { method: 'POST' });
			if (status !== 200) throw new Error(`The webhook process answers ${status}`);
			const begun = await n8n.waitForExecution(
				{ workflowId: id, afterId: last },
				{ until, timeoutMs },
			);
			last = begun.id;
			return begun;
		},
	};
}

/** Milliseconds for which executions stay suspended once `untilSuspended` returns. */
const minSuspension = 20_000;

/**
 * Waits until the executions are suspended at the same time, and for a while longer. n8n marks an execution as
 * crashed if a worker is killed before it has finished it.
 */
export async function untilSuspended(
	{ n8n, workers }: Pick<Cluster, 'n8n' | 'workers'>,
	ids: readonly string[],
): Promise<void> {
	const isSuspended = async (id: string) => {
		const count = (event: string) =>
			workers.flatMap((one) => one.logs().split(`Worker ${event} execution ${id} `).slice(1))
				.length;
		if (count('started') > count('finished')) return false;
		const { status, waitTill } = await n8n.execution(id);
		return status === 'waiting' && Date.parse(waitTill ?? '') > Date.now() + minSuspension;
	};
	const areSuspended = async () => (await Promise.all(ids.map(isSuspended))).every(Boolean);
	await until('all executions suspended at the same time', areSuspended, 300_000);
}

/**
 * Kills the workers and starts others in their place, as on new machines: executions then continue in other
 * processes. A worker that finds its predecessor's event log marks as crashed each execution in it that has not
 * ended, even one whose wait ended while no worker ran.
 */
export async function replace(workers: readonly Member[]): Promise<void> {
	await Promise.all(workers.map(async (one) => await one.end('SIGKILL')));
	for (const { userFolder } of workers) removeEventLogs(join(userFolder, '.n8n'));
	await Promise.all(workers.map(async (one) => await one.launch()));
}

function removeEventLogs(folder: string): void {
	const logs = readdirSync(folder).filter((name) => name.startsWith('n8nEventLog'));
	for (const name of logs) rmSync(join(folder, name));
}
