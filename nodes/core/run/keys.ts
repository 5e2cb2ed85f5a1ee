/**
 * Keys by which the service recognises a repeated create (docs/service.md, Idempotency), and by
 * which this process recognises one that takes no key.
 */
import { createHash, randomUUID } from 'crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { textOf } from '../json';

/** How much of n8n is needed to tell where an item stands. */
export type PlaceHost = Pick<
	IExecuteFunctions,
	| 'getExecutionId'
	| 'getInputData'
	| 'getInstanceId'
	| 'getNode'
	| 'getWorkflow'
	| 'getWorkflowDataProxy'
>;

/** What a create is paid once for. */
export type PayOncePer = 'execution' | 'request' | 'ownKey';

const digest = (parts: readonly unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const short = (parts: readonly unknown[]) => `n8n-${digest(parts).slice(0, 48)}`;

/** Whether the node works as a tool of an AI agent. */
export const isTool = (n8n: Pick<IExecuteFunctions, 'getNode'>) =>
	n8n.getNode().type.endsWith('Tool');

/** The node within its n8n. Executions are counted from 1 in every n8n, and ids of nodes imported. */
const nodePlace = (n8n: PlaceHost) => [n8n.getInstanceId(), n8n.getWorkflow().id, n8n.getNode().id];

/**
 * The run of a node within its execution. n8n counts every call of a tool, and every try of one,
 * as a run of its own: there, what the model asked for stands for the run.
 */
function runPlace(n8n: PlaceHost, itemIndex: number): readonly unknown[] {
	// Without an execution nothing may be shared with any other.
	const execution = textOf(n8n.getExecutionId()) ?? randomUUID();
	if (!isTool(n8n)) return [execution, n8n.getWorkflowDataProxy(itemIndex).$runIndex];
	const { toolCallId, ...asked } = n8n.getInputData()[itemIndex]?.json ?? {};
	return [execution, asked];
}

/**
 * The place of a request: the same when n8n repeats the node (Retry On Fail), another for every
 * other n8n, workflow, execution, node, run and item. The values are no part of it, because n8n
 * evaluates expressions anew for every try: a time of day in a title must not be paid twice.
 */
const placeOf = (n8n: PlaceHost, items: readonly number[], parts: readonly unknown[]) =>
	short([...nodePlace(n8n), ...runPlace(n8n, items[0] ?? 0), items, ...parts]);

/** The run of a node as a whole. */
export const runOf = (n8n: PlaceHost) => short([...nodePlace(n8n), ...runPlace(n8n, 0)]);

/** The longest key (docs/service.md, Idempotency). */
const longest = 255;

/** A key of the user's own with something behind it that nobody types. */
const extended = (own: string, end: string) =>
	(own.length + end.length <= longest ? own : digest([own])) + end;

/** The key of one of several requests that share a key of the user's, counted from 1. */
export const partKey = (own: string, part: number) =>
	part === 1 ? own : extended(own, `:part:${part}`);

/** One create within the request of an item, such as the upload of a file that it needs. */
export interface Create {
	/** Request line with its path identifiers. */
	line: string;
	/** What tells it from others of the same item and line, such as a binary field. */
	name?: string;
	/** What is created; not looked at where the place stands for it. */
	content: unknown;
}

/** Makes the keys of one request and of the uploads that it needs. */
export interface KeyRing {
	key(create: Create): string;
	/** Whether keys mean the same in another execution. */
	lasting: boolean;
	/** The place of the create, by which this process remembers what became of it. */
	place(create: Omit<Create, 'content'>): string;
}

/**
 * The key ring of a request.
 *
 * @param items numbers of its items
 * @param values `payOncePer` and `idempotencyKey` of the item
 * @param part counts the requests that share a key of the user's, from 1
 * @param failures how often the job made at a place has failed: the next one has another key
 */
export function keyRing(
	n8n: PlaceHost,
	items: readonly number[],
	values: IDataObject,
	part: number,
	failures: (place: string) => number,
): KeyRing {
	const own = textOf(values.idempotencyKey);
	const per = values.payOncePer ?? (own === undefined ? 'execution' : 'ownKey');
	const place = ({ line, name = '' }: Omit<Create, 'content'>) => placeOf(n8n, items, [line, name]);
	const again = (key: string, failed: number) =>
		failed === 0 ? key : extended(key, `:again:${failed}`);
	return {
		place,
		lasting: per !== 'execution',
		key(create) {
			const { line, name, content } = create;
			const at = place(create);
			const failed = failures(at);
			if (per === 'ownKey' && own !== undefined) {
				const named =
					name === undefined
						? partKey(own, part)
						: extended(own, `:${digest([name]).slice(0, 12)}`);
				return again(named, failed);
			}
			if (per === 'request') return again(short([...nodePlace(n8n), line, content]), failed);
			return again(at, failed);
		},
	};
}
