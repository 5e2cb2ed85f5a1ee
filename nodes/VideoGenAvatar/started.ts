/** What the replies of creates start. Their shape is known in part only (api.md, 7 and 26). */
import type { IDataObject } from 'n8n-workflow';
import type { StartedJob } from '../core/jobs/job';
import { avatarGroupJob, lookJob } from '../jobs';

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const object = (value: unknown) =>
	(value !== null && typeof value === 'object' ? value : {}) as IDataObject;

/** The id of a look: the text itself, or in an object. */
function lookId(value: unknown): string | undefined {
	const { look_id, id, avatar_id } = object(value);
	return text(value) ?? text(look_id) ?? text(id) ?? text(avatar_id);
}

const nothing = (what: string) =>
	new Error(
		`The service accepted the request but named no ${what}. Something may have been created: look with Get Many before you run again.`,
	);

/**
 * The new look with its avatar beside it, so that an item has the same fields whether the node
 * waited or not.
 */
export function newLook(reply: IDataObject): IDataObject {
	const { avatar_item, ...rest } = object(reply.data ?? reply);
	return { ...object(avatar_item), ...rest };
}

/** The look that a new avatar starts with; its avatar where the reply names no look. */
export function startedLook(reply: IDataObject): StartedJob[] {
	const id = lookId(reply);
	if (id !== undefined) return [{ job: lookJob, id }];
	const group = text(object(reply.avatar_group).id) ?? text(reply.group_id);
	if (group === undefined) throw nothing('avatar');
	return [{ job: avatarGroupJob, id: group }];
}

/** All looks of a reply. The key of their ids is unknown: any list of ids or of looks will do. */
export function startedLooks(reply: IDataObject): StartedJob[] {
	const { look_ids, looks, ids } = reply;
	const lists = [look_ids, looks, ids, reply, ...Object.values(reply)].filter(Array.isArray);
	const found = lists
		.map((list: unknown[]) => list.map(lookId).filter((id) => id !== undefined))
		.find((list) => list.length > 0);
	const one = text(reply.look_id);
	const all = new Set(found ?? (one === undefined ? [] : [one]));
	if (all.size === 0) throw nothing('look');
	return [...all].map((id) => ({ job: lookJob, id }));
}
