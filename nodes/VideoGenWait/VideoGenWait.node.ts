import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { authentication, credentials } from '../core/http/credentials';
import { sortable } from '../core/run/line';
import { answerCall } from './called';
import { properties, webhooks } from './form';
import { wait } from './wait';

export class VideoGenWait implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Wait for Job',
		name: 'videoGenWait',
		icon: { light: 'file:VideoGenWait.svg', dark: 'file:VideoGenWait.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["jobs"] === "id" ? "By ID" : "Of the incoming items" }}',
		description:
			'Wait until videos and other jobs are finished, without holding memory: the execution is put aside meanwhile',
		defaults: { name: 'VideoGen Wait for Job' },
		// A tool of an AI agent cannot be put aside.
		usableAsTool: undefined,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Still Running', 'Finished'],
		credentials,
		webhooks,
		properties: [authentication, ...properties],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return sortable(this, await wait(this));
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await answerCall(this);
	}
}
