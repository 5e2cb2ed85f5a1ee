/** What a delivered event is made into. */
import type { IDataObject, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { download } from '../core/files/download';
import { createClient } from '../core/http/client';

/** Options of the node that shape its output. */
export interface Output {
	whole: boolean;
	fetchVideo: boolean;
	download: boolean;
	binaryPropertyName: string;
}

/** The event in one level: its own facts, then its data. */
export function simplified(event: IDataObject, eventId: string): IDataObject {
	const data = event.event_data;
	return {
		event_id: event.event_id ?? eventId,
		event_type: event.event_type,
		...(event.created_at === undefined ? {} : { created_at: event.created_at }),
		...(data !== null && typeof data === 'object' ? (data as IDataObject) : { event_data: data }),
	};
}

/**
 * The item of an event. When the video cannot be read or downloaded, the event is given out all
 * the same, with the reason under `error`: it has been answered for and will not come again.
 */
export async function itemOf(
	n8n: IWebhookFunctions,
	event: IDataObject,
	eventId: string,
	output: Output,
): Promise<INodeExecutionData> {
	const json = output.whole ? { ...event } : simplified(event, eventId);
	const id = ((event.event_data ?? {}) as IDataObject).video_id;
	if (typeof id !== 'string' || id === '' || !(output.fetchVideo || output.download))
		return { json };
	try {
		const client = await createClient(n8n);
		const read = async () =>
			await client.data({ line: 'GET /v3/videos/{video_id}', path: { video_id: id } });
		let video: IDataObject = await read();
		if (output.fetchVideo) json.video = video;
		if (!output.download || typeof video.video_url !== 'string') return { json };
		let first = true;
		const binary = await download(n8n, client, async () => {
			if (!first) video = await read();
			first = false;
			return { url: String(video.video_url), fileName: `${id}.mp4`, mimeType: 'video/mp4' };
		});
		return { json, binary: { [output.binaryPropertyName]: binary } };
	} catch (error) {
		const { message, description } = error as Error & { description?: string };
		return { json: { ...json, error: { message, description } } };
	}
}
