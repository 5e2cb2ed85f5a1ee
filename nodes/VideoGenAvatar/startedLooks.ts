/**
 * Finds the IDs of new avatar looks in the responses to requests that create avatars or looks. The
 * format of these responses is only partly documented (service.md, Guesses).
 */
import type { IDataObject } from 'n8n-workflow';
import type { Job } from '../core/jobs/types';
import { readId, readObject } from '../core/json';
import { avatarGroupJob, avatarLookJob } from '../jobKinds/catalog';
import { avatarSampleResult, avatarLookSampleResult } from '../jobKinds/samples';

/**
 * Returns the ID of an avatar look, which the service sends either as a string or inside an object.
 */
function readLookId(value: unknown): string | undefined {
	const { look_id, id, avatar_id } = readObject(value);
	return readId(value) ?? readId(look_id) ?? readId(id) ?? readId(avatar_id);
}

const createNoIdError = (what: string) =>
	new Error(
		`The service accepted the request but returned no ${what} ID. Something may have been created anyway: check with Get Many before you run the workflow again.`,
	);

/**
 * Converts the response to a create request into an output item's JSON, including the IDs of the
 * new look and its avatar. The keys are the same whether or not the node waits for the look.
 */
function createLookJson(reply: IDataObject): IDataObject {
	const { avatar_item, ...rest } = readObject(reply.data ?? reply);
	const look: IDataObject = { ...readObject(avatar_item), ...rest };
	const group_id = readId(look.group_id) ?? readId(readObject(look.avatar_group).id);
	return { ...look, look_id: readLookId(look), group_id };
}

/**
 * Returns the job to wait for after requesting a new avatar: the avatar's first look, or the avatar
 * itself if the response contains no look ID.
 */
function findStartedLook({ look_id, group_id }: IDataObject): Job[] {
	const lookId = readId(look_id);
	if (lookId !== undefined) return [{ kind: avatarLookJob, id: lookId }];
	const groupId = readId(group_id);
	if (groupId === undefined) throw createNoIdError('avatar');
	return [{ kind: avatarGroupJob, id: groupId }];
}

/** Settings shared by all operations that create an avatar. */
export const avatarCreationOperationBase = {
	idempotent: true,
	unwrap: createLookJson,
	// `createLookJson` sets both IDs. `id` is the ID of the look, or of the avatar without a look.
	itemId: null,
	durationHint: avatarLookJob.durationHint,
	starts: findStartedLook,
	sample: {
		reply: {
			...avatarLookSampleResult,
			look_id: 'sample_look_{n}',
			avatar_group: avatarSampleResult,
		},
	},
} as const;

/**
 * Returns one job for each new look in the response to a create request. Uses the response's first
 * list of IDs, because the specification does not say which key contains the looks.
 */
function findStartedLooks(reply: IDataObject): Job[] {
	const { look_ids, looks, ids, look_id } = reply;
	const lookIds = [look_ids, looks, ids, reply, ...Object.values(reply), [readId(look_id)]]
		.filter(Array.isArray)
		.map((list: unknown[]) => list.map(readLookId).filter((id) => id !== undefined))
		.find((list) => list.length > 0);
	if (lookIds === undefined) throw createNoIdError('look');
	return [...new Set(lookIds)].map((id) => ({ kind: avatarLookJob, id }));
}

/**
 * Settings shared by all operations that add looks to an existing avatar. Each new look becomes one
 * output item.
 */
export const lookCreationOperationBase = {
	idempotent: true,
	durationHint: avatarLookJob.durationHint,
	starts: findStartedLooks,
	sample: { reply: { group_id: 'sample_avatar_{n}', look_ids: ['sample_look_{n}'] } },
} as const;
