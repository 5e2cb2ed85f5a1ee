import { download } from './download';
import { search } from './search';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [search, download];
