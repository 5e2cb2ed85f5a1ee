/** Creating avatars and looks: waiting, consent, and responses of unknown shape. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, runNode } from '../support/engine';
import { useService } from '../support/service';

const service = useService({ pageSize: 2 });

const url = (value: string) => ({ __rl: true as const, mode: 'url', value });
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

test('a consent text with angle brackets is rejected before anything is sent', async () => {
	const parameters = consent({ options: { consent_text: 'I <b>agree</b>' } });
	const { error } = await runNode(service, 'VideoGenAvatar', parameters);
	expect(error?.message).toMatch(
		/^"Consent Text" must not contain angle brackets \(< or >\), but is "I <b>agree<\/b>"$/,
	);
	expect(service.control.requests()).toEqual([]);
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

	test('a digital twin waits for consent, and is completed by the consent video', async () => {
		const { items } = await runNode(service, 'VideoGenAvatar', {
			...photo({ operation: 'createDigitalTwin', file: url('https://files.example/me.mp4') }),
		});
		const [twin] = items.map(({ json }) => json);
		expect(twin).toMatchObject({ status: 'pending_consent', avatar_type: 'digital_twin' });
		const submitted = await runNode(
			service,
			'VideoGenAvatar',
			consent({
				...{ group_id: byId(twin?.group_id), consentBy: 'video' },
				consent_video: url('https://files.example/consent.mp4'),
			}),
		);
		expect(submitted.items[0]?.json).toMatchObject({
			url: null,
			avatar_group: { id: twin?.group_id, status: 'completed', consent_status: 'approved' },
		});
		const read = { resource: 'look', operation: 'get', look_id: byId(twin?.look_id) };
		const { items: looks } = await runNode(service, 'VideoGenAvatar', read);
		expect(looks[0]?.json.status).toBe('completed');
	});

	test('the node waits for all looks of a pack, and pairs each with its input item', async () => {
		const { items, error } = await runNode(service, 'VideoGenAvatar', pack(), {
			items: [{ json: {} }, { json: {} }],
		});
		expect(error).toBeUndefined();
		expect(new Set(items.map(({ json }) => json.look_id)).size).toBe(6);
		expect(items).toMatchObject(
			[0, 0, 0, 1, 1, 1].map((item, i) => ({
				pairedItem: { item },
				json: {
					...{ status: 'completed', group_id: 'group_private_001' },
					job: { kind: 'look', id: items[i]?.json.look_id },
				},
			})),
		);
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
		expect(error?.message).toContain('check with Get Many before you run the workflow again');
	});
});
