import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { projectRoot } from '../../../tools/install';
import { packageName } from '../../../tools/stage';
import type { Flow } from '../flow';
import { byId, chain, runDraft, start, succeeded, type Link } from '../workflows';

const type = `${packageName}.videoGenAvatar`;

const binary = (value: string) => ({ __rl: true as const, mode: 'binary', value });
const soon = { waitForCompletion: true, options: { pollInterval: 1 } };

const download = (name: string, file: string, field: string): Link => ({
	name,
	type: 'video',
	parameters: {
		operation: 'download',
		video_id: byId('video_001'),
		files: [file],
		binaryPropertyName: field,
	},
});

export const flow: Flow = {
	name: 'a photo becomes an avatar that speaks; a digital twin gets its consent and a pack of looks',
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const media = (name: string) => readFileSync(join(projectRoot, 'simulator', 'media', name));
		/** The content of the asset that a request names. */
		const uploaded = async (input: unknown) => {
			const { type: kind, asset_id } = input as IDataObject;
			assert.equal(kind, 'asset_id');
			const reply = await fetch(`${simulator.baseUrl}/public/${String(asset_id)}/file`);
			assert.equal(reply.status, 200);
			return Buffer.from(await reply.arrayBuffer());
		};
		const bodies = (path: string | RegExp) =>
			simulator.control
				.requests({ method: 'POST', path })
				.map(({ body }) => (body ?? {}) as IDataObject);

		const speaks = await runDraft(
			context,
			chain('Photo avatar', [
				start,
				download('Photo', 'thumbnail', 'photo'),
				{
					name: 'Avatar',
					type,
					parameters: {
						resource: 'avatar',
						operation: 'createFromPhoto',
						name: 'Maria of the photo',
						file: binary('photo'),
						...soon,
					},
				},
				{
					name: 'Speak',
					type: 'video',
					parameters: {
						operation: 'createAvatar',
						avatar_id: byId('={{ $json.id }}'),
						speechFrom: 'text',
						script: 'Hello there, this is a long enough text.',
						voice_id: byId('voice_001'),
						...soon,
					},
				},
			]),
		);
		const [avatar] = succeeded(speaks, 'Avatar');
		assert.equal(avatar?.json.status, 'completed');
		assert.deepEqual(avatar?.json.job, { kind: 'look', id: avatar?.json.id });
		const photo = bodies('/v3/avatars').find(({ name }) => name === 'Maria of the photo');
		assert.ok((await uploaded(photo?.file)).equals(media('thumbnail.jpg')), 'every byte');
		const [video] = succeeded(speaks, 'Speak');
		assert.equal(video?.json.status, 'completed');
		assert.ok(
			bodies('/v3/videos').some(({ avatar_id }) => avatar_id === avatar?.json.id),
			'the new look is the one that speaks',
		);

		const group = "={{ $('Twin').item.json.group_id }}";
		const agrees = await runDraft(
			context,
			chain('Digital twin', [
				start,
				download('Film', 'video', 'film'),
				{
					name: 'Twin',
					type,
					parameters: {
						resource: 'avatar',
						operation: 'createDigitalTwin',
						name: 'Twin of the film',
						file: binary('film'),
						...soon,
					},
				},
				{
					name: 'Page',
					type,
					parameters: {
						resource: 'avatar',
						operation: 'requestConsent',
						group_id: byId(group),
						consentBy: 'page',
						reroute_url: 'https://example.com/thanks',
					},
				},
				download('Film of Consent', 'video', 'film'),
				{
					name: 'Consent',
					type,
					parameters: {
						resource: 'avatar',
						operation: 'requestConsent',
						group_id: byId(group),
						consentBy: 'video',
						consent_video: binary('film'),
					},
				},
				{
					name: 'Looks',
					type,
					parameters: {
						resource: 'look',
						operation: 'createPack',
						reference_look_id: byId("={{ $('Twin').item.json.id }}"),
						...soon,
					},
				},
			]),
		);
		const [twin] = succeeded(agrees, 'Twin');
		assert.equal(twin?.json.status, 'pending_consent', 'rests until the person consents');
		const [page] = succeeded(agrees, 'Page');
		assert.match(String(page?.json.url), /^https:/);
		const [consent] = succeeded(agrees, 'Consent');
		assert.equal((consent?.json.avatar_group as IDataObject).status, 'completed');
		const handed = bodies(/\/consent$/).find(({ consent_video: film }) => film !== undefined);
		assert.ok((await uploaded(handed?.consent_video)).equals(media('video.mp4')), 'every byte');
		const looks = succeeded(agrees, 'Looks');
		assert.equal(looks.length, 3);
		assert.equal(new Set(looks.map(({ json }) => json.id)).size, 3);
		for (const { json } of looks) assert.equal(json.status, 'completed');

		const { results } = await n8n.listSearch({
			type,
			path: 'group_id',
			method: 'searchAvatarGroups',
			filter: 'twin of the film',
			parameters: { authentication: 'apiKey', resource: 'avatar', operation: 'get' },
			credentials: { videoGenApi: credential },
		});
		assert.deepEqual(
			results.map(({ name, value }) => [name, value]),
			[['Twin of the film (4 looks)', twin?.json.group_id]],
		);
	},
};
