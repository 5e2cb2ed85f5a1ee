import { triggerFlow } from '../triggerFlow';

export const flow = triggerFlow('Acme', {}, 1);
