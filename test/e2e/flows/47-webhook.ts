import assert from 'node:assert/strict';
import { packageName, publicOrigin } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, errorText, runDraft, start, succeeded } from '../workflows';

const type = `${packageName}.videoGenWebhook`;

export const flow: Flow = {
	name: 'an endpoint is registered, gets its event, is changed, gets a new secret, and goes',
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const { control } = simulator;
		const endpointId = byId("={{ $('Register').first().json.endpoint_id }}");
		const url = `${publicOrigin}/hand-made`;
		const execution = await runDraft(
			context,
			chain('Life of an endpoint', [
				start,
				{
					name: 'Register',
					type,
					parameters: {
						resource: 'endpoint',
						operation: 'create',
						url,
						events: ['avatar_video.success'],
					},
				},
				{
					name: 'Create Video',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: byId('look_001_1'),
						speechFrom: 'text',
						script: 'Hello there, this is a long enough text.',
						voice_id: byId('voice_001'),
						waitForCompletion: true,
						options: { pollInterval: 1 },
					},
				},
				{
					name: 'Delivered',
					type,
					parameters: {
						resource: 'event',
						operation: 'getMany',
						returnAll: true,
						options: {
							event_type: 'avatar_video.success',
							entity_id: '={{ $json.id }}',
						},
					},
				},
				{
					name: 'Change',
					type,
					parameters: {
						resource: 'endpoint',
						operation: 'update',
						endpoint_id: endpointId,
						subscribeTo: 'all',
						options: { url: `${url}-moved` },
					},
				},
				{
					name: 'Rotate',
					type,
					parameters: {
						resource: 'endpoint',
						operation: 'rotateSecret',
						endpoint_id: endpointId,
					},
				},
				{
					name: 'Listed',
					type,
					parameters: { resource: 'endpoint', operation: 'getMany', returnAll: true },
				},
			]),
		);
		const [registered] = succeeded(execution, 'Register');
		const id = String(registered?.json.endpoint_id);
		const [rotated] = succeeded(execution, 'Rotate');
		assert.ok(registered?.json.secret, 'the secret is in the reply');
		assert.notEqual(rotated?.json.secret, registered?.json.secret);
		assert.equal(rotated?.json.secret, control.secretOf(id));
		const [video] = succeeded(execution, 'Create Video');
		const events = succeeded(execution, 'Delivered');
		assert.ok(events.length > 0, 'the event was delivered');
		for (const { json } of events) {
			assert.equal(json.video_id, video?.json.id, 'no event of another video');
		}
		const [changed] = succeeded(execution, 'Change');
		assert.equal(changed?.json.events, null, 'all events');
		const listed = succeeded(execution, 'Listed').find(({ json }) => json.endpoint_id === id);
		assert.equal(listed?.json.url, `${url}-moved`);
		assert.equal(listed?.json.secret, null, 'a secret is not shown again');

		// The dropdown of events, and the list of endpoints.
		const editor = {
			type,
			parameters: { authentication: 'apiKey', resource: 'endpoint', operation: 'create' },
			credentials: { videoGenApi: credential },
		};
		const types = await n8n.loadOptions({ ...editor, path: 'events', method: 'getEventTypes' });
		assert.ok(types.some(({ value }) => value === 'video_agent.success'));
		const found = await n8n.listSearch({
			...editor,
			path: 'endpoint_id',
			method: 'searchEndpoints',
			filter: 'hand-made-moved',
		});
		assert.deepEqual(
			found.results.map(({ value }) => value),
			[id],
		);

		const removed = await runDraft(
			context,
			chain('Remove', [
				start,
				{
					name: 'Remove',
					type,
					parameters: { resource: 'endpoint', operation: 'delete', endpoint_id: byId(id) },
				},
			]),
		);
		assert.deepEqual(succeeded(removed, 'Remove')[0]?.json, { endpoint_id: id, deleted: true });
		assert.throws(() => control.secretOf(id), 'the endpoint is gone');

		const creates = () =>
			control.requests({ method: 'POST', path: '/v3/webhooks/endpoints' }).length;
		const before = creates();
		const plain = await runDraft(
			context,
			chain('Not https', [
				start,
				{
					name: 'Register',
					type,
					parameters: {
						resource: 'endpoint',
						operation: 'create',
						url: 'http://flows.example/hand-made',
					},
				},
			]),
		);
		assert.equal(plain.status, 'error');
		assert.match(errorText(plain), /"URL" must begin with https:\/\//);
		assert.equal(creates(), before, 'nothing was sent');
	},
};
