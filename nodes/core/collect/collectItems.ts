/** From the results of items to the output of a node. */
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { getErrorDetails } from '../errors/errorDetails';
import { toNodeError, type NodeError } from '../errors/nodeErrors';
import type { FinishedItem } from '../jobs/finishedItem';
import type { Job } from '../jobs/types';
import {
	createErrorItem,
	describeItem,
	toRunError,
	type Failure,
	type JobsOfItem,
} from './renderFailure';

/** An output item, with the index of its input item and the finished job that its files belong to. */
export interface OutputItem extends Omit<FinishedItem, 'item'> {
	item: number;
	output: INodeExecutionData;
}

/** The result of an input item, or of one of its parts. */
export type ItemResult = OutputItem | Failure;

export const isFailure = (result: ItemResult): result is Failure => 'error' in result;

/** The jobs that exist by now, by input item. */
interface JobsByItem {
	of(item: number): readonly Job[];
	others(item: number): readonly JobsOfItem[];
}

/**
 * Does something for each part at the same time. A part that throws becomes a failure in its place.
 *
 * @param jobsOf the jobs that a failure of the part must name
 */
export async function settleParts<P extends { item: number }>(
	node: INode,
	parts: readonly P[],
	act: (part: P) => Promise<FinishedItem>,
	jobsOf: (part: P) => readonly Job[],
): Promise<ItemResult[]> {
	return await Promise.all(
		parts.map(async (part): Promise<ItemResult> => {
			try {
				const { item: output, ...finished } = await act(part);
				return { ...finished, item: part.item, output };
			} catch (thrown) {
				return { item: part.item, error: toNodeError(node, thrown), jobs: jobsOf(part) };
			}
		}),
	);
}

/** The line of a further failure whose outcome is unknown: what it asked for may exist. */
function describeUncertain({ item, error }: Failure): string[] {
	if (getErrorDetails(error).uncertain !== true) return [];
	const [advice = ''] = (error.description ?? '').split('\n');
	return [`Item ${item}: ${error.message}. ${advice}`];
}

/** The messages of failures of the same request as the first one. */
function describeAlso([, ...more]: readonly Failure[], itemCount: number): string[] {
	if (more.length === 0) return [];
	return ['Also:', ...more.map(({ item, error }) => error.message + describeItem(item, itemCount))];
}

/** Collects the results of a run, as they come. */
export function createItemCollector(
	n8n: Pick<IExecuteFunctions, 'getInputData' | 'continueOnFail'>,
	jobs: JobsByItem,
) {
	const itemCount = n8n.getInputData().length;
	const outputs: INodeExecutionData[][] = Array.from({ length: itemCount }, () => []);
	const failures: Failure[] = [];
	let also: string[] = [];

	/** The error of the first failure, with the jobs of all items and the other failures. */
	function createRunError([first, ...more]: readonly [Failure, ...Failure[]]): NodeError {
		const lines = more.flatMap(describeUncertain);
		const own = { ...first, jobs: jobs.of(first.item) };
		const others = jobs.others(first.item);
		return toRunError(own, itemCount, others, [...also, ...lines]);
	}

	return {
		/** Adds the results of one request. */
		add(results: readonly ItemResult[]): void {
			const failed = results.filter(isFailure);
			if (failures.length === 0) also = describeAlso(failed, itemCount);
			failures.push(...failed);
			for (const result of results) {
				if (!isFailure(result)) outputs[result.item]?.push(result.output);
				else if (n8n.continueOnFail()) {
					for (const item of [result.item, ...(result.otherItems ?? [])]) {
						outputs[item]?.push(createErrorItem({ ...result, item }, itemCount));
					}
				}
			}
		},
		/** Throws if something has failed and the node does not continue on fail. */
		throwFailure(): void {
			const [first, ...more] = failures;
			if (first && !n8n.continueOnFail()) throw createRunError([first, ...more]);
		},
		/** The output items in the order of the input items. */
		items: (): INodeExecutionData[] => outputs.flat(),
	};
}

export type ItemCollector = ReturnType<typeof createItemCollector>;
