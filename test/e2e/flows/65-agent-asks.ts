import assert from 'node:assert/strict';
import type { Flow } from '../flow';
import { toLocalUrl, openForm, openFormOf, submitForm } from '../forms';
import { example, media, succeeded, until, whilePublished } from '../workflows';

export const flow: Flow = {
	name: 'example 12: what the agent asks is the next page of the form, and the last page gives the video',
	run: async (context) => {
		const { n8n, simulator } = context;
		const draft = example('12-agent-asks-person-answers.json');
		await whilePublished(context, draft, async (workflowId) => {
			// The simulator's agent asks when a prompt ends so.
			const said = await submitForm(await openFormOf(n8n, draft), {
				'What the video is about': 'A video about bread. Long or short?',
			});
			// n8n's page polls this URL until a next page exists.
			const { formWaitingUrl } = JSON.parse(said) as { formWaitingUrl: string };
			const next = toLocalUrl(n8n, formWaitingUrl);
			const pageOf = async (node: string) =>
				await until(
					`the page of ${node}`,
					async () => {
						const [summary] = await n8n.executions({ workflowId });
						if (summary?.status !== 'waiting') return false;
						const { lastNodeExecuted } = (await n8n.execution(summary.id)).data.resultData;
						return lastNodeExecuted === node && (await openForm(next));
					},
					60_000,
				);

			const question = await pageOf('Ask the Person');
			assert.ok(question.text.includes('Should I render this storyboard?'));
			await submitForm(question, { 'Your answer': 'Short, please' });

			const last = await pageOf('Show the Video');
			assert.ok(last.text.includes('Your video is ready'));
			// The page saves the files that it holds.
			const [, held = ''] = /const binaries = "([^"]*)"/.exec(last.text) ?? [];
			const [video, ...more] = JSON.parse(decodeURIComponent(held)) as Array<{
				type: string;
				data: { data: number[] };
			}>;
			assert.deepEqual(more, []);
			assert.equal(video?.type, 'video/mp4');
			assert.ok(Buffer.from(video.data.data).equals(media('video.mp4')), 'every byte of the video');
			// The page sends itself off once it is shown.
			await submitForm(last, {});
			const execution = await n8n.waitForExecution({ workflowId });
			const [answered] = succeeded(execution, 'Answer the Agent');
			assert.equal(answered?.json.status, 'completed');
		});
		const [message] = simulator.control
			.requests({ method: 'POST', path: /^\/v3\/video-agents\/[^/]+$/ })
			.slice(-1);
		assert.equal((message?.body as { message?: string }).message, 'Short, please');
	},
};
