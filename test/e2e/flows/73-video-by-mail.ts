import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { openFormOf, submitForm } from '../forms';
import { example, succeeded } from '../workflows';

interface Mail {
	to: string[];
	text: string;
}

/** A mail server that keeps what it is given. */
async function mailServer() {
	const mails: Mail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS', 'AUTH'],
		onData(stream, { envelope }, done) {
			text(stream).then((whole) => {
				mails.push({ to: envelope.rcptTo.map(({ address }) => address), text: whole });
				done();
			}, done);
		},
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	const { port } = server.server.address() as AddressInfo;
	const close = async () => await new Promise<void>((resolve) => server.close(() => resolve()));
	return { mails, port, close };
}

export const flow: Flow = {
	older: 'main',
	name: 'example 21: a form answers at once, and the video comes by mail when it is ready',
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		const { mails, port, close } = await mailServer();
		try {
			const smtp = await n8n.createCredential('smtp', 'Mail', {
				...{ host: '127.0.0.1', port, secure: false, disableStartTls: true },
				...{ user: '', password: '', hostName: '' },
			});
			const draft = withCredential(example('21-form-to-film-by-mail.json'), credential);
			for (const node of draft.nodes) {
				if (node.name === 'Mail the Film') node.credentials = { smtp };
			}
			const { id } = await n8n.createWorkflow(draft);
			await n8n.activate(id);
			control.holdJobs(true);
			const page = await openFormOf(n8n, draft);
			assert.match(page.text, /We will mail it to you/);
			// The form responds while the job is held: it does not wait for the video.
			const answer = await submitForm(page, {
				'Your Name': 'Ada',
				Email: 'ada@example.com',
				Topic: 'my garden in spring',
			});
			assert.match(answer, /Your film comes by mail|formSubmittedText|^\{/);
			const aside = await n8n.waitForExecution({ workflowId: id }, { until: ['waiting'] });
			assert.equal(mails.length, 0);

			control.holdJobs(false);
			const done = await n8n.waitForExecution({ id: aside.id }, { timeoutMs: 200_000 });
			succeeded(done, 'Mail the Film');
			const [mail, ...others] = mails;
			assert.deepEqual(others, []);
			assert.deepEqual(mail?.to, ['ada@example.com']);
			assert.match(mail.text, /^Subject: Your film is ready\r$/m);
			assert.match(mail.text, /Hello Ada,/);
			// Long lines of a mail are folded.
			const whole = mail.text.replaceAll('=\r\n', '').replaceAll('=3D', '=');
			const [address] = /http\S+/.exec(whole) ?? [];
			assert.equal((await fetch(String(address))).headers.get('content-type'), 'video/mp4');
			await n8n.deactivate(id);
		} finally {
			control.holdJobs(false);
			await close();
		}
	},
};
