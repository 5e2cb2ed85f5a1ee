import { packageName, withCredential } from '../../../tools/stage';
import { inEditor, missingBrowser } from '../browser';
import { clicking } from '../clicks';
import type { Flow } from '../flow';
import { byId, chain, start, until } from '../workflows';

const avatar = (more: object) => ({
	...{ operation: 'createAvatar', avatar_id: byId('look_001_1'), speechFrom: 'text' },
	script: 'Hello there, this is a long enough text.',
	...{ voice_id: byId('voice_001'), ...more },
});

/** A create whose run reports its cost. */
const waits = () =>
	chain('Wait in the node', [
		start,
		{
			name: 'Create',
			type: 'video',
			parameters: avatar({ waitForCompletion: true, options: { reportCost: true } }),
		},
	]);

/** A wait that is suspended. */
function suspends() {
	const draft = chain('Suspend', [
		start,
		{ name: 'Create', type: 'video', parameters: avatar({ waitForCompletion: false }) },
		{
			name: 'Wait',
			type: `${packageName}.videoGenWait`,
			more: { webhookId: crypto.randomUUID() },
		},
	]);
	draft.connections.Wait = { main: [[{ node: 'Wait', type: 'main', index: 0 }]] };
	return draft;
}

export const flow: Flow = {
	name: 'in the editor: a suspended wait shows its progress, and a run shows what it cost',
	older: { cannot: 'its editor is another one' },
	missing: missingBrowser,
	run: async (context) => {
		const { n8n, credential, simulator } = context;
		const save = async (draft: ReturnType<typeof chain>) =>
			(await n8n.createWorkflow(withCredential(draft, credential))).id;
		const [waiting, suspended] = [await save(waits()), await save(suspends())];
		try {
			await inEditor(context, async ({ openWorkflow, openNode, part, picture }) => {
				const { click } = clicking();
				const see = async (text: string, name: string) => {
					// The node waits half a minute before it suspends the execution.
					const isShown = async () => (await part('output-panel').innerText()).includes(text);
					await until(text, isShown, 90_000);
					await picture(name);
				};
				const execute = async (id: string, name: string) => {
					await openWorkflow(id);
					await openNode(name);
					await click(part('node-execute-button'));
				};
				simulator.control.holdJobs(true);
				await execute(waiting, 'Create');
				await until('the job runs', () => simulator.control.jobs('video').length > 0, 30_000);
				await see('This node waits until the result is finished', 'progress-running');
				simulator.control.holdJobs(false);
				await see('The account balance', 'progress-create');
				simulator.control.holdJobs(true);
				await execute(suspended, 'Wait');
				await see('Not finished yet. The node checks again at', 'progress-wait');
			});
		} finally {
			simulator.control.holdJobs(false);
		}
	},
};
