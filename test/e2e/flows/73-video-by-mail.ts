import assert from 'node:assert/strict';
import { startMailbox } from '../../../tools/mailbox';
import { withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { openFormOf, submitForm } from '../forms';
import { example, succeeded } from '../workflows';

export const flow: Flow = {
	name: 'example 21: a form answers at once, and the video is emailed when it is ready',
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		const { mails, url, credential: account, close } = await startMailbox();
		try {
			const smtp = await n8n.createCredential('smtp', 'Mail', account);
			const draft = withCredential(example('21-form-to-video-by-mail.json'), credential);
			for (const node of draft.nodes) {
				if (node.name === 'Mail the Video') node.credentials = { smtp };
			}
			const { id } = await n8n.createWorkflow(draft);
			await n8n.activate(id);
			control.holdJobs(true);
			const form = await openFormOf(n8n, draft);
			assert.match(form.text, /We will mail you the video/);
			// The form responds while the job is held: it does not wait for the video.
			const answer = await submitForm(form, {
				'Your Name': 'Ada',
				Email: 'ada@example.com',
				Topic: 'my garden in spring',
			});
			assert.match(answer, /Your video comes by email|formSubmittedText|^\{/);
			const aside = await n8n.waitForExecution({ workflowId: id }, { until: ['waiting'] });
			assert.equal(mails.length, 0);

			control.holdJobs(false);
			const done = await n8n.waitForExecution({ id: aside.id }, { timeoutMs: 200_000 });
			succeeded(done, 'Mail the Video');
			const [mail, ...others] = mails;
			assert.deepEqual(others, []);
			assert.deepEqual(mail?.to, ['ada@example.com']);
			assert.equal(mail.subject, 'Your video is ready');
			assert.match(mail.text, /Hello Ada,/);
			const [address] = /http\S+/.exec(mail.text) ?? [];
			const page = await (await fetch(url)).text();
			assert.ok(page.includes('Your video is ready') && page.includes('Hello Ada,'), page);
			assert.equal((await fetch(String(address))).headers.get('content-type'), 'video/mp4');
			await n8n.deactivate(id);
		} finally {
			control.holdJobs(false);
			await close();
		}
	},
};
