/** How a task sends: its files first, with its key, or once where it takes none. */
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { replaceBinaryInputs, type BinaryInput } from '../files/binaryInputs';
import type { Client } from '../http/client';
import type { Job } from '../jobs/types';
import { readObject } from '../json';
import {
	isPaid,
	isUnkeyedCreate,
	type OperationItem,
	type Ports,
	type UploadedFile,
} from '../operation';
import { addCallbackUrl } from '../plan/resumeCallback';
import { buildRequest, addIdempotencyKey, type JsonRequest } from './buildRequest';
import type { RetryState } from '../memory';
import type { IdempotencyKeys, RunIdentity } from '../plan/idempotencyKeys';
import { sendUnkeyedCreate } from './unkeyedCreates';
import { describeRequestLine, type PlannedRequest } from '../plan/groupRequests';

/** What a task needs beside itself. */
export interface TaskContext {
	n8n: IExecuteFunctions;
	client: Client;
	ports: Ports;
	place: RunIdentity;
	/** What the tries of the run know. */
	known: RetryState;
	/** Told of what costs before it is sent, with its key where it has one. */
	asks: (line: string, key?: string) => void;
	/** Told when the request has its good answer. */
	answered: () => void;
	/** Told of every job as soon as it exists. */
	started: (jobs: Job[], item?: number) => void;
	/** Told that a later try will make the job anew. */
	willBeMadeAnew: () => void;
}

/** What a task sends with: its key ring, and its items as operations see them. */
export interface TaskRun extends TaskContext {
	task: PlannedRequest;
	items: ReadonlyArray<OperationItem<IDataObject>>;
	keys: IdempotencyKeys;
	/** Jobs that the task has started, in order. */
	jobs: Job[];
}

/** The same call with its files uploaded, and its content with what is in the files. */
async function withUploadedFiles(taskRun: TaskRun, call: JsonRequest) {
	const { n8n, client, ports, task, keys } = taskRun;
	const files = new Map<BinaryInput, UploadedFile>();
	const body = await replaceBinaryInputs(call.body, async (input) => {
		const { field, item: itemIndex = task.items[0] ?? 0 } = input;
		const file = await ports.upload({ n8n, client, itemIndex, keys }, field);
		files.set(input, file);
		return file.id;
	});
	const content = await replaceBinaryInputs(
		call.body,
		async (input) => files.get(input)?.content ?? '',
	);
	return { ready: { ...call, body: body === undefined ? undefined : readObject(body) }, content };
}

/** The place of a task's own request, counted from 1. */
export const placeIn = ({ keys, task }: Pick<TaskRun, 'keys' | 'task'>, number: number) =>
	keys.place(createOf(task, number));

/** The task's own request among the creates of its items, counted from 1. */
function createOf(task: PlannedRequest, number: number) {
	const { again, part } = task;
	const names = [
		...(again === undefined ? [] : [`rows of part ${part} again ${again}`]),
		...(number === 1 ? [] : [`request ${number}`]),
	];
	return {
		line: describeRequestLine(task),
		...(names.length === 0 ? {} : { name: names.join(', ') }),
	};
}

/** Sends the task's own request. */
export async function sendRequest<T>(
	taskRun: TaskRun,
	body: IDataObject | undefined,
	number: number,
	exchange: (call: JsonRequest) => Promise<T>,
): Promise<T> {
	const { n8n, client, task, items, keys, known } = taskRun;
	const { operation } = task;
	const create = createOf(task, number);
	const call = await buildRequest(task, client, items, body);
	const go = async () => {
		const { ready, content } = await withUploadedFiles(taskRun, call);
		const body = addCallbackUrl(n8n, task.values, task.items[0] ?? 0, ready.body);
		const whole = addIdempotencyKey(
			{ ...ready, body },
			operation,
			keys.key({ ...create, content }),
		);
		if (isPaid(operation)) taskRun.asks(whole.line, whole.idempotencyKey ?? whole.keyInBody);
		return await exchange(whole);
	};
	const made = await (isUnkeyedCreate(operation)
		? sendUnkeyedCreate(known, keys.place(create), go)
		: go());
	taskRun.answered();
	return made;
}
