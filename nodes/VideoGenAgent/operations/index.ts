import type { Resource } from '../../core/operation';
import { continueSession } from './continueSession';
import { create } from './create';
import { editScenes } from './editScenes';
import { generateLegacy } from './generateLegacy';
import { get } from './get';
import { getMany } from './getMany';
import { getManyStyles } from './getManyStyles';
import { getResource } from './getResource';
import { getVideos } from './getVideos';
import { stop } from './stop';

export const resources: readonly Resource[] = [
	{
		name: 'Video',
		value: 'session',
		id: 'session_id',
		operations: [
			create,
			continueSession,
			editScenes,
			get,
			getMany,
			getVideos,
			getResource,
			stop,
			generateLegacy,
		],
	},
	{ name: 'Style', value: 'style', id: 'style_id', operations: [getManyStyles] },
];
