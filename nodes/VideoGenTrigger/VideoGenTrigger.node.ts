import {
	jsonParse,
	NodeConnectionTypes,
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { clock } from '../core/clock';
import { authentication, credentials, accountOf } from '../core/http/credentials';
import { type Headers, verify } from '../core/signature';
import { events as eventsField, eventTypesOf } from '../fields/webhook';
import { exists, memory, register, seenBefore, unregister } from './endpoint';
import { itemOf, type Output } from './events';

/** The parameters of the node that its endpoint depends on. */
function wanted(n8n: IHookFunctions) {
	const options = n8n.getNodeParameter('options', {}) as IDataObject;
	const entity = typeof options.entity_id === 'string' ? options.entity_id.trim() : '';
	return {
		url: n8n.getNodeWebhookUrl('default') ?? '',
		events: eventTypesOf(n8n.getNodeParameter('events', [])),
		entityId: entity === '' ? undefined : entity,
	};
}

const refusals = {
	unsigned: 'The signature header is missing.',
	untimed: 'The timestamp header is missing or not a Unix time.',
	unnamed: 'The event ID header is missing.',
	outdated: 'The timestamp is more than 5 minutes away.',
	forged: 'The signature does not match.',
	unread: 'It has no body of JSON.',
	unknown: 'No endpoint is registered.',
} as const;

export class VideoGenTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Trigger',
		name: 'videoGenTrigger',
		icon: { light: 'file:VideoGenTrigger.svg', dark: 'file:VideoGenTrigger.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ [].concat($parameter["events"] || []).join(", ") || "all events" }}',
		description: 'Starts the workflow when the service says that a video or another job is done',
		defaults: { name: 'VideoGen Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
			},
		],
		properties: [
			authentication,
			{
				displayName: 'Event Names or IDs',
				name: 'events',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getEventTypes' },
				default: [],
				description:
					'The events that start the workflow; with nothing chosen, all of them do. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
			{
				displayName:
					'The service delivers to public https:// addresses only. If this n8n has none, set its N8N_WEBHOOK_URL (WEBHOOK_URL in older versions) to the address of a tunnel.',
				name: 'publicNotice',
				type: 'notice',
				default: '',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'Download Video',
						name: 'download',
						type: 'boolean',
						default: false,
						description:
							'Whether to put the finished video into a binary field, for events that name a video',
					},
					{
						displayName: 'Entity ID',
						name: 'entity_id',
						type: 'string',
						default: '',
						description: 'Only events of this one resource, such as a personalized video project',
					},
					{
						displayName: 'Fetch Video',
						name: 'fetchVideo',
						type: 'boolean',
						default: false,
						description:
							'Whether to read the full video, with fresh file addresses, into the field video',
					},
					{
						displayName: 'Output',
						name: 'output',
						type: 'options',
						options: [
							{
								name: 'Simplified',
								value: 'simplified',
								description: 'The facts of the event side by side',
							},
							{
								name: 'Whole',
								value: 'whole',
								description: 'The event exactly as it was delivered',
							},
						],
						default: 'simplified',
						description: 'What each event becomes',
					},
					{
						displayName: 'Put Output File in Field',
						name: 'binaryPropertyName',
						type: 'string',
						default: 'data',
						hint: 'The name of the output binary field to put the file in',
						description: 'The name of the binary field for Download Video',
					},
				],
			},
		],
	};

	methods = { loadOptions: eventsField.load };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const { url, events, entityId } = wanted(this);
				return await exists(this, url, events, entityId);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				const { url, events, entityId } = wanted(this);
				await register(this, url, events, entityId);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await unregister(this);
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const response = this.getResponseObject();
		const answer = (status: number, message: string): IWebhookResponseData => {
			response.status(status).json({ message });
			return { noWebhookResponse: true };
		};
		const refuse = (reason: keyof typeof refusals) => {
			this.logger.warn(`VideoGen Trigger refused a delivery: ${refusals[reason]}`);
			return answer(401, `The delivery was refused. ${refusals[reason]}`);
		};

		const kept = memory(this);
		if (!kept.secret) return refuse('unknown');
		const { headerPrefix } = await accountOf(this);
		const body = this.getRequestObject().rawBody as Buffer | undefined;
		if (!body) return refuse('unread');
		const now = clock.now() / 1000;
		const verdict = verify({
			secret: kept.secret,
			body,
			headers: this.getHeaderData() as Headers,
			prefix: headerPrefix,
			now,
		});
		if (!verdict.ok) return refuse(verdict.reason);

		const event = jsonParse<IDataObject | null>(body.toString('utf8'), { fallbackValue: null });
		if (event === null || typeof event !== 'object' || Array.isArray(event)) {
			return answer(400, 'The delivery is signed, but is not a JSON object.');
		}
		const events = eventTypesOf(this.getNodeParameter('events', []));
		if (events.length > 0 && !events.includes(String(event.event_type))) {
			return answer(200, 'Not wanted here.');
		}
		if (seenBefore(kept, [verdict.eventId, verdict.digest], now))
			return answer(200, 'Seen before.');

		const options = this.getNodeParameter('options', {}) as IDataObject;
		const output: Output = {
			whole: options.output === 'whole',
			fetchVideo: options.fetchVideo === true,
			download: options.download === true,
			binaryPropertyName: String(options.binaryPropertyName ?? '') || 'data',
		};
		// Answered before anything is fetched: the service waits 10 seconds at most.
		response.status(200).json({ message: 'Received.' });
		const item = await itemOf(this, event, verdict.eventId, output);
		return { noWebhookResponse: true, workflowData: [[item]] };
	}
}
