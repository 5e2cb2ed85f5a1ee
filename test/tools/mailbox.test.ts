/** The mailbox of the demo shows HTML mails without their scripts, and offers their attachments. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { startMailbox, type Mailbox } from '../../tools/mailbox';

let mailbox: Mailbox;
beforeEach(async () => void (mailbox = await startMailbox()));
afterEach(async () => await mailbox.close());

/** Sends a mail with these parts to the mailbox, and returns its page. */
async function send(...parts: string[]): Promise<string> {
	const lines = [
		...['From: ada@example.com', 'Subject: Ready', 'MIME-Version: 1.0'],
		...['Content-Type: multipart/mixed; boundary=b', ''],
		...parts.flatMap((part) => ['--b', part]),
		...['--b--', '.'],
	];
	const socket = connect(Number(mailbox.credential.port), '127.0.0.1');
	const envelope = ['HELO demo', 'MAIL FROM:<ada@example.com>', 'RCPT TO:<bob@example.com>'];
	for (const command of [...envelope, 'DATA', lines.join('\r\n'), 'QUIT']) {
		await once(socket, 'data');
		socket.write(`${command}\r\n`);
	}
	await once(socket.resume(), 'close');
	return await (await fetch(mailbox.url)).text();
}

const html = 'Content-Type: text/html\r\n\r\n<b class="x">Hello</b><script>alert(1)</script>';

test('an HTML mail is shown in a frame without scripts', async () => {
	const page = await send(html);
	expect(page).toContain('srcdoc="&#60;base target=&#34;_blank&#34;&#62;&#60;b class=&#34;x&#34;');
	const [, sandbox = ''] = /<iframe sandbox="([^"]*)"/.exec(page) ?? [];
	expect(sandbox.split(' ')).toEqual(['allow-popups', 'allow-popups-to-escape-sandbox']);
	expect(page).not.toContain('<script');
});

test('a mail without HTML is shown as text', async () => {
	const page = await send('Content-Type: text/plain\r\n\r\nSee https://a.example/v <b>');
	expect(page).toContain('<a href="https://a.example/v">https://a.example/v</a> &#60;b&#62;');
	expect(page).not.toContain('<iframe');
});

test('attachments are links that download them', async () => {
	const file =
		'Content-Type: text/html; name="a<b>.html"\r\nContent-Disposition: attachment; filename="a<b>.html"\r\n\r\n<script></script>';
	const page = await send(html, file);
	expect(page).toContain('<a href="/mails/0/0">a&#60;b&#62;.html</a>');
	const reply = await fetch(`${mailbox.url}/mails/0/0`);
	expect(reply.headers.get('content-disposition')).toMatch(/^attachment; .*a%3Cb%3E\.html$/);
	expect((await reply.text()).trim()).toBe('<script></script>');
	for (const missing of ['/mails/0/1', '/mails/1/0'])
		expect((await fetch(mailbox.url + missing)).status).toBe(404);
});
