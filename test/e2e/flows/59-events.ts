import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { withCredential, type Stage } from '../../../tools/stage';
import { eventOf, signed, type Delivery } from '../../faults/deliveries';
import type { Flow } from '../flow';
import { itemsOf } from '../n8n';
import { byId, chain, errorText, runDraft, start, until, type Link } from '../workflows';

interface Endpoint {
	url: string;
	secret: string;
}

const day = 24 * 3600e3;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const change = ({ body, headers }: Delivery, more: Record<string, string>): Delivery => ({
	body,
	headers: { ...headers, ...more },
});

/** Headers of other senders, which have signed something else. */
const foreign = (count: number, prefix = 'A') =>
	Object.assign(
		{},
		...Array.from({ length: count }, (_, i) => ({
			[`${prefix}${i}-Signature`]: 'f'.repeat(64),
			[`${prefix}${i}-Timestamp`]: String(Math.floor(Date.now() / 1000)),
			[`${prefix}${i}-Event-Id`]: 'foreign',
		})),
	) as Record<string, string>;

/** A create node with these parameters, and the nodes that follow it. */
const create = (parameters: INodeParameters, ...after: Link[]) =>
	chain('Create', [
		start,
		{
			name: 'Create',
			type: 'video',
			parameters: {
				operation: 'createAvatar',
				avatar_id: byId('look_001_1'),
				speechFrom: 'text',
				script: 'Hello there, this is a long enough text.',
				voice_id: byId('voice_001'),
				waitForCompletion: false,
				...parameters,
			},
		},
		...after,
	]);

/** Sends deliveries to a published trigger, and to one that listens in the editor. */
async function checkTrigger({ n8n, simulator, credential }: Stage) {
	const { control } = simulator;
	const endpoints = () => control.endpoints() as Endpoint[];
	const draft = chain('Events', [
		{ name: 'Event', type: 'trigger', parameters: { events: ['avatar_video.success'] } },
		{ name: 'Done', type: 'n8n-nodes-base.noOp' },
	]);
	const { id } = await n8n.createWorkflow(withCredential(draft, credential));
	await n8n.activate(id);
	let { url, secret } = endpoints().at(-1) as Endpoint;
	const post = async ({ body, headers }: Delivery, target = url) => {
		const { pathname } = new URL(target);
		const response = await fetch(`${n8n.baseUrl}${pathname}`, { method: 'POST', body, headers });
		return { status: response.status, body: await response.text() };
	};
	/** The IDs of the events that executions have output so far. */
	const outputs = async () => {
		const runs = (await n8n.executions({ workflowId: id })).filter(
			({ status }) => status === 'success',
		);
		const ended = await Promise.all(runs.map(async (run) => await n8n.execution(run.id)));
		return ended.flatMap((run) => itemsOf(run, 'Done').map(({ json }) => json.event_id)).sort();
	};
	const wanted: unknown[] = [];
	const expectRun = async (what: string, delivery: Delivery) => {
		assert.deepEqual(await post(delivery), { status: 200, body: '{"message":"Received"}' }, what);
		wanted.push((JSON.parse(delivery.body) as IDataObject).event_id ?? sha256(delivery.body));
		await until(what, async () => {
			const runs = await n8n.executions({ workflowId: id });
			return runs.length === wanted.length && runs.every(({ status }) => status === 'success');
		});
		assert.deepEqual(await outputs(), wanted.sort(), what);
	};
	const expectRejected = async (what: string, delivery: Delivery) =>
		assert.equal((await post(delivery)).status, 401, what);

	const sameId = { 'Service-Event-Id': 'one-id' };
	await expectRun('the first event under a header ID', change(signed(secret, eventOf()), sameId));
	await expectRun('another event under this ID', change(signed(secret, eventOf()), sameId));
	const unnamed = signed(secret, eventOf({ event_id: undefined, event_data: { video_id: 'v9' } }));
	await expectRun('an event without an ID in its body', change(unnamed, sameId));
	assert.equal((await post(unnamed)).status, 200, 'its repeat, which starts nothing');

	const at = (created_at: unknown) => signed(secret, eventOf({ created_at } as IDataObject));
	await expectRejected('30 days old in milliseconds', at(Date.now() - 30 * day));
	await expectRejected('from the far future', at(new Date(Date.now() + 30 * day).toISOString()));
	await expectRun('of now in milliseconds', at(Date.now()));
	await expectRun('without a time', at(undefined));
	const old = { 'Service-Timestamp': String(Math.floor(Date.now() / 1000) - 330) };
	await expectRejected('without a time, with an old timestamp header', change(at(undefined), old));

	const { body, headers } = signed(secret, eventOf());
	await expectRun('behind 20 foreign signatures', {
		body,
		headers: { ...foreign(20), ...headers },
	});
	const mixed = change(signed(secret, eventOf()), { ...old, ...foreign(1) });
	await expectRejected('an old timestamp next to a foreign signature with a new one', mixed);

	// What SECURITY.md says, and what helps.
	const workflow = await n8n.api<IDataObject>('GET', `/workflows/${id}`);
	assert.ok(JSON.stringify(workflow).includes(secret), 'static data shows the secret');
	const before = secret;
	await n8n.deactivate(id);
	await n8n.activate(id);
	({ url, secret } = endpoints().at(-1) as Endpoint);
	assert.notEqual(secret, before, 'a registration has a new secret');
	await expectRejected('signed with the old secret', signed(before, eventOf()));
	await expectRun('signed with the new secret', signed(secret, eventOf()));

	// The same body comes to the editor, and then to the published workflow.
	const count = endpoints().length;
	await n8n.api('POST', `/workflows/${id}/run`, { triggerToStartFrom: { name: 'Event' } });
	const listening = await until('the test endpoint', () => endpoints()[count]);
	const event = eventOf();
	const test = await post(signed(listening.secret, event), listening.url);
	assert.equal(test.status, 200, test.body);
	wanted.push(event.event_id);
	await until('the run in the editor', async () => (await outputs()).length === wanted.length);
	await expectRun('the event that the editor has received', signed(secret, event));
	await n8n.deactivate(id);
}

export const flow: Flow = {
	name: 'events: only the signed body names them, the editor takes none from production, and URLs, keys and secrets are kept',
	run: async (context) => {
		const stage = await context.startOwn({ env: { N8N_LOG_LEVEL: 'info' } });
		const { n8n, simulator } = stage;
		await checkTrigger(stage);

		const creates = () => simulator.control.requests({ method: 'POST', path: '/v3/videos' }).length;
		const before = creates();
		const script = await runDraft(
			stage,
			create({ advanced: { callback_url: 'javascript:alert(1)' } }),
		);
		assert.match(errorText(script), /Callback URL.*must begin with http/s);
		assert.equal(creates(), before, 'nothing was sent');

		const key = 'anna-smith-7';
		const keyed = await runDraft(
			stage,
			create({ options: { payOncePer: 'ownKey', idempotencyKey: key } }),
		);
		assert.equal(keyed.status, 'success', errorText(keyed));
		assert.ok(n8n.logs().includes(`(key sha256:${sha256(key)} of your own key, `));
		assert.ok(!n8n.logs().includes(key), 'the log shows no key of a user');
	},
};
