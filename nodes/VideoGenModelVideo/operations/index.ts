import { download } from './download';
import { get } from './get';
import { imageToVideo } from './imageToVideo';
import { referenceToVideo } from './referenceToVideo';
import { textToVideo } from './textToVideo';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [textToVideo, imageToVideo, referenceToVideo, get, download];
