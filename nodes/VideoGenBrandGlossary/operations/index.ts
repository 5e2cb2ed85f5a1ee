import { create } from './create';
import { deleteGlossary } from './deleteGlossary';
import { get } from './get';
import { getMany } from './getMany';
import { update } from './update';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [create, get, getMany, update, deleteGlossary];
