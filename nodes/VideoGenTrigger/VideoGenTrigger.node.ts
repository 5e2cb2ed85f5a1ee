/**
 * Starts the workflow when the service delivers an event. When a delivery arrives, n8n first calls
 * `webhook`, which verifies the delivery with core/webhookSignature.ts and starts an execution. In
 * that execution, n8n then calls `execute`, which outputs the event with deliveredEvents.ts and
 * shared/eventItems.ts.
 */
import {
	jsonParse,
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { clock } from '../core/clock';
import { createDigest } from '../core/digest';
import { createClient } from '../core/http/client';
import { authenticationField, credentialDescriptions } from '../core/http/credentials';
import { isObject, readText, toText } from '../core/json';
import { adaptErrorOutput } from '../core/errors/n8n1Compat';
import { toUnixSeconds } from '../core/time';
import { isEventExpired, verifyDelivery, type WebhookHeaders } from '../core/webhookSignature';
import {
	videoOutputBinaryField,
	videoDownloadField,
	videoDetailsToggleField,
	videoFileNameField,
	createEventFormatField,
	triggerEventsField,
	parseEventTypes,
} from '../shared/eventItems';
import { isStartOfN8n } from '../shared/triggerState';
import { entityIdField, eventLabels, endpointEventsField as eventsField } from '../fields/webhook';
import {
	createDeliveredEvent,
	createDeliveryKey,
	emitDeliveredEvents,
	findDeliveryState,
	trackDeliveryUntilStored,
} from './deliveredEvents';
import {
	checkEndpoint,
	readStoredEndpoint,
	registerEndpoint,
	unregisterEndpoint,
} from './endpointRegistration';
import { repairSecret, startChecks } from './selfCheck';

/**
 * Expression for the text shown below the node on the canvas: the names of the selected events. The
 * event names are written into the expression, because expressions cannot read names that the form
 * loads at runtime.
 */
const triggerSubtitle = `={{ [].concat($parameter["events"] || []).map((event) => (${JSON.stringify(eventLabels)})[event] || event).join(", ") || "All events" }}`;

interface Rejection {
	reason: string;
	/** Advice for the user when the trigger rejects a webhook delivery. Written to n8n's log. */
	advice?: string;
}

const republishAdvice = 'If this happens again, unpublish the workflow and publish it again';

const rejections = {
	unsigned: { reason: 'The signature header is missing.' },
	untimed: { reason: 'The timestamp is missing or invalid.' },
	outdated: {
		reason: 'The timestamp differs from the current time by more than 5 minutes.',
		advice: 'Check the clock on this machine.',
	},
	expired: {
		reason: 'The event is more than 25 hours old, or its time is in the future.',
		advice: 'The service retries deliveries for 24 hours.',
	},
	forged: {
		reason: 'The signature does not match.',
		advice: `${republishAdvice} to fetch a new secret.`,
	},
	noBody: { reason: 'The delivery has no JSON body.' },
	noObject: { reason: 'The delivery is signed, but its body is not a JSON object.' },
	unregistered: {
		reason: 'No endpoint is registered.',
		advice: `${republishAdvice} to register the endpoint.`,
	},
	repaired: {
		reason: 'The signing secret was outdated and has been replaced. Send the event again.',
	},
	inProgress: { reason: 'The same delivery is already being stored. Send the event again.' },
} as const satisfies Record<string, Rejection>;

/**
 * Returns a webhook delivery's raw body, or undefined if it is unavailable. n8n reads the body
 * before it calls version 2 of this node, but only if the content type is text, JSON, XML or a
 * URL-encoded form. This function reads all other bodies, except multipart forms: n8n parses them
 * without keeping the raw bytes.
 */
async function readDeliveryBody(n8n: IWebhookFunctions): Promise<Buffer | undefined> {
	const request = n8n.getRequestObject();
	const isForm = request.headers['content-type']?.startsWith('multipart/form-data');
	if (!request.rawBody && !isForm) {
		// If a broken or huge upload caused an error here, n8n would start a failed execution.
		await request.readRawBody().catch(() => undefined);
	}
	return request.rawBody;
}

const readUrl = (n8n: IHookFunctions) => n8n.getNodeWebhookUrl('default') ?? '';

export class VideoGenTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Trigger',
		name: 'videoGenTrigger',
		icon: { light: 'file:VideoGenTrigger.svg', dark: 'file:VideoGenTrigger.dark.svg' },
		group: ['trigger'],
		// Both versions do the same. For each delivery to version 1, n8n also evaluates an
		// expression, which needs a sandbox of its expression engine.
		version: [1, 2],
		defaultVersion: 2,
		subtitle: triggerSubtitle,
		description: 'Starts the workflow when the service reports that a video or another job is done',
		defaults: { name: 'VideoGen Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: credentialDescriptions,
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Otherwise, n8n would respond with the name of its default, `firstEntryJson`.
				responseData: '',
				path: 'webhook',
			},
		],
		properties: [
			authenticationField,
			// No notice about the public URL: without one, registration fails with advice.
			triggerEventsField,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					videoDownloadField,
					entityIdField,
					videoDetailsToggleField,
					videoFileNameField,
					createEventFormatField('The event exactly as it was delivered'),
					videoOutputBinaryField,
					{
						displayName: 'Skip Missed Events',
						name: 'skipMissedEvents',
						type: 'boolean',
						default: true,
						description:
							'Whether to ignore events that the service could not deliver while n8n was unreachable or the workflow was not published. By default, such events are output when the workflow is published and when n8n starts.',
					},
				],
			},
		],
	};

	methods = { loadOptions: eventsField.load };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const client = await createClient(this);
				const state = await checkEndpoint(this, client, readUrl(this), isStartOfN8n(this));
				return state !== 'missing';
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await registerEndpoint(this, await createClient(this), readUrl(this));
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await unregisterEndpoint(this);
				return true;
			},
		},
	};

	/**
	 * Handles a webhook delivery: verifies it and passes the event to n8n, which stores an execution
	 * and then responds. Sends no requests, because they would delay the response. If the event's
	 * video is needed, `execute` fetches it later.
	 */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const response = this.getResponseObject();
		const reject = (status: number, rejection: keyof typeof rejections): IWebhookResponseData => {
			const { reason, advice = '' } = rejections[rejection] as Rejection;
			const place = `${this.getNode().name} (workflow ${this.getWorkflow().id})`;
			this.logger.warn(`${place} rejected a delivery: ${reason} ${advice}`.trim());
			response.status(status).json({ message: `The delivery was rejected. ${reason}` });
			return { noWebhookResponse: true };
		};

		const { secret } = readStoredEndpoint(this);
		const body = await readDeliveryBody(this);
		if (!body) return reject(401, 'noBody');
		if (!secret) {
			const isRepaired = await repairSecret(this, body);
			return isRepaired ? reject(503, 'repaired') : reject(401, 'unregistered');
		}
		const now = clock.now() / 1000;
		const verdict = verifyDelivery({
			secret,
			body,
			headers: this.getHeaderData() as WebhookHeaders,
			now,
		});
		if (!verdict.ok) {
			const isRepaired = verdict.reason === 'forged' && (await repairSecret(this, body));
			return isRepaired ? reject(503, 'repaired') : reject(401, verdict.reason);
		}

		const event = jsonParse<unknown>(body.toString('utf8'), { fallbackValue: null });
		if (!isObject(event)) return reject(400, 'noObject');
		if (verdict.isUntimed && toUnixSeconds(event.created_at, 'UTC') === undefined) {
			return reject(401, 'untimed');
		}
		if (isEventExpired(event.created_at, now)) return reject(401, 'expired');
		const events = parseEventTypes(this.getNodeParameter('events', []));
		if (events.length > 0 && !events.includes(toText(event.event_type))) {
			return { webhookResponse: { message: 'The trigger does not listen for this event.' } };
		}

		// The ID in the header is not signed, so it cannot identify the event.
		const digest = createDigest(readText(event.event_id) ?? body);
		const key = createDeliveryKey(this, digest);
		const state = findDeliveryState(key);
		if (state === 'started') return { webhookResponse: { message: 'Already received.' } };
		if (state === 'inProgress') return reject(503, 'inProgress');
		trackDeliveryUntilStored(key, response);
		const delivered = createDeliveredEvent(event, digest);
		return { webhookResponse: { message: 'Received' }, workflowData: [[{ json: delivered }]] };
	}

	/**
	 * Outputs missed events when the workflow is published and when n8n starts, and checks the
	 * endpoint once a day. Because the node has this method, n8n also calls `checkExists` at startup.
	 */
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await startChecks(this);
	}

	/**
	 * Outputs the event of a webhook delivery. n8n calls this method in the execution that the
	 * delivery started.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return adaptErrorOutput(this, [await emitDeliveredEvents(this)]);
	}
}
