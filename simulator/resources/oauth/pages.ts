/** The consent and error pages of the OAuth flow. */
import type { FastifyReply } from 'fastify';
import { defaultScope, type Fields } from './requests';

const escapeHtml = (text: string) =>
	text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

function sendPage(reply: FastifyReply, status: number, title: string, content: string) {
	return reply
		.status(status)
		.headers({
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'content-security-policy':
				"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
		})
		.send(
			`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
				'<style>body{font:16px/1.5 sans-serif;max-width:30rem;margin:4rem auto;padding:0 1rem}' +
				'button{font:inherit;padding:.4rem 1.2rem;margin-right:.5rem}</style></head>' +
				`<body><h1>${escapeHtml(title)}</h1>${content}</body></html>`,
		);
}

export const sendErrorPage = (reply: FastifyReply, problem: string) =>
	sendPage(reply, 400, 'This link does not work', `<p>${escapeHtml(problem)}</p>`);

const forwardedFields = [
	'response_type',
	'client_id',
	'redirect_uri',
	'scope',
	'state',
	'code_challenge',
	'code_challenge_method',
];

export function sendConsentPage(reply: FastifyReply, fields: Fields) {
	const hidden = forwardedFields
		.map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(fields[name] ?? '')}">`)
		.join('');
	const scopes = (fields.scope ?? defaultScope)
		.split(' ')
		.map((scope) => `<li>${escapeHtml(scope)}</li>`)
		.join('');
	return sendPage(
		reply,
		200,
		'Allow access?',
		`<p><strong>${escapeHtml(fields.client_id ?? '')}</strong> asks for access to your account:</p>` +
			`<ul>${scopes}</ul><form method="post" action="/oauth/authorize">${hidden}` +
			'<button name="decision" value="allow">Allow</button>' +
			'<button name="decision" value="deny">Deny</button></form>',
	);
}

export function redirectBack(reply: FastifyReply, redirectUri: string, result: Fields) {
	const target = new URL(redirectUri);
	for (const [name, value] of Object.entries(result)) target.searchParams.append(name, value);
	// 303 makes the browser follow with GET, even after a POST.
	return reply.status(303).headers({ location: target.href, 'cache-control': 'no-store' }).send();
}
