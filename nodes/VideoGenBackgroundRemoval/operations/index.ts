import { create } from './create';
import { deleteRemoval } from './deleteRemoval';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [create, get, getMany, deleteRemoval, download];
