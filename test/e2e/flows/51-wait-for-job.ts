import assert from 'node:assert/strict';
import type { INode, INodeParameters } from 'n8n-workflow';
import { packageName, withCredential } from '../../../tools/stage';
import type { Flow } from '../flow';
import { itemsOf, type WorkflowDraft } from '../n8n';
import { byId, chain, errorText, example, itemsNode, start } from '../workflows';

const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });

const node = (
	name: string,
	type: string,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode => ({ id: name, name, type, typeVersion: 1, position: [0, 0], parameters, ...more });

const ours = (name: string, type: string, parameters: INodeParameters, more: Partial<INode> = {}) =>
	node(name, `${packageName}.${type}`, { authentication: 'apiKey', ...parameters }, more);

const rows = Array.from({ length: 15 }, (_, row) => ({ row }));

const talking = {
	avatar_id: byId('look_001_1'),
	speechFrom: 'text',
	script: '=Hello number {{ $json.row }}, this is a long enough text.',
	voice_id: byId('voice_001'),
};

const noWait = { waitForCompletion: false, options: { callBackHere: true } };

/** The rows go to three creates of different kinds, whose jobs are merged, filtered and gathered. */
function joined(): WorkflowDraft {
	const { nodes, connections, ...draft } = chain('Joined', [start, ...itemsNode(rows)]);
	return {
		...draft,
		nodes: [
			...nodes,
			ours('Videos', 'videoGenVideo', { operation: 'createAvatar', ...talking, ...noWait }),
			ours('Batch', 'videoGenVideo', {
				operation: 'createBatch',
				itemIs: 'avatar',
				...talking,
				...noWait,
			}),
			ours('Clips', 'videoGenModelVideo', {
				operation: 'textToVideo',
				prompt: '=Row {{ $json.row }}',
				modelFrom: 'name',
				model: 'model-1',
				...noWait,
			}),
			node('Merge', 'n8n-nodes-base.merge', { numberInputs: 3 }, { typeVersion: 3.2 }),
			// Every row but the fifth, of each kind.
			node(
				'Most',
				'n8n-nodes-base.filter',
				{
					conditions: {
						options: { version: 2, caseSensitive: true, typeValidation: 'loose' },
						combinator: 'and',
						conditions: [
							{
								id: '1',
								leftValue: '={{ $("Items").item.json.row }}',
								rightValue: 5,
								operator: { type: 'number', operation: 'notEquals' },
							},
						],
					},
					options: {},
				},
				{ typeVersion: 2.2 },
			),
			ours(
				'Wait',
				'videoGenWait',
				{ download: ['video'] },
				{ webhookId: crypto.randomUUID(), onError: 'continueErrorOutput' },
			),
			node(
				'Finished',
				'n8n-nodes-base.set',
				{
					mode: 'raw',
					jsonOutput:
						'={{ { row: $("Items").item.json.row, id: $json.video_id, kind: $json.job.kind, status: $json.status } }}',
					options: {},
					includeOtherFields: false,
				},
				{ typeVersion: 3.4 },
			),
			node(
				'Failed',
				'n8n-nodes-base.set',
				{
					mode: 'raw',
					jsonOutput: '={{ { row: $("Items").item.json.row, error: $json.error } }}',
					options: {},
				},
				{ typeVersion: 3.4 },
			),
		],
		connections: {
			...connections,
			Items: { main: [[to('Videos'), to('Batch'), to('Clips')]] },
			Videos: { main: [[to('Merge')]] },
			Batch: { main: [[to('Merge', 1)]] },
			Clips: { main: [[to('Merge', 2)]] },
			Merge: { main: [[to('Most')]] },
			Most: { main: [[to('Wait')]] },
			Wait: { main: [[to('Wait')], [to('Finished')], [to('Failed')]] },
		},
	};
}

export const flow: Flow = {
	name: 'example 18: a hundred rows wait in a suspended execution, and one callback brings a hundred videos; jobs of three creates are merged',
	older: 'main',
	run: async ({ n8n, simulator, credential }) => {
		const { control } = simulator;
		control.holdJobs(true);
		// An account that may run them all: none ends while they are held.
		control.setWorkspace({ jobsAtOnce: 5_000 });
		try {
			const save = async (draft: WorkflowDraft) =>
				(await n8n.createWorkflow(withCredential(draft, credential))).id;
			const hundred = await save(example('18-hundred-rows-to-videos.json'));
			const waiting = await n8n.run(hundred, { until: ['waiting'] });
			const [unfinished] = itemsOf(waiting, 'Wait for the Videos');
			assert.match(String(unfinished?.json.still_running), /^Not finished yet/);

			control.failNext('model_video', { code: 'render_failed', message: 'The river froze' });
			const three = await n8n.run(await save(joined()), { until: ['waiting'] });
			assert.equal(itemsOf(three, 'Wait').length, 3 * 14);

			control.holdJobs(false);
			control.setWorkspace({ jobsAtOnce: 10 });
			const done = await n8n.waitForExecution({ id: waiting.id }, { timeoutMs: 60_000 });
			assert.equal(done.status, 'success', errorText(done));
			const people = itemsOf(done, 'Rows');
			const videos = itemsOf(done, 'Send Mail');
			assert.deepEqual(
				videos.map(({ json }) => json.email),
				people.map(({ json }) => json.email),
			);
			assert.equal(new Set(videos.map(({ json }) => json.video_id)).size, 100);
			assert.ok(videos.every(({ json }) => /^http/.test(String(json.video_url))));

			const all = await n8n.waitForExecution({ id: three.id }, { timeoutMs: 90_000 });
			assert.equal(all.status, 'success', errorText(all));
			const failed = itemsOf(all, 'Failed');
			assert.equal(failed.length, 1);
			assert.match(String(failed[0]?.json.error), /The river froze/);
			const finished = itemsOf(all, 'Finished').map(({ json }) => json);
			const left = rows.map(({ row }) => row).filter((row) => row !== 5);
			const of = (kind: string) => left.map((row) => `${kind} ${row}`);
			assert.deepEqual(
				finished.map(({ kind, row }) => `${String(kind)} ${String(row)}`),
				[...of('video'), ...of('video'), ...of('model_video')].filter(
					(one) => one !== `model_video ${String(failed[0]?.json.row)}`,
				),
			);
			assert.equal(new Set(finished.map(({ id }) => id)).size, 3 * 14 - 1);
			assert.ok(finished.every(({ status }) => status === 'completed'));
			assert.equal(all.data.resultData.runData.Finished?.length, 1, 'once');
			const files = itemsOf(all, 'Wait', 1);
			assert.ok(files.every(({ binary }) => binary?.data?.mimeType === 'video/mp4'));
		} finally {
			control.holdJobs(false);
			control.setWorkspace({ jobsAtOnce: 10 });
		}
	},
};
