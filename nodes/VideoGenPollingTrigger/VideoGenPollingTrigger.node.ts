import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';
import { authentication, credentials } from '../core/http/credentials';
import {
	binaryField,
	downloadVideo,
	fetchVideo,
	createOutputOption,
	triggerEvents,
} from '../shared/events';
import { entityId, eventNames, endpointEvents as eventsField } from '../fields/webhook';
import { emitPolledEvents, isPolledEvent } from './emit';
import { poll } from './poll';
import { fetchTestEvents } from './testEvent';

/** What it tells of; n8n knows the names of events only in the list. */
const pollingSubtitle = `={{ $parameter["source"] === "events" ? ([].concat($parameter["events"] || []).map((event) => (${JSON.stringify(eventNames)})[event] || event).join(", ") || "All events") : ({ clippings: "Clips", sessions: "Agent videos", translations: "Translations", videos: "Videos" })[$parameter["source"]] + ({ completed: " finished", failed: " failed" }[[].concat($parameter["outcomes"] || []).join()] || " ended") }}`;

const listSourceNames = ['clippings', 'sessions', 'translations', 'videos'];
const showWithVideos = { show: { '/source': ['events', 'sessions', 'videos'] } };
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
			'Asks the service at times whether a video or another job is done, and starts the workflow then: for an n8n that the internet cannot reach',
		defaults: { name: 'VideoGen Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials,
		properties: [
			authentication,
			{
				displayName: 'Source',
				name: 'source',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Agent Videos',
						value: 'sessions',
						description: 'Sessions of the Video Agent, when their video is done',
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
							'Whatever the service has delivered to a registered address; needs one that is registered',
					},
					{ name: 'Translations', value: 'translations', description: 'Translated videos' },
					{
						name: 'Videos',
						value: 'videos',
						description: 'All videos, those of the Video Agent and translations too',
					},
				],
				default: 'videos',
				description: 'What to ask the service for',
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
				description: 'Which ends start the workflow; with nothing chosen, both do',
			},
			{ ...triggerEvents, displayOptions: { show: { source: ['events'] } } },
			{
				displayName:
					'The service lists the events that it has delivered, or tried to deliver, to registered addresses. With no address registered there may be none: choose another source then.',
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
				displayOptions: { show: { source: ['events', 'sessions', 'videos'] } },
				options: [
					{ ...downloadVideo, displayOptions: showWithVideos },
					{ ...entityId, displayOptions: showForEvents },
					{ ...fetchVideo, displayOptions: showWithVideos },
					{
						...createOutputOption('The event exactly as the service lists it'),
						displayOptions: showForEvents,
					},
					{ ...binaryField, displayOptions: showWithVideos },
				],
			},
		],
	};

	methods = { loadOptions: eventsField.load };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}

	/** In the run that a poll has started; for Fetch Test Event, n8n calls this alone. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const given = this.getInputData().map(({ json }) => json);
		return [
			await emitPolledEvents(
				this,
				given.every(isPolledEvent) ? given : await fetchTestEvents(this),
			),
		];
	}
}
