import { withCredential } from '../../../tools/stage';
import { inEditor, missingBrowser } from '../browser';
import { clicking } from '../clicks';
import type { Flow } from '../flow';
import { byId, chain, start, until } from '../workflows';

export const flow: Flow = {
	name: 'in the editor: a node that waits shows what it waits for, and later what it cost',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const draft = chain('Wait in the node', [
			start,
			{
				name: 'Create',
				type: 'video',
				parameters: {
					...{ operation: 'createAvatar', avatar_id: byId('look_001_1'), speechFrom: 'text' },
					script: 'Hello there, this is a long enough text.',
					...{ voice_id: byId('voice_001'), waitForCompletion: true },
					options: { reportCost: true },
				},
			},
			{ name: 'Next', type: 'n8n-nodes-base.noOp' },
		]);
		const { id } = await n8n.createWorkflow(withCredential(draft, credential));
		simulator.control.holdJobs(true);
		try {
			await inEditor(context, async ({ openWorkflow, openNode, closeNode, part, picture }) => {
				const { click } = clicking();
				const see = async (text: string, name: string, timeoutMs = 30_000) => {
					const isShown = async () => (await part('output-panel').innerText()).includes(text);
					await until(text, isShown, timeoutMs);
					await picture(name);
				};
				await openWorkflow(id);
				await openNode('Create');
				await click(part('node-execute-button'));
				await see('This node waits until the result is finished', 'progress-running');
				await until(
					'suspension',
					async () => {
						const [execution] = await n8n.executions({ workflowId: id });
						return execution?.status === 'waiting';
					},
					100_000,
				);
				await picture('progress-suspended');
				await closeNode();
				await picture('progress-suspended-canvas');
				await openNode('Create');
				simulator.control.holdJobs(false);
				await see('The account balance', 'progress-create', 200_000);
			});
		} finally {
			simulator.control.holdJobs(false);
		}
	},
};
