/** The creates that scenarios ask for: right ones, of which each changes what it is about. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { withCredential, type Stage } from '../../tools/stage';
import type { WorkflowDraft } from '../e2e/n8n';
import { byId, chain, itemsNode, start, type Link } from '../e2e/workflows';

/** N items with their index in `i`. */
export const numbered = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, i) => ({ i }));

/** A workflow that gives N items to these nodes. */
export const forItems = (count: number, ...links: Link[]): WorkflowDraft =>
	chain('Faults', [start, ...itemsNode(numbered(count)), ...links]);

/** Saves a workflow, and returns its ID. */
export async function save({ n8n, credential }: Stage, draft: WorkflowDraft): Promise<string> {
	return (await n8n.createWorkflow(withCredential(draft, credential))).id;
}

export const retried: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 200 };
export const continued: Partial<INode> = { onError: 'continueRegularOutput' };

/** Parameters of a node that waits for its jobs. */
export const waiting = { waitForCompletion: true, advanced: { pollInterval: 1 } };

/** Another text at every run and every try. */
export const now = '{{ $now.toMillis() }}';

/** Parameters of a video, for which the service takes a key. */
export const avatar = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'createAvatar',
	avatar_id: byId('look_001_1'),
	speechFrom: 'text',
	script: '=Hello {{ $json.i }}, this is a long enough text.',
	voice_id: byId('voice_001'),
	waitForCompletion: false,
	...more,
});

export const video = (more: INodeParameters = {}, node: Partial<INode> = {}): Link => ({
	name: 'Create',
	type: 'video',
	parameters: avatar(more),
	more: node,
});

export const download: Link = {
	name: 'Download',
	type: 'video',
	parameters: {
		operation: 'download',
		video_id: byId('={{ $json.video_id }}'),
		binaryPropertyName: 'data',
	},
};

export const batch = (more: INodeParameters = {}, node: Partial<INode> = {}): Link =>
	video({ operation: 'createBatch', itemIs: 'avatar', ...more }, node);

/** An agent session, for which it takes none. */
export const session = (more: INodeParameters = {}, node: Partial<INode> = {}): Link => ({
	name: 'Create',
	type: 'agent',
	parameters: {
		operation: 'create',
		prompt: '=A welcome to {{ $json.i }}',
		mode: 'generate',
		waitForCompletion: false,
		...more,
	},
	more: node,
});
