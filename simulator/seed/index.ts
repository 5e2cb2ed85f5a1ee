import { createEmptyState, type State } from '../store';
import { seedLibrary, seedVideos } from './library';
import { seedAvatars, seedVoices } from './people';
import { seedTemplates } from './templates';

/**
 * Creates the state of a new service: a catalog with invented names, and no jobs. Ids are fixed, so
 * that workflows and tests can refer to them.
 */
export function createState(now: number, baseUrl: string): State {
	const state = createEmptyState();
	const start = Math.floor(now);
	seedVoices(state, start);
	seedAvatars(state, start);
	seedLibrary(state, start, baseUrl);
	seedVideos(state, start);
	seedTemplates(state, start, baseUrl);
	return state;
}
