import { continueSession } from './continueSession';
import { create } from './create';
import { editScenes } from './editScenes';
import { generate } from './generate';
import { get } from './get';
import { getMany } from './getMany';
import { getResource } from './getResource';
import { getStyles } from './getStyles';
import { getVideos } from './getVideos';
import { stop } from './stop';

/** The operations of the node; the first is the one a new node starts with. */
export const operations = [
	create,
	continueSession,
	editScenes,
	generate,
	get,
	getMany,
	getResource,
	getStyles,
	getVideos,
	stop,
];
