import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { credentialType, saveCredential, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { rows, to, videoLink, waitingDraft } from '../waits';
import { chain, errorText, itemsNode, start, until } from '../workflows';

/** Suspended executions, and minutes of the outage. WAITS=1000 MINUTES=60 is the long form. */
const waits = Number(process.env.WAITS ?? 10);
const minutes = Number(process.env.MINUTES ?? 2.5);

/** Items of one execution whose stored size is measured. */
const manyItems = 1_000;

const page = '<html>Please log in</html>';
const html = { headers: { 'content-type': 'text/html' }, body: page };

/** Responses that do not come from the service, or that it sends by mistake. */
const doubtful = [
	{ name: 'a page with status 200', status: 200, ...html },
	{ name: 'a page with status 403', status: 403, ...html },
	{ name: 'a 401', status: 401, code: 'unauthorized' },
];

/** Waits for one job by its ID, once for each of many items. */
function manyDraft(id: string) {
	const draft = waitingDraft(chain('Many', [start, ...itemsNode(rows(manyItems))]), 'Items');
	const byId = { jobs: 'id', kind: 'video', job_id: id };
	return {
		...draft,
		nodes: draft.nodes
			.filter(({ name }) => name !== 'Done')
			.map((node) =>
				node.name === 'Wait' ? { ...node, parameters: { ...node.parameters, ...byId } } : node,
			),
		connections: { ...draft.connections, Wait: { main: [[to('Wait')]] } },
	};
}

export const flow: Flow = {
	name: 'waits survive an outage with one or two requests per check, report since when, and survive unrelated web pages',
	isWeekly: true,
	run: async (context) => {
		const { n8n, credential, simulator } = await context.startOwn();
		const { control } = simulator;
		control.holdJobs(true);
		control.setWorkspace({ jobsAtOnce: 2 * waits + 100 });
		const single = waitingDraft(
			chain('Single', [start, ...itemsNode(rows(1)), videoLink('Create')]),
			'Create',
		);
		const save = async (draft: typeof single, own = credential) =>
			(await n8n.createWorkflow(withCredential(draft, own))).id;
		const suspended = async (id: string) => {
			// With many executions, n8n is busy with the first checks of all of them.
			const { status } = await n8n.waitForExecution(
				{ id },
				{ until: ['waiting'], timeoutMs: 600_000 },
			);
			assert.equal(status, 'waiting');
		};
		const lost = await saveCredential(
			n8n,
			{ apiKey: simulator.apiKey, baseUrl: simulator.baseUrl },
			{ name: 'Deleted later', type: credentialType },
		);
		const [workflow, lostWorkflow] = [await save(single), await save(single, lost)];
		const ids: string[] = [];
		for (let i = 0; i < waits; i++) ids.push(await n8n.start(workflow));
		const forgotten = await n8n.start(lostWorkflow);
		for (const id of [...ids, forgotten]) await suspended(id);
		const [created] = itemsOf(await n8n.execution(forgotten), 'Create');
		const many = await n8n.start(await save(manyDraft(String(created?.json.video_id))));
		await suspended(many);

		// The credential is deleted during the suspension.
		await n8n.api('DELETE', `/credentials/${lost.id}`);

		const file = join(n8n.userFolder, '.n8n', 'database.sqlite');
		const query = (sql: string, ...values: string[]) => {
			const db = new DatabaseSync(file, { readOnly: true });
			const all = db.prepare(sql).all(...values);
			db.close();
			return all;
		};
		/** Stored bytes of the execution with many items, by the time of its next check. */
		const sizes = new Map<string, number>();
		const measure = () => {
			const [row] = query(
				`SELECT waitTill, LENGTH(CAST(data AS BLOB)) AS bytes FROM execution_entity
				 JOIN execution_data ON id = executionId WHERE id = ? AND status = 'waiting'`,
				many,
			) as Array<{ waitTill: string; bytes: number }>;
			if (row) sizes.set(row.waitTill, row.bytes);
		};
		/** How many of the executions were running at each sample. */
		const running: number[] = [];
		const checksOf = (id: string) => {
			const [row] = query('SELECT data FROM execution_data WHERE executionId = ?', id) as Array<{
				data: string;
			}>;
			return row?.data ?? '';
		};
		const requests = () => control.requests({ method: 'GET' });
		control.fail({ method: 'GET', path: /videos/, status: 503, code: 'service_unavailable' });
		const before = requests().length;
		const began = Date.now();
		const states = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
		while (Date.now() - began < minutes * 60_000) {
			const all = query(
				`SELECT id, status, waitTill FROM execution_entity WHERE workflowId = ?`,
				workflow,
			) as Array<{ id: number; status: string; waitTill: string }>;
			running.push(all.filter(({ status }) => status === 'running').length);
			for (const { id, status, waitTill } of all) {
				if (status === 'waiting') states.get(String(id))?.add(waitTill);
			}
			measure();
			await new Promise((resolve) => setTimeout(resolve, 1_000));
		}
		const during = requests().slice(before);
		// Each new time of a next check follows one check.
		const checks = [...states.values()].reduce((sum, times) => sum + times.size - 1, 0);
		const sampled = running.reduce((sum, count) => sum + count, 0) / running.length / waits;
		const perMinute = during.length / minutes;
		context.log(
			`  outage of ${minutes} min, ${waits} suspended executions: ${checks} checks, ${during.length} requests (${perMinute.toFixed(1)} per minute); ${(sampled * 100).toFixed(1)} % running when sampled, at most ${Math.max(...running)}`,
		);
		assert.ok(checks >= waits, `${checks} checks`);
		assert.ok(during.length <= 2 * (checks + sizes.size + waits), 'one or two requests per check');
		assert.ok(perMinute <= 30);
		assert.ok(sampled < 0.1, 'suspended rather than running');

		for (const id of ids) {
			const [item] = itemsOf(await n8n.execution(id), 'Wait');
			assert.match(
				checksOf(id),
				/The service has been unreachable since (?:[\d-]+ )?\d\d:\d\d \(503\)/,
				`${id}: ${String(item?.json.still_running)}`,
			);
		}
		const warnings = n8n
			.logs()
			.split('\n')
			.filter((line) =>
				/has been unreachable since .* The wait for video \S+ continues/.test(line),
			);
		const warned = new Set(warnings.map((line) => /The wait for (video \S+)/.exec(line)?.[1]));
		context.log(`  ${warnings.length} warnings for ${waits + 2} waits`);
		// The execution with many items and the one without a credential wait for the same video.
		assert.equal(warned.size, waits + 1, 'each video is in the log');
		assert.ok(warnings.length <= (waits + 2) * Math.ceil(minutes / 60 + 0.01), 'once per hour');

		// Foreign pages and a 401, a few times each: no wait ends.
		for (const { name, ...fault } of doubtful) {
			control.clearFaults();
			control.fail({ method: 'GET', path: /videos/, ...fault, times: 2 });
			const from = requests().length;
			await until(name, () => (measure(), requests().length >= from + 3), 200_000);
		}
		control.clearFaults();
		const ended = query(
			`SELECT status, COUNT(*) AS count FROM execution_entity WHERE workflowId = ? GROUP BY status`,
			workflow,
		) as Array<{ status: string; count: number }>;
		assert.ok(
			ended.every(({ status }) => ['waiting', 'running', 'new'].includes(status)),
			JSON.stringify(ended),
		);

		const [, ...later] = [...sizes.values()];
		context.log(
			`  ${manyItems} items, stored bytes after each check: ${[...sizes.values()].join(', ')}`,
		);
		assert.ok(later.length >= 3, 'three checks after the first one');
		for (const [i, size] of later.slice(1).entries()) {
			assert.ok(size - (later[i] ?? 0) < 2_000, 'a check adds almost nothing');
		}

		control.holdJobs(false);
		const back = Date.now();
		let latest = back;
		for (const id of ids) {
			const done = await n8n.waitForExecution({ id }, { timeoutMs: 330_000 });
			assert.equal(done.status, 'success', errorText(done));
			latest = Math.max(latest, Date.parse(done.stoppedAt ?? ''));
			assert.deepEqual(
				itemsOf(done, 'Done').map(({ json }) => [json.video_id, json.status]),
				[[itemsOf(done, 'Create')[0]?.json.video_id, 'completed']],
			);
		}
		context.log(`  the last one ended ${Math.round((latest - back) / 1000)} s after the outage`);

		const failed = await n8n.waitForExecution({ id: forgotten }, { timeoutMs: 330_000 });
		assert.equal(failed.status, 'error');
		assert.match(errorText(failed), /credential/i);
		assert.ok(errorText(failed).includes(String(created?.json.video_id)), errorText(failed));
	},
};
