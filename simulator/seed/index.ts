import { createEmptyState, type State } from '../store';
import { seedLibrary, seedVideos } from './library';
import { seedAvatars, seedVoices } from './people';
import { seedTemplates } from './templates';

/**
 * The state of a fresh service: the catalog, and nothing made yet. All names are invented; ids are
 * fixed, so that workflows and tests can name them.
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
