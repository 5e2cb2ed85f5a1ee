/** A request that has been sent, and a run that waits for its jobs, in virtual time. */
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import { awaitJobsOfRequest } from '../../../nodes/core/collect/awaitJobsOfRequest';
import type { ServiceRequest } from '../../../nodes/core/http/sendWithRetries';
import type { Job } from '../../../nodes/core/jobs/types';
import type { NodeRun } from '../../../nodes/core/ledger/ledger';
import { findOrCreateRecord } from '../../../nodes/core/plan/deriveIdempotencyKeys';
import type { RunContext } from '../../../nodes/core/send/sendPlannedRequest';
import type { SentRequest } from '../../../nodes/core/plan/groupRequests';
import { createSuspensionPlanner } from '../../../nodes/core/suspend/suspension';
import { lipsyncJob } from '../../../nodes/jobKinds/catalog';
import { passTime } from '../http/virtualTime';

export const node = { name: 'Node', type: 'n8n-nodes.video' } as INode;

export const lipsync = (id: string): Job => ({ kind: lipsyncJob, id });

/** The result of an output item that refers to a job. */
export const reference = (json: IDataObject, kind: string, id: string) => ({
	json: { ...json, job: { kind, id } },
});

let accounts = 0;

/** A run whose status requests get the response with the job's ID, and whose creates get replies. */
export function createRun(
	responses: Record<string, IDataObject | Error>,
	{ isTool = false, continues = false, replies = [] as Array<IDataObject | Error> } = {},
) {
	const type = isTool ? 'videoTool' : node.type;
	const paths: unknown[] = [];
	const bodies: unknown[] = [];
	const keys: unknown[] = [];
	const startedJobs = {
		...{ end: jest.fn(), add: jest.fn(), logPaidRequest: jest.fn() },
		addSource: jest.fn(),
	};
	const creates: NodeRun['creates'] = {};
	const failures: Record<string, number> = {};
	const state = {
		...{ jobs: new Map(), sentItems: new Set([4, 5]), creates, failures },
		...{ node: ['n'], secret: 'r', origins: [], begun: clock.now() },
	};
	const client = {
		...{ node, warn: jest.fn(), zone: 'UTC', account: `awaited-${++accounts}` },
		signal: new AbortController().signal,
		reportJobEnd: jest.fn(),
		removeSecrets: (text: string) => text,
		shareInRun: (_: string, create: () => unknown) => create(),
		fetchData: async ({ path = {} }: ServiceRequest) => {
			paths.push(...Object.values(path));
			const response = responses[String(Object.values(path)[0])];
			if (response instanceof Error) throw response;
			return response;
		},
		fetchReply: async ({ body, idempotencyKey, onSend }: ServiceRequest) => {
			onSend?.();
			bodies.push(body);
			keys.push(idempotencyKey);
			const reply = replies.shift();
			if (reply instanceof Error) throw reply;
			return reply;
		},
	};
	const n8n = {
		getNode: () => ({ ...node, type }),
		continueOnFail: () => continues,
		getInputData: () => [],
		logger: { info: jest.fn() },
	};
	const context = {
		...{ n8n, client, startedJobs, nodeRun: state, ports: {} },
		suspension: createSuspensionPlanner({ isPossible: false, requests: 1 }),
		payment: new AbortController(),
		releaseOthers: jest.fn(),
	} as unknown as RunContext;
	/** Waits for the jobs. Returns the results, and the seconds that this takes. */
	const wait = async (sent: SentRequest) => {
		const waiting = awaitJobsOfRequest(context, sent);
		const seconds = await passTime(waiting);
		return { ...(await waiting), seconds };
	};
	/** Records that the request of these items was sent, and its response. */
	const recordSent = (sent: SentRequest, result: unknown = { id: 'a' }) => {
		const record = findOrCreateRecord(context.nodeRun, sent);
		return Object.assign(record, { sent: [...record.origins], outcome: { result } });
	};
	return { context, state, startedJobs, paths, bodies, keys, wait, recordSent };
}

/** A request for the items 4 and 5 that this run has sent, and that started these jobs. */
export const createSent = (
	jobs: Job[],
	values: IDataObject = {},
	replies: INodeExecutionData[] = [{ json: { from: 'reply' } }],
	operation: object = { request: 'POST /v3/lipsyncs' },
) =>
	({
		...{ operation, values, jobs, replies, creation: 'created' },
		items: [
			{ item: 4, values },
			{ item: 5, values },
		],
	}) as unknown as SentRequest;
