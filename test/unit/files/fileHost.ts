/** A file host outside the service's API, and a client whose requests to it need no pauses. */
import { Readable } from 'node:stream';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
} from 'n8n-workflow';
import { clock } from '../../../nodes/core/clock';
import type { NodeError } from '../../../nodes/core/errors/nodeErrors';
import type { TransferFailure } from '../../../nodes/core/files/transfer';
import type { Client } from '../../../nodes/core/http/client';

export const node = { name: 'Node', type: 'n', parameters: {} } as unknown as INode;

/** Content that ends, or breaks with this error after its last chunk has been read. */
export function createBody(chunks: ReadonlyArray<string | Buffer>, error?: Error): Readable {
	async function* read() {
		for (const chunk of chunks) yield Buffer.from(chunk as string);
		if (!error) return;
		await new Promise((resolve) => setImmediate(resolve));
		throw error;
	}
	return Readable.from(read(), { objectMode: false });
}

/** A response of the file host. */
export const answer = (
	statusCode: number,
	headers: IDataObject = {},
	body: Readable = createBody([]),
) => ({ statusCode, headers, body }) as unknown as IN8nHttpFullResponse;

/** A file host that answers each request with the next of these responses or errors. */
export function createFileHost(...answers: Array<IN8nHttpFullResponse | Error>) {
	const requests: IHttpRequestOptions[] = [];
	const httpRequest = async (request: IHttpRequestOptions) => {
		requests.push(request);
		const next = answers[requests.length - 1] ?? new Error('No answer is left');
		if (next instanceof Error) throw next;
		return await Promise.resolve(next);
	};
	return { host: { helpers: { httpRequest } } as unknown as IExecuteFunctions, requests };
}

/** A client, and its pauses in milliseconds. */
export function createClient(signal = new AbortController().signal) {
	const pauses: number[] = [];
	const runTransfer: Client['runTransfer'] = async (transfer) => await transfer();
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
	jest.spyOn(clock, 'sleep').mockImplementation(async (milliseconds) => {
		// Nothing is silent for 10 seconds in these tests.
		if (milliseconds >= 10_000) await new Promise(() => undefined);
		pauses.push(milliseconds);
		await Promise.resolve();
	});
	return { client: { node, signal, runTransfer } as unknown as Client, pauses };
}

export const createCodedError = (code: string, message = 'gone') =>
	Object.assign(new Error(message), { code });

/** What an error tells the user and the workflow. */
export const describeError = (error: unknown) => {
	const { message, description, context } = error as NodeError;
	return { message, description, details: context.details };
};

/** What the error tells with which a task fails, or `undefined` if it succeeds. */
export const describeFailure = async (task: Promise<unknown>) =>
	await task.then(() => undefined, describeError);

/** What a failed attempt tells, and whether another one may succeed. */
export const describeTransferFailure = ({ error, retryable }: TransferFailure) => ({
	...describeError(error),
	retryable,
});
