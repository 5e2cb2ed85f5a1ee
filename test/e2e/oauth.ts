/** Saves OAuth credentials, and connects them to an account of the simulator. */
import assert from 'node:assert/strict';
import { request } from 'undici';
import type { Stage } from '../../tools/stage';
import type { Reference } from './n8n';

export const accountType = 'videoGenOAuth2Api';

/** Saves an OAuth credential that is not connected yet. */
export const saveAccount = async (
	{ n8n, simulator: { baseUrl } }: Stage,
	name: string,
	client: object,
) =>
	await n8n.createCredential(accountType, name, {
		baseUrl,
		authUrl: `${baseUrl}/oauth/authorize`,
		accessTokenUrl: `${baseUrl}/oauth/token`,
		scopes: 'openid profile email',
		...client,
	});

/** Presses "Connect my account" in the credential, answers the service, and comes back to n8n. */
export async function connectAccount(
	{ n8n, simulator }: Stage,
	{ id }: Reference,
	decision: 'allow' | 'deny' = 'allow',
) {
	const asked = new URL(await n8n.api<string>('GET', `/oauth2-credential/auth?id=${id}`));
	assert.equal(asked.origin + asked.pathname, `${simulator.baseUrl}/oauth/authorize`);
	assert.equal(asked.searchParams.get('scope'), 'openid profile email');
	assert.equal(asked.searchParams.get('code_challenge_method'), 'S256', 'n8n uses PKCE');
	const consent = await request(asked);
	const html = await consent.body.text();
	assert.equal(consent.statusCode, 200, html);

	// The form as a browser sends it.
	const form = new URLSearchParams({ decision });
	const values = /name="(\w+)" value="([^"]*)"/g;
	for (const [, name = '', value = ''] of html.matchAll(values)) {
		if (name === 'decision') continue;
		form.set(
			name,
			value.replace(/&#(\d+);/g, (_, sign: string) => String.fromCodePoint(Number(sign))),
		);
	}
	const answer = await request(`${simulator.baseUrl}/oauth/authorize`, {
		method: 'POST',
		headers: { 'content-type': 'application/x-www-form-urlencoded' },
		body: form.toString(),
	});
	await answer.body.dump();
	const back = new URL(String(answer.headers.location));
	assert.equal(back.origin + back.pathname, `${n8n.editorUrl}/rest/oauth2-credential/callback`);
	const { status, text } = await n8n.fetchAs(back.pathname + back.search);
	assert.equal(status, 200, text);
	return { challenge: asked.searchParams.get('code_challenge'), page: text };
}
