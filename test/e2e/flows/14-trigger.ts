import { triggerFlow } from '../triggerFlow';

export const flow = triggerFlow('Service', { older: 'main' });
