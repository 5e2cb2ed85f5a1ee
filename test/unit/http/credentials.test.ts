/** The account that a credential gives access to. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { parseBaseUrl, readAccount } from '../../../nodes/core/http/credentials';

/** The account of a node with this credential. */
async function accountOf(
	saved: IDataObject,
	authentication = 'apiKey',
	credentials: INode['credentials'] = { videoGenApi: { id: '7', name: 'Key' } },
) {
	const node = { credentials } as INode;
	return await readAccount({
		getNode: () => node,
		getInputData: () => [],
		getNodeParameter: () => authentication,
		getCredentials: async () => await Promise.resolve({ baseUrl: 'https://a.example', ...saved }),
	} as unknown as IExecuteFunctions);
}

test('every secret of the credential is removed, in upper and lower case', async () => {
	const { removeSecrets } = await accountOf(
		{
			apiKey: 'Key+of(a).user',
			clientSecret: 'client-secret',
			oauthTokenData: { access_token: 'access-token', refresh_token: 'refresh-token' },
		},
		'oAuth2',
	);
	expect(removeSecrets('a key+of(a).user, client-secret, ACCESS-TOKEN and refresh-token.')).toBe(
		'a ***, ***, *** and ***.',
	);
	expect(removeSecrets('keyyof(a)xuser')).toBe('keyyof(a)xuser');
});

test.each([
	['alone', (key: string) => key],
	['after one byte', (key: string) => `a${key}b`],
	['after two bytes', (key: string) => `ab${key}`],
	['in a header', (key: string) => `Basic user:${key}\n`],
])('a secret in Base64 is removed: %s', async (_, embed) => {
	const apiKey = 'sk_live?>~~ÿÿ?>0123456789';
	const { removeSecrets, removeEchoedSecrets } = await accountOf({ apiKey });
	const bytes = Buffer.from(embed(apiKey));
	const inJson = bytes.toString('base64').replace(/\//g, '\\/');
	for (const text of [bytes.toString('base64'), bytes.toString('base64url'), inJson]) {
		for (const masked of [removeSecrets(text), removeEchoedSecrets(text)]) {
			expect(masked).toContain('***');
			expect(Buffer.from(masked, 'base64').toString()).not.toMatch(/live|0123/);
		}
	}
	expect(removeSecrets(Buffer.from('sk_live?>~~another').toString('base64'))).not.toContain('*');
});

test('only a secret of 16 characters or more is removed from whole responses', async () => {
	const short = await accountOf({ apiKey: 'fifteen-letters' });
	expect(short.removeEchoedSecrets('fifteen-letters')).toBe('fifteen-letters');
	const long = await accountOf({ apiKey: 'sixteen-letters!' });
	expect(long.removeEchoedSecrets('{"a":"sixteen-letters!"}')).toBe('{"a":"***"}');
});

test('a text of five characters is not taken for a secret, one of six is', async () => {
	const short = await accountOf({ apiKey: 'video' });
	expect(short.removeSecrets('The video failed')).toBe('The video failed');
	const { removeSecrets } = await accountOf({ apiKey: 'secret' });
	expect(removeSecrets('The secret failed')).toBe('The *** failed');
});

test('a credential without a secret changes no text', async () => {
	const { removeSecrets } = await accountOf({});
	expect(removeSecrets('The video failed')).toBe('The video failed');
});

test('the name of an account has no secret, and differs by credential', async () => {
	const { name } = await accountOf({ apiKey: 'key-of-the-test' });
	expect(name).toBe('https://a.example videoGenApi 7');
	expect((await accountOf({}, 'apiKey', {})).name).toBe('https://a.example videoGenApi ');
});

test('the type of the credential is the one that the node selects', async () => {
	const type = 'videoGenApi';
	expect(await accountOf({})).toMatchObject({ credentialType: type, isOAuth: false });
	const connected = await accountOf({ oauthTokenData: { access_token: 'a' } }, 'oAuth2');
	expect(connected).toMatchObject({ credentialType: 'videoGenOAuth2Api', isOAuth: true });
});

test('a credential without a Base URL or a connected account is an error', async () => {
	await expect(accountOf({ baseUrl: 'a.example' })).rejects.toThrow(
		'The credential has no valid Base URL',
	);
	await expect(accountOf({}, 'oAuth2')).rejects.toThrow('The account is not connected yet');
});

const longest = `https://a.example/${'x'.repeat(2_030)}`;

test.each([
	['https://a.example', 'https://a.example'],
	[' http://a.example/ ', 'http://a.example'],
	['https://a.example/api//V3/', 'https://a.example/api'],
	['https://v3', 'https://v3'],
	[longest, longest],
	[`${longest}x`, undefined],
	['ftp://a.example', undefined],
	['https://', undefined],
	['https://a b', undefined],
	[undefined, undefined],
	[{ toString: 1, valueOf: 1 }, undefined],
])('the Base URL %j is read as %j', (entered, url) => {
	expect(parseBaseUrl(entered)).toBe(url);
});
