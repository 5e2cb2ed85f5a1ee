/** What the replies of creates start. Their shape is known in part only (docs/service.md, Guesses). */
import type { IDataObject } from 'n8n-workflow';
import type { Job } from '../core/jobs/types';
import { readObject, readText } from '../core/json';
import { avatarGroupJob, lookJob } from '../jobs/catalog';

/** The id of a look: the text itself, or in an object. */
function readLookId(value: unknown): string | undefined {
	const { look_id, id, avatar_id } = readObject(value);
	return readText(value) ?? readText(look_id) ?? readText(id) ?? readText(avatar_id);
}

const noLooks = (what: string) =>
	new Error(
		`The service accepted the request but named no ${what}. Something may have been created: look with Get Many before you run again.`,
	);

/**
 * The new look with its avatar beside it, and the ids of both, so that an item has the same fields
 * whether the node waited or not.
 */
function createLookItem(reply: IDataObject): IDataObject {
	const { avatar_item, ...rest } = readObject(reply.data ?? reply);
	const look: IDataObject = { ...readObject(avatar_item), ...rest };
	const group_id = readText(look.group_id) ?? readText(readObject(look.avatar_group).id);
	return { ...look, look_id: readLookId(look), group_id };
}

/** The look that a new avatar starts with; its avatar where the reply names no look. */
function findStartedLook({ look_id, group_id }: IDataObject): Job[] {
	const look = readText(look_id);
	if (look !== undefined) return [{ kind: lookJob, id: look }];
	const group = readText(group_id);
	if (group === undefined) throw noLooks('avatar');
	return [{ kind: avatarGroupJob, id: group }];
}

/** What creates of avatars share. */
export const avatarCreation = {
	idempotent: true,
	unwrap: createLookItem,
	// Both ids are there already: `id` is that of the look, or of the avatar where there is none.
	itemId: null,
	durationHint: lookJob.durationHint,
	starts: findStartedLook,
} as const;

/** All looks of a reply. The key of their ids is unknown: any list of ids or of looks will do. */
function findStartedLooks(reply: IDataObject): Job[] {
	const { look_ids, looks, ids } = reply;
	const lists = [look_ids, looks, ids, reply, ...Object.values(reply)].filter(Array.isArray);
	const found = lists
		.map((list: unknown[]) => list.map(readLookId).filter((id) => id !== undefined))
		.find((list) => list.length > 0);
	const one = readText(reply.look_id);
	const all = new Set(found ?? (one === undefined ? [] : [one]));
	if (all.size === 0) throw noLooks('look');
	return [...all].map((id) => ({ kind: lookJob, id }));
}

/** What creates of looks share: each look becomes an item. */
export const looksCreation = {
	idempotent: true,
	durationHint: lookJob.durationHint,
	starts: findStartedLooks,
} as const;
