/** Sends planned requests to a fake service, and records what is sent and started. */
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import type { Client } from '../../../nodes/core/http/client';
import type { Operation } from '../../../nodes/core/operation';
import type { PlannedRequest } from '../../../nodes/core/plan/groupRequests';
import type { NodeRun } from '../../../nodes/core/ledger/ledger';
import type { JsonRequest } from '../../../nodes/core/send/buildRequest';
import { sendPlannedRequest, type RunContext } from '../../../nodes/core/send/sendPlannedRequest';
import { createSuspensionPlanner } from '../../../nodes/core/suspend/suspension';

export const createOperation = (more: Partial<Operation> = {}): Operation => ({
	value: 'a',
	name: 'A',
	action: 'A',
	description: '',
	request: 'POST /things',
	...more,
});

const resource = { name: 'Thing', value: 'thing', operations: [] };

/** The request for items 3, 4, … with these values. */
export function createRequest(
	operation: Operation,
	all: IDataObject[] = [{}],
	more: Partial<PlannedRequest> = {},
): PlannedRequest {
	const items = all.map((values, i) => ({ item: i + 3, values })) as PlannedRequest['items'];
	return { resource, operation, values: all[0] ?? {}, items, ...more };
}

/** Lets the requests that a run has sent count as those of an earlier attempt, as a new attempt does. */
export function forgetAttempt(creates: NodeRun['creates']): void {
	for (const record of Object.values(creates)) delete record.isNew;
}

let runs = 0;

/** A run of a node. The service responds to its requests with the results of `respond`. */
export function createRun(respond: (request: JsonRequest, number: number) => unknown, type = 'n') {
	const node = { name: 'Node', type, parameters: {} } as unknown as INode;
	const requests: JsonRequest[] = [];
	const exchange = jest.fn(async (request: JsonRequest) => {
		request.onSend?.();
		requests.push({ ...request });
		return await Promise.resolve(respond(request, requests.length));
	});
	const account = `run ${++runs}`;
	const client = {
		signal: new AbortController().signal,
		account,
		node,
		fetchReply: exchange,
		fetchRows: exchange,
		openStream: exchange,
	};
	const startedJobs = { logPaidRequest: jest.fn(), addSource: jest.fn(), add: jest.fn() };
	const payment = new AbortController();
	const releaseOthers = jest.fn();
	let uploads = 0;
	const upload = jest.fn(async (_: object, name: string) => {
		const id = `asset ${++uploads}`;
		return await Promise.resolve({ id, content: `content of ${name}` });
	});
	const inputs = Array.from({ length: 9 }, (_, i) => ({ json: { i } }));
	const state = {
		...{ node: ['node'], secret: account, origins: inputs.map((_, i) => `1.${i}`) },
		...{ creates: {}, failures: {}, uploads: {} },
	} as unknown as NodeRun;
	const n8n = {
		continueOnFail: () => true,
		getInputData: () => inputs,
		getNode: () => node,
		getTimezone: () => 'Europe/Berlin',
	} as unknown as IExecuteFunctions;
	const context = {
		n8n,
		client: client as unknown as Client,
		ports: { upload },
		nodeRun: state,
		startedJobs,
		suspension: createSuspensionPlanner({ isPossible: false, requests: 1 }),
		payment,
		releaseOthers,
	};
	const send = async (request: PlannedRequest) =>
		await sendPlannedRequest(context as unknown as RunContext, request);
	return {
		send,
		requests,
		exchange,
		state,
		startedJobs,
		payment,
		releaseOthers,
		upload,
		n8n,
		client,
	};
}
