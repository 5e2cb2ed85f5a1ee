import { audioInput, avatarVideo, useSimulator, videoInput } from './support';

const simulator = useSimulator({ jobSeconds: 10 });
const { call, rejection } = simulator;

test('the account shows the credit; a replay needs none', async () => {
	const balance = async () => (await call('GET /v3/users/me')).body.data.wallet.remaining_balance;
	expect(await balance()).toBe(100);
	const headers = { 'x-api-key': simulator.apiKey, 'idempotency-key': 'k' };
	const first = await call('POST /v3/videos', avatarVideo, headers);
	simulator.control.setWorkspace({ credit: 0 });
	expect(await balance()).toBe(0);
	expect((await call('POST /v3/videos', avatarVideo, headers)).body).toEqual(first.body);
	expect((await call('POST /v3/videos', avatarVideo)).body.error.code).toBe('insufficient_credit');
	simulator.control.reset();
	expect(await balance()).toBe(100);
});

const stockVoice = {
	...{ video: videoInput, output_languages: ['German'] },
	stock_voice_config: { use_stock_voice: true },
};

test.each([
	['POST /v3/videos', { ...avatarVideo, watermark: { image: videoInput } }, 'watermark'],
	['POST /v3/video-translations', stockVoice, 'stock_voice_config'],
	['POST /v3/avatars/group_private_004/consent', { consent_text: 'I agree' }, 'consent_text'],
])('%s has an option that needs the enterprise plan', async (line, body, param) => {
	expect((await call(line, body)).status).toBe(200);
	simulator.control.setWorkspace({ plan: 'pro' });
	expect(await rejection(line, body)).toEqual([402, 'plan_upgrade_required', param]);
});

test('4K needs a paid plan', async () => {
	const render = { project: { type: 'url', url: 'https://files.example/a.zip' }, resolution: '4k' };
	simulator.control.setWorkspace({ plan: 'pro' });
	expect((await call('POST /v3/hyperframes/renders', render)).status).toBe(202);
	simulator.control.setWorkspace({ plan: 'free' });
	const rejected = [402, 'plan_upgrade_required', 'resolution'];
	expect(await rejection('POST /v3/hyperframes/renders', render)).toEqual(rejected);
});

test('a voice can be retrained after 30 days', async () => {
	const body = { mode: 'professional', audio: [audioInput] };
	const made = await call('POST /v3/models/audio/voices', body);
	const { voice_id } = made.body.data;
	const train = async (afterSeconds: number) => {
		simulator.control.clock.advance(afterSeconds);
		return (await call('POST /v3/models/audio/voices', { ...body, voice_id })).status;
	};
	for (let training = 2; training <= 5; training += 1) expect(await train(11)).toBe(202);
	expect(await train(11)).toBe(400);
	expect(await train(30 * 24 * 3600)).toBe(202);
});

test('files stay within the folder tree of their encryption key', async () => {
	const file = { filename: 'a.mp4', content_type: 'video/mp4', size_bytes: 4 };
	const { asset_id } = (await call('POST /v3/assets/direct-uploads', file)).body.data;
	const { folder_id } = (await call('POST /v3/folders', { name: 'Safe' })).body.data;
	simulator.control.change('folders', folder_id, { customerKey: true });
	simulator.control.change('assets', asset_id, { status: 'ready', folderId: folder_id });
	const dub = { video: { type: 'asset_id', asset_id }, audio: audioInput };
	const into = (folder?: string) => rejection('POST /v3/lipsyncs', { ...dub, folder_id: folder });
	const rejected = [409, 'encryption_cross_tree_transfer', 'folder_id'];
	expect(await into(folder_id)).toEqual([200, undefined, undefined]);
	expect(await into()).toEqual(rejected);
	expect(await into('folder_001')).toEqual(rejected);
	const child = await call('POST /v3/folders', { name: 'In it', parent_id: folder_id });
	expect(await into(child.body.data.folder_id)).toEqual([200, undefined, undefined]);
});

test('workspace and rows can be changed over HTTP', async () => {
	const control = (line: string, body: unknown) => call(line.replace(' ', ' /_control/'), body, {});
	const create = async () => (await rejection('POST /v3/videos', avatarVideo)).slice(0, 2);
	await control('POST workspace', { phoneVerified: false });
	expect(await create()).toEqual([403, 'phone_verification_required']);
	await control('POST workspace', { phoneVerified: true });
	await control('POST rows/looks/look_001_1', { expired: true });
	expect(await create()).toEqual([400, 'avatar_expired']);
	expect((await control('POST rows/looks/gone', { expired: true })).status).toBe(400);
	expect((await control('POST rows/nothing/gone', {})).status).toBe(400);
	await control('POST reset', {});
	expect(await create()).toEqual([200, undefined]);
});
