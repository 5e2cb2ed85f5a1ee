/** Begins runs of a node in executions whose data n8n stores between them. */
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import type { ErrorDetails } from '../../../nodes/core/errors/errorDetails';
import { createOperationError } from '../../../nodes/core/errors/nodeErrors';
import type { JobKind } from '../../../nodes/core/jobs/types';
import {
	type CreateRequestRecord,
	type FailedRow,
	type NodeRun,
	beginNodeRun,
} from '../../../nodes/core/ledger/ledger';
import { agentSessionJob, videoBatchJob, videoJob } from '../../../nodes/jobKinds/catalog';

export interface NodeSettings {
	type?: string;
	retryOnFail?: boolean;
	instance?: string;
	workflow?: string;
	id?: string;
	execution?: string;
	runIndex?: number;
	resumeUrl?: string;
	inputs?: INodeExecutionData[];
	/** Node context of the execution, in which the ledger is. */
	context?: IDataObject;
	/** Whether n8n has data for the node. True by default. */
	hasData?: boolean;
}

const kinds = [agentSessionJob, videoBatchJob, videoJob];
export const findKind = (name: string): JobKind | undefined =>
	kinds.find((kind) => kind.name === name);

const createNode = (settings: NodeSettings): IExecuteFunctions => {
	const { context = {}, inputs = [{ json: {} }] } = settings;
	return {
		getContext: (type: string) => {
			if (type !== 'node') throw new Error(`Unexpected context "${type}"`);
			if (settings.hasData === false) throw new Error('`executionData` is not initialized');
			return context;
		},
		getExecutionId: () => settings.execution,
		getInputData: () => inputs,
		getInstanceId: () => settings.instance ?? 'n8n',
		getNode: () => ({
			id: settings.id ?? 'node',
			type: settings.type ?? 'video',
			retryOnFail: settings.retryOnFail,
		}),
		getWorkflow: () => ({ id: settings.workflow ?? 'workflow' }),
		getWorkflowDataProxy: () => ({
			$runIndex: settings.runIndex ?? 0,
			$execution: { resumeUrl: settings.resumeUrl },
		}),
	} as unknown as IExecuteFunctions;
};

/** Begins a run. Separates what its keys are derived from, and its progress, from the rest. */
export function begin(settings: NodeSettings, eachCall = false) {
	const run = beginNodeRun(createNode(settings), eachCall, findKind);
	const { node, secret, origins, jobs, sentItems, copies, creates, failures, ...others } = run;
	const { balance, isStopHandled, ...methods } = others;
	const state = { jobs, sentItems, copies, creates, failures, balance, isStopHandled };
	const end: NodeRun['end'] = (...output) => {
		Object.assign(run, state);
		run.end(...output);
	};
	const suspend: NodeRun['suspend'] = (...progress) => {
		Object.assign(run, state);
		run.suspend(...progress);
	};
	return { identity: { node, run: [secret], origins }, state, ...methods, end, suspend };
}

export type Attempt = ReturnType<typeof begin>;

/** Adds the record of a create request to a ledger. */
export const addRecord = (
	creates: NodeRun['creates'],
	id: string,
	origins: readonly string[],
): CreateRequestRecord => (creates[id] = { origins: [...origins], rejections: 0, sent: [] });

/** Returns the node context as n8n stores it with the execution. */
export const storeContext = (context: IDataObject) =>
	JSON.parse(JSON.stringify(context)) as IDataObject;

export const good: INodeExecutionData[] = [{ json: { id: 1 } }];
export const wrong: INodeExecutionData[] = [{ json: { error: 'Rejected' } }, { json: { id: 2 } }];
export const noErrors: ReadonlyMap<number, FailedRow> = new Map();

const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

export const createFailedRow = (message: string, details: ErrorDetails = {}): FailedRow => ({
	error: createOperationError(node, message, 'Advice', details),
});

/** Returns an error item as the node outputs it. */
export const createErrorItem = (id: string | undefined, error: unknown = 'No') => ({
	json: { error, details: { row: { node: 'Node', item: 0, id } } } as IDataObject,
});

/** State of a run that has sent nothing yet. */
export const emptyState = {
	jobs: new Map(),
	sentItems: new Set(),
	copies: new Set(),
	creates: {},
	failures: {},
	balance: undefined,
	isStopHandled: undefined,
};
