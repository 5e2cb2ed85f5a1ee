/** Workflows whose execution is suspended until their videos are finished. */
import type { IConnections, INode, INodeParameters } from 'n8n-workflow';
import { packageName } from '../../tools/stage';
import type { WorkflowDraft } from './n8n';
import { byId, type Link } from './workflows';

const waitType = `${packageName}.videoGenWait`;

/** The end of a connection. */
export const to = (node: string, index = 0) => ({ node, type: 'main' as const, index });

/** A chain that is followed by a wait, and by a node that takes the finished items. */
export function waitingDraft(draft: WorkflowDraft, last: string): WorkflowDraft {
	const nodes: INode[] = [
		...draft.nodes,
		{
			id: 'wait',
			name: 'Wait',
			type: waitType,
			typeVersion: 1,
			position: [1600, 0],
			webhookId: crypto.randomUUID(),
			parameters: { authentication: 'apiKey' },
		},
		{
			id: 'done',
			name: 'Done',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			position: [1824, 0],
			parameters: {
				mode: 'raw',
				jsonOutput:
					'={{ { row: $("Items").item.json.row, video_id: $json.video_id, job: $json.job, status: $json.status } }}',
				options: {},
			},
		},
	];
	const connections: IConnections = {
		...draft.connections,
		[last]: { main: [[to('Wait')]] },
		Wait: { main: [[to('Wait')], [to('Done')]] },
	};
	return { ...draft, nodes, connections };
}

/** N items with their index in `row`. */
export const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ row }));

/** Creates a video for each row of the node `Items`, and does not wait. */
export const videoLink = (name: string, more: INodeParameters = {}): Link => ({
	name,
	type: 'video',
	parameters: {
		operation: 'createAvatar',
		avatar_id: byId('look_001_1'),
		speechFrom: 'text',
		script: '=Hello number {{ $("Items").item.json.row }}, this is a long enough text.',
		voice_id: byId('voice_001'),
		waitForCompletion: false,
		...more,
	},
});

/** The service sends a callback to the execution. */
export const here = { options: { callBackHere: true } };
