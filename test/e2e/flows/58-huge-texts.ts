import assert from 'node:assert/strict';
import type { INodeParameters } from 'n8n-workflow';
import { packageName, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { longestSilence, watchHealth } from '../health';
import { errorOf } from '../n8n';
import { byId, chain, until, type Link } from '../workflows';

/** A node whose field gets the text that somebody sends to the webhook before it. */
interface Target {
	node: string;
	parameters: INodeParameters;
	/** Matches the message of the error. */
	rejection: RegExp;
}

const text = '={{ $json.body.text }}';

const speech: Target = {
	node: 'videoGenSpeech',
	parameters: { operation: 'speak', voice_id: byId('voice_001'), text },
	rejection: /^"Text" must have at most 5,000 characters/,
};
const translation: Target = {
	node: 'videoGenTranslation',
	parameters: {
		resource: 'translation',
		operation: 'create',
		video: { __rl: true, mode: 'url', value: 'https://files.example/talk.mp4' },
		output_languages: text,
	},
	rejection: /^"Output Language Names or IDs" must have at least 1 entry/,
};
const template: Target = {
	node: 'videoGenTemplate',
	parameters: {
		operation: 'generate',
		template_id: byId('template_004'),
		variablesFrom: 'form',
		variables: { mappingMode: 'defineBelow', value: { photo: text } },
	},
	rejection: /^"Variables → photo" must have at most 10,000 characters/,
};

const inputs: Array<[string, Target, string]> = [
	['480 KB of unfinished break tags as a speech', speech, '<break'.repeat(80_000)],
	['a break tag with 80,000 spaces as a speech', speech, `<break time=${' '.repeat(80_000)}>`],
	['120,000 commas as a list of languages', translation, ','.repeat(120_000)],
	['80,000 spaces as a variable of a template', template, `asset:${' '.repeat(80_000)}\nx`],
];

export const flow: Flow = {
	name: 'huge texts from a public form stop neither n8n nor its health check',
	run: async (context) => {
		const { n8n, simulator, credential } = await context.startOwn();

		const measure = async (what: string, act: () => Promise<void>) => {
			const stop = watchHealth(n8n);
			let silence = 0;
			try {
				await act();
			} finally {
				({ silence } = await stop());
			}
			context.log(`${what}: the health check answered within ${silence} ms of processor time`);
			assert.ok(silence < longestSilence, `${what}: silent for ${silence} ms of processor time`);
		};

		const publish = async ({ node, parameters }: Target) => {
			const webhook: Link = {
				name: 'Form',
				type: 'n8n-nodes-base.webhook',
				parameters: { httpMethod: 'POST', path: node, responseMode: 'onReceived', options: {} },
				more: { typeVersion: 2, webhookId: crypto.randomUUID() },
			};
			const own: Link = { name: 'Own', type: `${packageName}.${node}`, parameters };
			const { id } = await n8n.createWorkflow(
				withCredential(chain(node, [webhook, own]), credential),
			);
			await n8n.activate(id);
			return id;
		};
		const ids = new Map<Target, string>();
		for (const target of [speech, translation, template]) ids.set(target, await publish(target));

		for (const [what, target, content] of inputs) {
			const workflowId = ids.get(target) ?? '';
			const { length: before } = await n8n.executions({ workflowId });
			await measure(what, async () => {
				const response = await fetch(`${n8n.baseUrl}/webhook/${target.node}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ text: content }),
				});
				assert.equal(response.status, 200);
				const [last] = await until('the end of the execution', async () => {
					const runs = await n8n.executions({ workflowId });
					return runs.length > before && runs.every(({ status }) => status === 'error') && runs;
				});
				const run = await n8n.execution(String(last?.id));
				assert.match(String(errorOf(run)?.message), target.rejection, what);
			});
		}

		await measure('a base URL with 80,000 slashes', async () => {
			const tested = await n8n.testCredential({
				name: 'Slashes',
				type: 'videoGenApi',
				data: { baseUrl: `https://x${'/'.repeat(80_000)}y`, apiKey: 'key' },
			});
			assert.equal(tested.status, 'Error');
		});
		assert.deepEqual(simulator.control.requests({ method: 'POST' }), [], 'nothing was created');
	},
};
