import assert from 'node:assert/strict';
import type { QueueFlow } from '../flow';

interface Stored {
	name: string;
	executions: number;
	/** What the execution holds, and its copy of the workflow: bytes, as PostgreSQL keeps them. */
	data: number;
	workflow: number;
}

const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;

export const flow: QueueFlow = {
	name: 'what the executions of the flows before leave in the database',
	short: false,
	run: async ({ postgres, measured }) => {
		const stored = postgres.query<Stored>(`
			SELECT w.name, count(*) AS executions, avg(pg_column_size(d.data)) AS data,
				avg(pg_column_size(d."workflowData")) AS workflow
			FROM execution_entity e JOIN execution_data d ON d."executionId" = e.id
			JOIN workflow_entity w ON w.id = e."workflowId"
			WHERE e.status = 'success' AND d.data LIKE '%"Done"%' GROUP BY w.name`);
		assert.ok(stored.length > 0, 'the flows before have run');
		for (const { name, executions, data, workflow } of stored) {
			measured(
				`An execution of "${name}" (of ${executions}): its data, and its copy of the workflow`,
				`${kB(data)} and ${kB(workflow)}`,
			);
		}
		const [{ bytes = 0, count = 1 } = {}] = postgres.query<{ bytes: number; count: number }>(`
			SELECT pg_total_relation_size('execution_entity') AS bytes,
				(SELECT count(*) FROM execution_entity) AS count`);
		measured('A row of execution_entity with its indexes', kB(bytes / count));
		const [{ marks = 0 } = {}] = postgres.query<{ marks: number }>(
			'SELECT max(pg_column_size(value)) AS marks FROM processed_data',
		);
		measured("n8n's store of the events of one trigger", kB(marks));
	},
};
