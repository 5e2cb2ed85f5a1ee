/** n8n around a VideoGen Wait for Job node, and a service with the jobs that it waits for. */
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';
import { executeWait } from '../../../nodes/VideoGenWait/executeWait';
import { passTime } from '../http/virtualTime';

/** A status response, or the HTTP status of an error. Of several, the last one repeats. */
type Response = IDataObject | number;

export interface HostSettings {
	items: INodeExecutionData[];
	/** Responses by job ID. */
	responses?: Record<string, Response | Response[]>;
	parameters?: IDataObject;
	options?: IDataObject | ((item: number) => IDataObject);
	/** What n8n stores with the execution for the node. */
	context?: IDataObject;
	onError?: 'continueRegularOutput' | 'continueErrorOutput';
	/** Returns the credential. */
	getCredentials?: () => IDataObject;
	/** Parts of n8n's context that differ, such as the connections. */
	more?: object;
}

/** An item that refers to a lipsync job. */
export const createItem = (id: string, json: IDataObject = {}): INodeExecutionData => ({
	json: { ...json, job: { kind: 'lipsync', id } },
});

export const running = { status: 'processing' };
export const done = { status: 'completed', video_url: 'https://files.example/v.mp4' };
export const failed = { status: 'failed', failure_code: 'render_failed' };

let hosts = 0;

export function createHost({ items, responses = {}, context = {}, ...settings }: HostSettings) {
	const { parameters = {}, options = {}, onError, more } = settings;
	const baseUrl = `https://api${++hosts}.example`;
	const { getCredentials = () => ({ baseUrl, apiKey: 'the-key' }) } = settings;
	const node = {
		...{ id: 'node', name: 'Wait', type: 'n8n-nodes.videoGenWait', onError },
		parameters: { jobs: 'items', ...parameters },
	};
	const started: IDataObject = { alwaysOutputData: true };
	const reads: string[] = [];
	const [warn, addExecutionHints] = [jest.fn<void, [string]>(), jest.fn<void, [IDataObject]>()];
	const putExecutionToWait = jest.fn<Promise<void>, [Date]>(async () => undefined);
	const values: Record<string, unknown> = { jobs: 'items', ...parameters, options };
	const readValue = (name: string, item: number, fallback?: unknown) => {
		const value = values[name] ?? fallback;
		return typeof value === 'function' ? (value as (item: number) => unknown)(item) : value;
	};
	const n8n = {
		getNode: () => node,
		getExecuteData: () => ({ node: started }),
		getInputData: () => items,
		getContext: () => context,
		getNodeParameter: readValue,
		continueOnFail: () => onError !== undefined,
		getWorkflow: () => ({ id: 'workflow' }),
		getExecutionId: () => `execution ${baseUrl}`,
		getExecutionCancelSignal: () => new AbortController().signal,
		getTimezone: () => 'UTC',
		getCredentials: async () => await Promise.resolve(getCredentials()),
		...{ logger: { warn }, addExecutionHints, putExecutionToWait },
		helpers: {
			httpRequestWithAuthentication: async (_: string, { url }: IHttpRequestOptions) => {
				const id = new URL(url).pathname.split('/').at(-1) ?? '';
				if (id === 'statuses') return { statusCode: 404, headers: {}, body: {} };
				reads.push(id);
				const all = [responses[id] ?? 404].flat();
				const response = all[Math.min(reads.filter((one) => one === id).length, all.length) - 1];
				return typeof response === 'number'
					? { statusCode: response, headers: {}, body: { error: { code: `code_${response}` } } }
					: { statusCode: 200, headers: {}, body: { data: response } };
			},
		},
		...more,
	} as unknown as IExecuteFunctions;
	/** Executes the node. Returns its outputs, and the seconds that this takes. */
	const run = async () => {
		const executing = executeWait(n8n);
		const seconds = await passTime(executing);
		return { outputs: await executing, seconds };
	};
	return { n8n, run, context, reads, warn, addExecutionHints, putExecutionToWait, started };
}

/** Connections that lead nowhere, so that the execution cannot be suspended. */
export const unconnected = { getConnections: () => [], getChildNodes: () => [] };
