import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { authenticationField, credentialDescriptions } from '../core/http/credentials';
import {
	videoOutputBinaryField,
	videoDownloadField,
	videoDetailsToggleField,
	videoFileNameField,
	createEventFormatField,
	triggerEventsField,
} from '../shared/eventItems';
import { entityIdField, eventLabels, endpointEventsField as eventsField } from '../fields/webhook';
import { emitPolledEvents, isPolledEvent } from './emit';
import { poll } from './poll';
import { fetchTestEvents } from './testEvent';

/**
 * Expression for the text shown below the node on the canvas: the selected events, or the selected
 * kind of job with the selected outcomes. The event names are written into the expression, because
 * expressions cannot read names that the form loads at runtime.
 */
const pollingSubtitle = `={{ $parameter["source"] === "events" ? ([].concat($parameter["events"] || []).map((event) => (${JSON.stringify(eventLabels)})[event] || event).join(", ") || "All events") : ({ clippings: "Clips", sessions: "Agent videos", translations: "Translations", videos: "Videos" })[$parameter["source"]] + ({ completed: " finished", failed: " failed" }[[].concat($parameter["outcomes"] || []).join()] || " ended") }}`;

const listSourceNames = ['clippings', 'sessions', 'translations', 'videos'];
const showWithVideos = { show: { '/source': ['events', 'sessions', 'translations', 'videos'] } };
const showForEvents = { show: { '/source': ['events'] } };

export class VideoGenPollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'VideoGen Polling Trigger',
		name: 'videoGenPollingTrigger',
		icon: {
			light: 'file:VideoGenPollingTrigger.svg',
			dark: 'file:VideoGenPollingTrigger.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: pollingSubtitle,
		description:
			'Polls the service and starts the workflow when a video or other job is done. Use this trigger if your n8n instance is not reachable from the internet.',
		defaults: { name: 'VideoGen Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: credentialDescriptions,
		properties: [
			authenticationField,
			{
				displayName: 'Source',
				name: 'source',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Agent Videos',
						value: 'sessions',
						description: 'Agent sessions whose video is done',
					},
					{
						name: 'Clips',
						value: 'clippings',
						description: 'Long videos that were cut into clips',
					},
					{
						name: 'Delivered Events',
						value: 'events',
						description:
							'All events that the service has delivered to a registered URL; requires at least one registered URL',
					},
					{ name: 'Translations', value: 'translations', description: 'Translated videos' },
					{
						name: 'Videos',
						value: 'videos',
						description: 'All videos, including Video Agent videos and translations',
					},
				],
				default: 'videos',
				description: 'What to watch',
			},
			{
				displayName: 'Outcome',
				name: 'outcomes',
				type: 'multiOptions',
				displayOptions: { show: { source: listSourceNames } },
				options: [
					{ name: 'Failed', value: 'failed' },
					{ name: 'Finished', value: 'completed' },
				],
				default: ['completed'],
				description: 'Outcomes that start the workflow. Leave empty for both.',
			},
			{ ...triggerEventsField, displayOptions: { show: { source: ['events'] } } },
			{
				displayName:
					'The service lists the events that it has delivered, or tried to deliver, to registered URLs. If no URL is registered, there may be no events, so choose another source.',
				name: 'deliveredNotice',
				type: 'notice',
				displayOptions: { show: { source: ['events'] } },
				default: '',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				displayOptions: { show: { source: ['events', 'sessions', 'translations', 'videos'] } },
				options: [
					{ ...videoDownloadField, displayOptions: showWithVideos },
					{ ...entityIdField, displayOptions: showForEvents },
					{ ...videoDetailsToggleField, displayOptions: showWithVideos },
					{ ...videoFileNameField, displayOptions: showWithVideos },
					{
						...createEventFormatField('The event exactly as the service lists it'),
						displayOptions: showForEvents,
					},
					{ ...videoOutputBinaryField, displayOptions: showWithVideos },
				],
			},
		],
	};

	methods = { loadOptions: eventsField.load };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}

	/**
	 * Outputs the events found by a poll. When the user clicks Fetch Test Event, no poll has run
	 * before, so this method fetches recent events itself.
	 */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const input = this.getInputData().map(({ json }) => json);
		const events = input.every(isPolledEvent) ? input : await fetchTestEvents(this);
		return [await emitPolledEvents(this, events)];
	}
}
