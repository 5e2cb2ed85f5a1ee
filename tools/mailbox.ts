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

const renderMail = ({ from, to, subject, text }: Mail) => `
<article>
<h2>${escapeHtml(subject)}</h2>
<p>From ${escapeHtml(from)} to ${escapeHtml(to.join(', '))}</p>
<pre>${escapeHtml(text).replace(/https?:[^\s<]+/g, '<a href="$&">$&</a>')}</pre>
</article>`;

const renderPage = (mails: Mail[]) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<title>Mailbox of the demo</title>
<style>
	body { font: 16px/1.5 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em }
	pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
	article { border-top: 1px solid #ccc }
</style>
<h1>Mailbox of the demo</h1>
<p>Every mail that a workflow of the demo sends arrives here, and goes nowhere else.</p>
${[...mails].reverse().map(renderMail).join('') || '<p>No mail yet.</p>'}
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
				const { from, subject = '', text = '' } = await PostalMime.parse(await readAll(stream));
				const mail = {
					from: from?.address ?? '',
					to: envelope.rcptTo.map(({ address }) => address),
					subject,
					text,
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
