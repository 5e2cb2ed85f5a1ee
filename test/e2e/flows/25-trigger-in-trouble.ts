import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IDataObject } from 'n8n-workflow';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { makeFinishedVideo } from '../triggerFlow';
import { chain, errorText, succeeded, until } from '../workflows';

interface Endpoint {
	url: string;
	secret: string;
}

export const flow: Flow = {
	name: 'the trigger in trouble: n8n cannot store, the video cannot be read, the credential was deleted',
	run: async (context) => {
		const stage = await context.startOwn();
		const { n8n, simulator, credential } = stage;
		const { control } = simulator;
		const video = await makeFinishedVideo(stage);
		const draft = chain('Trouble', [
			{
				name: 'Event',
				type: 'trigger',
				parameters: { events: ['avatar_video.success'], options: { fetchVideo: true } },
			},
			{ name: 'Done', type: 'n8n-nodes-base.noOp' },
		]);
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));
		await n8n.activate(id);
		const { url, secret } = control.endpoints().at(-1) as Endpoint;
		const eventOf = () => ({
			event_id: randomUUID(),
			event_type: 'avatar_video.success',
			event_data: { video_id: video },
			created_at: new Date().toISOString(),
		});
		const send = async (event = eventOf(), more: object = {}) =>
			await control.deliver({ url, secret, event, eventId: event.event_id, ...more });
		const runs = async () => await n8n.executions({ workflowId: id });

		// A full disk, say: what could not be stored was not answered for, and comes again.
		const event = eventOf();
		const db = new DatabaseSync(join(n8n.userFolder, '.n8n', 'database.sqlite'));
		db.exec('PRAGMA busy_timeout = 10000');
		db.exec(
			"CREATE TRIGGER full BEFORE INSERT ON execution_entity BEGIN SELECT RAISE(ABORT, 'disk is full'); END",
		);
		assert.equal((await send(event)).status, 500, 'not stored, not answered for');
		db.exec('DROP TRIGGER full');
		db.close();
		assert.deepEqual(await runs(), []);
		assert.equal((await send(event)).status, 200, 'taken when it comes again');
		const first = await n8n.waitForExecution({ workflowId: id });
		assert.equal(succeeded(first, 'Done')[0]?.json.event_id, event.event_id);
		assert.equal((await send(event)).status, 200);
		assert.equal((await runs()).length, 1, 'once');

		// The event is in the execution that failed, and Retry fetches again.
		control.fail({ method: 'GET', path: `/v3/videos/${video}`, status: 403, times: 1 });
		assert.equal((await send()).status, 200);
		const failed = await n8n.waitForExecution({ workflowId: id, afterId: first.id });
		assert.equal(failed.status, 'error');
		assert.match(errorText(failed), /The event is not lost/);
		await n8n.api('POST', `/executions/${failed.id}/retry`, { loadWorkflow: false });
		const retried = await n8n.waitForExecution({ workflowId: id, afterId: failed.id });
		const [item] = succeeded(retried, 'Done');
		assert.equal((item?.json.video as IDataObject).id, video);

		// Nothing of the credential is needed to reject, or to tell what is genuine.
		await n8n.api('DELETE', `/credentials/${credential.id}`);
		const before = (await runs()).length;
		for (const more of [
			{ omit: ['signature'] },
			{ omit: ['signature', 'timestamp', 'event-id'] },
			{ secret: 'not-the-secret' },
		]) {
			assert.equal((await send(eventOf(), more)).status, 401);
		}
		await new Promise((resolve) => setTimeout(resolve, 500));
		assert.equal((await runs()).length, before, 'nothing has started');
		assert.equal((await send()).status, 200);
		const last = await until('a run that reports the loss', async () => {
			const found = (await runs()).at(-1);
			return found && found.id !== retried.id && found.status === 'error' ? found : undefined;
		});
		assert.deepEqual(itemsOf(await n8n.execution(last.id), 'Done'), []);
	},
};
