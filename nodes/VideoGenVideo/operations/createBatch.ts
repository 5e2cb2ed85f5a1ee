import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { objectOf, textOf } from '../../core/json';
import { operation } from '../../core/operation';
import { batchCallbackUrl, batchHead, batchTitle, ofForm } from '../../fields/batch';
import { folder } from '../../fields/folder';
import { openObject } from '../../fields/json';
import { look } from '../../fields/look';
import { audioBody, avatarSpeech } from '../../fields/speech';
import { batchedOptions, checkTalking, engine, engineBody } from '../../fields/videoOptions';
import { videoFiles } from '../../files';
import { videoBatchJob, videoJob } from '../../jobs';

const [speechFrom, script, voice, audio] = avatarSpeech;

const videoBody = openObject({ type: z.string() }).superRefine(({ type }, context) => {
	if (['avatar', 'image', 'cinematic_avatar'].includes(type)) return;
	context.addIssue({
		code: z.ZodIssueCode.custom,
		path: ['type'],
		message: `must be one of avatar, image, cinematic_avatar, but is "${type}"; studio videos are made one by one`,
	});
});

/** What the options come to where a payload says something else; its engine is its own. */
function withPayload<V extends Parameters<typeof checkTalking>[0]>(
	values: V,
	payload: IDataObject,
) {
	const { engine, ...own } = payload;
	const given = Object.entries(own).filter(([, value]) => value !== null);
	const { type, reference_look_id } = objectOf(engine);
	return {
		...values,
		...(engine === undefined || engine === null
			? {}
			: { engine: textOf(type), reference_look_id: reference_look_id ?? undefined }),
		...(payload.type === 'avatar' ? {} : { engine: undefined, reference_look_id: undefined }),
		...Object.fromEntries(given),
	};
}

export const createBatch = operation({
	value: 'createBatch',
	name: 'Create Batch',
	action: 'Make many videos at once',
	description: 'Make one video for each incoming item, up to 100 items in one request',
	request: 'POST /v3/videos/batches',
	fields: [
		{
			displayName: 'Each Item Is',
			name: 'itemIs',
			type: 'options',
			options: [
				{
					name: 'An Avatar Video',
					value: 'avatar',
					description: 'The form below, filled anew for each item by expressions',
				},
				{
					name: 'A JSON Payload',
					value: 'json',
					description: 'A video of type avatar, image or cinematic_avatar as the API takes it',
				},
			],
			default: 'avatar',
			description: 'What each incoming item is made into',
			schema: z.enum(['avatar', 'json']),
			in: 'local',
		},
		ofForm({ ...look, required: true }, 'avatar'),
		ofForm(speechFrom, 'avatar'),
		ofForm(script, 'avatar'),
		ofForm(voice, 'avatar'),
		ofForm(audio, 'avatar'),
		{
			displayName: 'Video (JSON)',
			name: 'video_json',
			type: 'json',
			typeOptions: { rows: 6 },
			default: '={{ $json }}',
			required: true,
			displayOptions: { show: { itemIs: ['json'] } },
			description: 'One video with its type: avatar, image or cinematic_avatar',
			schema: videoBody,
			in: 'local',
		},
	],
	options: [
		...batchedOptions,
		...engine,
		batchTitle,
		batchCallbackUrl,
		{
			...folder,
			description:
				'The folder for all videos of the batch; items with another folder make another batch',
			in: 'local',
		},
	],
	check: (values) =>
		checkTalking(values.video_json ? withPayload(values, values.video_json) : values),
	gather: {
		rows: videoJob,
		most: 100,
		sharedBy: ['callback_url', 'folder_id'],
		body: (all) => {
			const { folder_id } = all[0]?.values ?? {};
			return {
				...batchHead(all),
				...(folder_id === undefined ? {} : { folder_id }),
				videos: all.map(({ values, payload }): IDataObject =>
					values.itemIs === 'json'
						? {
								...payload,
								...(values.video_json?.type === 'avatar' ? engineBody(values) : {}),
								...values.video_json,
							}
						: {
								type: 'avatar',
								...payload,
								...audioBody(values.audio),
								...engineBody(values),
							},
				),
			};
		},
	},
	idempotent: true,
	starts: videoBatchJob,
	files: videoFiles,
});
