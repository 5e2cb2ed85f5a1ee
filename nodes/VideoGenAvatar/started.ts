/** What the replies of creates start. Their shape is known in part only (docs/service.md, Guesses). */
import type { IDataObject } from 'n8n-workflow';
import type { StartedJob } from '../core/jobs/job';
import { objectOf, textOf } from '../core/json';
import { avatarGroupJob, lookJob } from '../jobs';

/** The id of a look: the text itself, or in an object. */
function lookId(value: unknown): string | undefined {
	const { look_id, id, avatar_id } = objectOf(value);
	return textOf(value) ?? textOf(look_id) ?? textOf(id) ?? textOf(avatar_id);
}

const nothing = (what: string) =>
	new Error(
		`The service accepted the request but named no ${what}. Something may have been created: look with Get Many before you run again.`,
	);

/**
 * The new look with its avatar beside it, and the ids of both, so that an item has the same fields
 * whether the node waited or not.
 */
function newLook(reply: IDataObject): IDataObject {
	const { avatar_item, ...rest } = objectOf(reply.data ?? reply);
	const look: IDataObject = { ...objectOf(avatar_item), ...rest };
	const group_id = textOf(look.group_id) ?? textOf(objectOf(look.avatar_group).id);
	return { ...look, look_id: lookId(look), group_id };
}

/** The look that a new avatar starts with; its avatar where the reply names no look. */
function startedLook({ look_id, group_id }: IDataObject): StartedJob[] {
	const look = textOf(look_id);
	if (look !== undefined) return [{ job: lookJob, id: look }];
	const group = textOf(group_id);
	if (group === undefined) throw nothing('avatar');
	return [{ job: avatarGroupJob, id: group }];
}

/** What creates of avatars share. */
export const startsAvatar = {
	idempotent: true,
	unwrap: newLook,
	// Both ids are there already: `id` is that of the look, or of the avatar where there is none.
	itemId: null,
	takes: lookJob.takes,
	starts: startedLook,
} as const;

/** All looks of a reply. The key of their ids is unknown: any list of ids or of looks will do. */
function startedLooks(reply: IDataObject): StartedJob[] {
	const { look_ids, looks, ids } = reply;
	const lists = [look_ids, looks, ids, reply, ...Object.values(reply)].filter(Array.isArray);
	const found = lists
		.map((list: unknown[]) => list.map(lookId).filter((id) => id !== undefined))
		.find((list) => list.length > 0);
	const one = textOf(reply.look_id);
	const all = new Set(found ?? (one === undefined ? [] : [one]));
	if (all.size === 0) throw nothing('look');
	return [...all].map((id) => ({ job: lookJob, id }));
}

/** What creates of looks share: each look becomes an item. */
export const startsLooks = {
	idempotent: true,
	takes: lookJob.takes,
	starts: startedLooks,
} as const;
