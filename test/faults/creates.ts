/** The creates that scenarios ask for: right ones, of which each changes what it is about. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { byId, type Link } from '../e2e/workflows';

/** N items with their index in `i`. */
export const numbered = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, i) => ({ i }));

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
