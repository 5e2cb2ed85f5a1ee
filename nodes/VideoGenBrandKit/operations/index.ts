import { deleteKit } from './deleteKit';
import { get } from './get';
import { getMany } from './getMany';
import { importKit } from './importKit';
import { update } from './update';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [importKit, get, getMany, update, deleteKit];
