import { create } from './create';
import { generate } from './generate';
import { get } from './get';
import { getMany } from './getMany';
import { updateVariables } from './updateVariables';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [generate, create, get, getMany, updateVariables];
