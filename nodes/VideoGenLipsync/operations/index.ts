import { create } from './create';
import { createBatch } from './createBatch';
import { deleteLipsync } from './deleteLipsync';
import { download } from './download';
import { get } from './get';
import { getBatch } from './getBatch';
import { getMany } from './getMany';
import { getStatuses } from './getStatuses';
import { update } from './update';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	create,
	createBatch,
	getBatch,
	get,
	getMany,
	getStatuses,
	update,
	deleteLipsync,
	download,
];
