import { create } from './create';
import { deleteRender } from './deleteRender';
import { download } from './download';
import { get } from './get';
import { getMany } from './getMany';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [create, get, getMany, deleteRender, download];
