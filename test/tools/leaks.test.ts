/** The search for secrets in what n8n leaves finds each kind of leak, and nothing else. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stringify } from 'flatted';
import { findLeaks } from '../e2e/leaks';
import { createTemporaryFolder } from '../../tools/child';

const secret = 'sim_key_0123456789';
const signed = `https://files.example/v.mp4?expires=1&signature=${'a1'.repeat(32)}`;

/** What `findLeaks` reads of an n8n with one execution. */
function search({ log = '', data = {} as object, workflow = {} as object }) {
	const { folder, remove } = createTemporaryFolder('videogen-leaks-');
	mkdirSync(join(folder, '.n8n'));
	const database = new DatabaseSync(join(folder, '.n8n', 'database.sqlite'));
	database.exec('CREATE TABLE execution_data (executionId INTEGER, data TEXT, workflowData TEXT)');
	database
		.prepare('INSERT INTO execution_data VALUES (7, ?, ?)')
		.run(stringify(data), JSON.stringify(workflow));
	database.close();
	try {
		return findLeaks({
			n8n: { logs: () => log, userFolder: folder },
			simulator: { control: { secrets: () => [secret, 'whsec_1'] } },
		} as unknown as Parameters<typeof findLeaks>[0]);
	} finally {
		remove();
	}
}

test.each([
	["a secret in n8n's log", { log: `sent with ${secret}` }],
	["a signed URL in n8n's log", { log: `GET ${signed}` }],
	['a secret in execution 7', { data: { items: [{ json: { note: `the key is ${secret}` } }] } }],
	['a secret in the workflow of execution 7', { workflow: { nodes: [{ parameters: 'whsec_1' }] } }],
	['a signed URL in an error of execution 7', { data: { error: { message: `GET ${signed}` } } }],
	['a signed URL in an error of execution 7', { data: { items: [{ json: { error: signed } }] } }],
])('finds %s', (leak, left) => expect(search(left)).toEqual([leak]));

test('the items of an execution may have the URL of a file, and its workflow static data', () => {
	const left = {
		log: 'started',
		data: { items: [{ json: { video_url: signed } }] },
		workflow: { nodes: [], staticData: { secret: 'whsec_1' } },
	};
	expect(search(left)).toEqual([]);
});
