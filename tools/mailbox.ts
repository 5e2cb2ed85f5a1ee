/** Starts a mail server on this machine that delivers nothing, but shows each mail on a page. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface Mail {
	from: string;
	to: string[];
	subject: string;
	text: string;
	html?: string;
	attachments: Array<{ name: string; type: string; content: Buffer }>;
}

export interface Mailbox {
	/** Received mails, oldest first. */
	mails: Mail[];
	/** Data of an n8n credential of type `smtp`. */
	credential: Record<string, unknown>;
	/** The page with the mails. */
	url: string;
	close(): Promise<void>;
}

const escapeHtml = (text: string) =>
	text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Renders an HTML mail in a frame that runs no scripts. Its links open in a new tab. */
const renderHtml = (html: string) =>
	`<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(`<base target="_blank">${html}`)}"></iframe>`;

const renderText = (text: string) =>
	`<pre>${escapeHtml(text).replace(/https?:[^\s<]+/g, '<a href="$&">$&</a>')}</pre>`;

const renderMail = ({ from, to, subject, text, html, attachments }: Mail, number: number) => `
<article>
<h2>${escapeHtml(subject)}</h2>
<p>From ${escapeHtml(from)} to ${escapeHtml(to.join(', '))}</p>
${html === undefined ? renderText(text) : renderHtml(html)}
${attachments
	.map(({ name }, i) => `<p><a href="/mails/${number}/${i}">${escapeHtml(name)}</a></p>`)
	.join('')}
</article>`;

const renderPage = (mails: Mail[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<title>Mailbox of the demo</title>
<style>
	body { font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em }
	pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
	iframe { border: 0; width: 100%; height: 25em }
	article { border-top: 1px solid #ccc }
</style>
<h1>Mailbox of the demo</h1>
<p>Every mail that a workflow of the demo sends arrives here, and goes nowhere else.</p>
${mails.map(renderMail).reverse().join('') || '<p>No mail yet.</p>'}
</html>`;

/** @param options.onMail called for every mail that arrives */
export async function startMailbox({
	onMail,
}: { onMail?: (mail: Mail) => void } = {}): Promise<Mailbox> {
	const mails: Mail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS', 'AUTH'],
		onData(stream, { envelope }, done) {
			const receive = async () => {
				const parsed = await PostalMime.parse(await readAll(stream));
				const { from, subject = '', text = '', html } = parsed;
				const mail = {
					from: from?.address ?? '',
					to: envelope.rcptTo.map(({ address }) => address),
					subject,
					text,
					html,
					attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
						name: filename ?? 'attachment',
						type: mimeType,
						content: Buffer.from(content as ArrayBuffer),
					})),
				};
				mails.push(mail);
				onMail?.(mail);
			};
			receive().then(() => done(), done);
		},
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	const { port } = server.server.address() as AddressInfo;

	const app = fastify({ forceCloseConnections: true });
	app.get('/', async (_request, reply) => reply.type('text/html').send(renderPage(mails)));
	app.get<{ Params: { mail: number; attachment: number } }>(
		'/mails/:mail/:attachment',
		async ({ params }, reply) => {
			const file = mails[params.mail]?.attachments[params.attachment];
			if (!file) return await reply.code(404).send();
			// As a download, because a page from a mail must not run scripts.
			const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`;
			return await reply
				.headers({ 'content-type': file.type, 'content-disposition': disposition })
				.send(file.content);
		},
	);
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	return {
		mails,
		credential: {
			...{ host: '127.0.0.1', port, secure: false, disableStartTls: true },
			...{ user: '', password: '', hostName: '' },
		},
		url,
		close: async () => {
			await new Promise<void>((resolve) => server.close(() => resolve()));
			await app.close();
		},
	};
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
	const pieces: Buffer[] = [];
	for await (const piece of stream) pieces.push(piece);
	return Buffer.concat(pieces);
}
