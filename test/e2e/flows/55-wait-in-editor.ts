import assert from 'node:assert/strict';
import { packageName, withCredential } from '../../../tools/stage';
import { inEditor, missingBrowser } from '../browser';
import { clicking } from '../clicks';
import type { Flow } from '../flow';
import { itemsOf, type WorkflowDraft } from '../n8n';
import { byId, chain, errorText, start, until } from '../workflows';

export const flow: Flow = {
	name: 'in the editor: a wait without its loop connection is suspended after one drag',
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const draft = chain('Wait by hand', [
			start,
			{
				name: 'Create',
				type: 'video',
				parameters: {
					...{ operation: 'createAvatar', avatar_id: byId('look_001_1'), speechFrom: 'text' },
					script: 'Hello there, this is a long enough text.',
					...{ voice_id: byId('voice_001'), waitForCompletion: false },
					options: { callBackHere: true },
				},
			},
			{
				name: 'Wait',
				type: `${packageName}.videoGenWait`,
				more: { webhookId: crypto.randomUUID() },
			},
		]);
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));
		const inPlace = await n8n.run(id);
		assert.equal(inPlace.status, 'success', errorText(inPlace));
		assert.equal(itemsOf(inPlace, 'Wait', 1)[0]?.json.status, 'completed');
		const [{ hints } = { hints: [] }] = inPlace.data.resultData.runData.Wait ?? [];
		assert.match(String(hints?.[0]?.message), /connect Still Running to the input/);
		simulator.control.holdJobs(true);
		try {
			await inEditor(context, async ({ openWorkflow, node, picture }) => {
				await openWorkflow(id);
				const wait = node('Wait');
				const labels = (await wait.innerText()).split('\n').map((line) => line.trim());
				assert.deepEqual(
					labels.filter((line) => ['Still Running', 'Finished'].includes(line)),
					['Still Running', 'Finished'],
				);
				await picture('wait-without-its-line');
				await clicking().drag(
					wait.locator('[data-handleid="outputs/main/0"]'),
					wait.locator('[data-handleid="inputs/main/0"]'),
				);
				await until('the line', async () => {
					const { connections } = await n8n.api<WorkflowDraft>('GET', `/workflows/${id}`);
					return connections.Wait?.main?.[0]?.[0]?.node === 'Wait';
				});
				await picture('wait-with-its-line');
			});

			const waiting = await n8n.run(id, { until: ['waiting'] });
			simulator.control.holdJobs(false);
			const done = await n8n.waitForExecution({ id: waiting.id }, { timeoutMs: 60_000 });
			assert.equal(done.status, 'success', errorText(done));
			const [video] = itemsOf(done, 'Wait', 1);
			assert.equal(video?.json.status, 'completed');
		} finally {
			simulator.control.holdJobs(false);
		}
	},
};
