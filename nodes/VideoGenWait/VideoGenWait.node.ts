import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { authenticationField, credentialDescriptions } from '../core/http/credentials';
import { adaptErrorOutput } from '../core/errors/n8n1Compat';
import { handleCallback } from './resumeOnCallback';
import { waitProperties, resumeWebhooks } from './form';
import { executeWait } from './executeWait';

export class VideoGenWait implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Wait for Job',
		name: 'videoGenWait',
		icon: { light: 'file:VideoGenWait.svg', dark: 'file:VideoGenWait.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["jobs"] === "id" ? "By ID" : "Of the incoming items" }}',
		description:
			'Wait until videos and other jobs are finished. In the meantime, the execution is suspended and uses no memory.',
		defaults: { name: 'VideoGen Wait for Job' },
		// n8n cannot suspend a tool of an AI agent.
		usableAsTool: undefined,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main, NodeConnectionTypes.Main],
		outputNames: ['Still Running', 'Finished'],
		credentials: credentialDescriptions,
		webhooks: resumeWebhooks,
		properties: [authenticationField, ...waitProperties],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][] | null> {
		const outputs = await executeWait(this);
		return outputs && adaptErrorOutput(this, outputs);
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleCallback(this);
	}
}
