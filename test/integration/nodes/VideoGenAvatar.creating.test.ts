/** Creating avatars and looks: waiting, consent, and responses of unknown shape. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { request } from 'undici';
import { byId, runNode, storeBinary } from '../support/engine';
import { media } from '../support/media';
import { useService } from '../support/service';

const service = useService({ pageSize: 2 });

const url = (value: string) => ({ __rl: true as const, mode: 'url', value });
const binary = (value: string) => ({ __rl: true as const, mode: 'binary', value });
const soon = { waitForCompletion: true, options: { pollInterval: 1 } };

const prompt = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'avatar',
	operation: 'createFromPrompt',
	name: 'Baker',
	prompt: 'A baker',
	waitForCompletion: false,
	...more,
});

const photo = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'avatar',
	operation: 'createFromPhoto',
	name: 'Maria',
	file: url('https://files.example/maria.png'),
	...soon,
	...more,
});

const pack = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'look',
	operation: 'createPack',
	reference_look_id: byId('look_private_001'),
	...soon,
	...more,
});

const consent = (more: INodeParameters = {}): INodeParameters => ({
	resource: 'avatar',
	operation: 'requestConsent',
	group_id: byId('group_private_004'),
	consentBy: 'page',
	...more,
});

/** Makes the next create request return this response without creating an avatar. */
const respond = (line: string, data: unknown) =>
	service.control.fail({
		method: 'POST',
		path: line,
		times: 1,
		status: 200,
		body: { data } as IDataObject,
	});

describe('rejected before anything is sent', () => {
	const wrong: Array<[string, INodeParameters, RegExp]> = [
		[
			'a prompt of 1,001 characters',
			prompt({ prompt: 'x'.repeat(1001) }),
			/^"Prompt" must have at most 1,000 characters, but has 1,001$/,
		],
		['no name', prompt({ name: '={{ "" }}' }), /^"Name" is required$/],
		[
			'four reference images',
			prompt({
				options: {
					reference_images: {
						entry: Array.from({ length: 4 }, () => ({ image: url('https://files.example/a.png') })),
					},
				},
			}),
			/^"Reference Images" must have at most 3 entries, but has 4$/,
		],
		[
			'an invalid aspect ratio',
			prompt({ options: { aspect_ratio: '2:1' } }),
			/^"Aspect Ratio" must be one of 16:9, 9:16, 1:1, 4:5, 5:4, auto, but is "2:1"$/,
		],
		[
			'a photo without a valid URL',
			photo({ file: url('maria.png') }),
			/^"Photo → url" must be a full URL /,
		],
		[
			'a consent text with angle brackets',
			consent({ options: { consent_text: 'I <b>agree</b>' } }),
			/^"Consent Text" must not contain angle brackets \(< or >\), but is "I <b>agree<\/b>"$/,
		],
		[
			'a consent text of 1,001 characters',
			consent({ options: { consent_text: 'x'.repeat(1001) } }),
			/^"Consent Text" must have at most 1,000 characters, but has 1,001$/,
		],
		[
			'consent by video without a video',
			consent({ consentBy: 'video', consent_video: url('={{ "" }}') }),
			/^"Consent Video" is required$/,
		],
		[
			'a look name of 256 characters',
			{
				resource: 'look',
				operation: 'update',
				look_id: byId('look_private_001'),
				name: 'x'.repeat(256),
			},
			/^"New Name" must have at most 255 characters, but has 256$/,
		],
	];

	test.each(wrong)('%s', async (_, parameters, message) => {
		const { error } = await runNode(service, 'VideoGenAvatar', parameters);
		expect(error?.message).toMatch(message);
		expect(error?.description).toContain('Nothing was sent');
		expect(service.control.requests()).toHaveLength(0);
	});
});

describe('waiting', () => {
	test('a photo avatar has the same fields as without waiting', async () => {
		const { items, error } = await runNode(service, 'VideoGenAvatar', photo());
		expect(error).toBeUndefined();
		const id = String(items[0]?.json.look_id);
		expect(items).toMatchObject([
			{ json: { status: 'completed', name: 'Maria', job: { kind: 'look', id } } },
		]);
		expect(service.control.requests({ path: `/v3/avatars/looks/${id}` }).length).toBeGreaterThan(0);
		const later = await runNode(service, 'VideoGenAvatar', photo({ waitForCompletion: false }));
		expect(Object.keys(later.items[0]?.json ?? {}).sort()).toEqual(
			Object.keys(items[0]?.json ?? {}).sort(),
		);
	});

	test('a failed avatar is an error with the look and the reason', async () => {
		service.control.failNext('avatar', {
			code: 'image_processing_failed',
			message: 'No face was found',
		});
		const { error } = await runNode(service, 'VideoGenAvatar', photo());
		expect(error?.message).toBe('The look failed: No face was found');
		expect(error?.description).toMatch(/look look_\w+ \(code: image_processing_failed\)/);
		expect(error?.context?.details).toMatchObject({ job: { kind: 'look' }, status: 'failed' });
	});

	test('a digital twin waits for consent, and is completed by the consent video', async () => {
		const video = Buffer.from('the video of a person');
		const { items, error } = await runNode(
			service,
			'VideoGenAvatar',
			{
				resource: 'avatar',
				operation: 'createDigitalTwin',
				name: 'Me',
				file: binary('data'),
				...soon,
			},
			{
				items: [{ json: {}, binary: { data: await storeBinary(video, 'me.mp4', 'video/mp4') } }],
			},
		);
		expect(error).toBeUndefined();
		const [twin] = items.map(({ json }) => json);
		expect(twin).toMatchObject({ status: 'pending_consent', avatar_type: 'digital_twin' });

		const group = String(twin?.group_id);
		const agreed = Buffer.from('I agree to my twin');
		const submitted = await runNode(
			service,
			'VideoGenAvatar',
			consent({
				group_id: byId(group),
				consentBy: 'video',
				consent_video: binary('consent'),
			}),
			{
				items: [
					{ json: {}, binary: { consent: await storeBinary(agreed, 'consent.mp4', 'video/mp4') } },
				],
			},
		);
		expect(submitted.error).toBeUndefined();
		expect(submitted.items[0]?.json).toMatchObject({
			url: null,
			avatar_group: { id: group, status: 'completed', consent_status: 'approved' },
		});
		const read = await runNode(service, 'VideoGenAvatar', {
			resource: 'look',
			operation: 'get',
			look_id: byId(String(twin?.look_id)),
		});
		expect(read.items[0]?.json.status).toBe('completed');

		// The service has both videos, byte for byte.
		const sent = [
			...service.control.requests({ method: 'POST', path: '/v3/avatars' }),
			...service.control.requests({ method: 'POST', path: /\/consent$/ }),
		].map(({ body }) => body as IDataObject);
		const assets = [sent[0]?.file, sent[1]?.consent_video] as IDataObject[];
		const contents = await Promise.all(
			assets.map(async ({ type, asset_id }) => {
				expect(type).toBe('asset_id');
				const { body } = await request(`${service.baseUrl}/public/${String(asset_id)}/file`);
				return Buffer.from(await body.arrayBuffer());
			}),
		);
		expect(contents).toEqual([video, agreed]);
	});

	test('the node waits for all looks of a pack, and pairs each with its input item', async () => {
		const { items, error } = await runNode(service, 'VideoGenAvatar', pack(), {
			items: [{ json: {} }, { json: {} }],
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(6);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1, 1].map((item) => ({ item })),
		);
		expect(new Set(items.map(({ json }) => json.look_id)).size).toBe(6);
		for (const { json } of items) {
			expect(json).toMatchObject({
				status: 'completed',
				group_id: 'group_private_001',
				job: { kind: 'look', id: json.look_id },
			});
		}
	});

	test('when one look of a pack fails, the error names all of them', async () => {
		service.control.failNext('avatar', { code: 'generation_failed', message: 'No hands' });
		const { error } = await runNode(service, 'VideoGenAvatar', pack());
		expect(error?.message).toContain('The look failed: No hands');
		const [create] = service.control.requests({ method: 'POST', path: '/v3/avatars/looks' });
		expect(create).toBeDefined();
		expect(error?.context?.details).toMatchObject({
			jobs: Array.from({ length: 3 }, () => ({ kind: 'look', id: expect.any(String) })),
		});
	});
});

describe('responses of unknown shape', () => {
	test.each<[string, unknown, string[]]>([
		['look_ids', { group_id: 'g', look_ids: ['a', 'b'] }, ['a', 'b']],
		['looks with an id', { group_id: 'g', looks: [{ id: 'a' }, { id: 'b' }] }, ['a', 'b']],
		['looks with a look_id', { looks: [{ look_id: 'a', id: 'x' }] }, ['a']],
		['ids', { group_id: 'g', ids: ['a', 'b', 'a'] }, ['a', 'b']],
		['another key', { group_id: 'g', avatar_items: [{ id: 'a' }] }, ['a']],
		['other lists too', { tags: [], avatar_ids: ['a'] }, ['a']],
		['a single look', { group_id: 'g', look_id: 'a' }, ['a']],
		['a bare list', [{ id: 'a' }, { id: 'b' }], ['a', 'b']],
	])('looks are found in %s', async (_, data, ids) => {
		respond('/v3/avatars/looks', data);
		const { items, error } = await runNode(
			service,
			'VideoGenAvatar',
			pack({ waitForCompletion: false }),
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.job)).toEqual(ids.map((id) => ({ kind: 'look', id })));
	});

	test.each<[string, unknown, IDataObject]>([
		[
			'only the avatar',
			{ avatar_item: null, avatar_group: { id: 'g' } },
			{ kind: 'avatar_group', id: 'g' },
		],
		['only the id of the avatar', { group_id: 'g' }, { kind: 'avatar_group', id: 'g' }],
		['the look without a wrapper', { id: 'a', group_id: 'g' }, { kind: 'look', id: 'a' }],
	])('a new avatar is found in %s', async (_, data, job) => {
		respond('/v3/avatars', data);
		const { items, error } = await runNode(service, 'VideoGenAvatar', prompt());
		expect(error).toBeUndefined();
		expect(items[0]?.json.job).toEqual(job);
	});

	test('without a look, the node waits for the avatar', async () => {
		respond('/v3/avatars', { avatar_item: null, avatar_group: { id: 'group_private_004' } });
		const { items } = await runNode(service, 'VideoGenAvatar', photo());
		expect(items[0]?.json).toMatchObject({
			group_id: 'group_private_004',
			status: 'pending_consent',
			job: { kind: 'avatar_group' },
		});
	});

	test.each([
		['/v3/avatars', photo(), 'avatar'],
		['/v3/avatars/looks', pack(), 'look'],
	])('a response of %s without an ID is an error', async (line, parameters, what) => {
		respond(line, { ok: true });
		const { error } = await runNode(service, 'VideoGenAvatar', parameters);
		expect(error?.message).toContain(`returned no ${what} ID`);
		expect(error?.message).toContain('check Get Many before you run again');
	});
});

test('a picture of the item becomes the reference image, byte for byte', async () => {
	const picture = media('thumbnail.jpg');
	const { items, error } = await runNode(
		service,
		'VideoGenAvatar',
		prompt({
			options: { reference_images: { entry: [{ image: binary('data') }] } },
		}),
		{ items: [{ json: {}, binary: { data: await storeBinary(picture, 'me.jpg', 'image/jpeg') } }] },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	const [create] = service.control.requests({ method: 'POST', path: '/v3/avatars' });
	const [input] = (create?.body as { reference_images: IDataObject[] }).reference_images;
	const { body } = await request(`${service.baseUrl}/public/${String(input?.asset_id)}/file`);
	expect(Buffer.from(await body.arrayBuffer()).equals(picture)).toBe(true);
});
