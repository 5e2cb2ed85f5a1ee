import type { Route } from '../http/route';
import type { Service } from '../service';
import { registerAccount } from './account';
import { registerAgents } from './agents';
import { registerAssets } from './assets';
import { registerAvatars } from './avatars';
import { registerBackgroundRemovals } from './backgroundRemovals';
import { registerBrand } from './brand';
import { registerClipping } from './clipping';
import { registerFolders } from './folders';
import { registerLipsyncs } from './lipsyncs';
import { registerModels } from './models';
import { registerRealtime } from './realtime';
import { registerRenders } from './renders';
import { registerSounds } from './sounds';
import { registerTemplates } from './templates';
import { registerTranslations } from './translations';
import { registerVideos } from './videos';
import { registerVoices } from './voices';
import { registerWebhooks } from './webhooks';
import { registerWorkflows } from './workflows';
import { registerRuns } from './workflows/runs';

const registrations = [
	registerAccount,
	registerAgents,
	registerVideos,
	registerWebhooks,
	registerVoices,
	registerAvatars,
	registerBrand,
	registerFolders,
	registerAssets,
	registerTemplates,
	registerModels,
	registerSounds,
	registerTranslations,
	registerLipsyncs,
	registerClipping,
	registerRenders,
	registerBackgroundRemovals,
	registerRealtime,
	registerWorkflows,
	registerRuns,
];

/** Adds the endpoints of all resources. */
export function registerResources(route: Route, service: Service) {
	for (const register of registrations) register(route, service);
}
