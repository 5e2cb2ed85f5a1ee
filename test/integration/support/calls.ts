/** Calls that are right, for tests that change one thing about them. */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { byId } from './engine';

/** So many items, told apart by `i`. */
export const items = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, i) => ({ json: { i } }));

/** VideoGen Video: a create with an idempotency key. */
export const avatar = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'createAvatar',
	avatar_id: byId('look_001_1'),
	speechFrom: 'text',
	script: '=Hello number {{ $json.i }}, this is a long enough text.',
	voice_id: byId('voice_001'),
	waitForCompletion: false,
	...more,
});

/** VideoGen Video: items that become a batch. */
export const batch = (more: INodeParameters = {}): INodeParameters => ({
	...avatar(more),
	operation: 'createBatch',
	itemIs: 'avatar',
});

/** VideoGen Agent: a create for which the service takes no key. */
export const session = (more: INodeParameters = {}): INodeParameters => ({
	operation: 'create',
	prompt: 'A welcome',
	mode: 'generate',
	waitForCompletion: false,
	...more,
});
