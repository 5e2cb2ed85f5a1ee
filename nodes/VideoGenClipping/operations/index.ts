import { create } from './create';
import { deleteClipping } from './deleteClipping';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [create, get, getMany, deleteClipping, download];
