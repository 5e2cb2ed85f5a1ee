import { cancel } from './cancel';
import { create } from './create';
import { get } from './get';
import { getWords } from './getWords';
import { sendText } from './sendText';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [create, get, getWords, sendText, cancel];
